"""`obtain_next` and `seek_next`. 1.x had a kernel for the first; here it is made of common ops."""

from __future__ import annotations

import random
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def obtain_next(string_list_tensor: Any, counter: Any) -> Any:
    """Returns a scalar: the string after the one that `counter` points to; the first one follows the last one.

    A run moves `counter`, a variable of int64, by one. A lock lets no two runs take the same string.
    """
    with v1.name_scope("ObtainNext") as scope:
        strings = tf.convert_to_tensor(string_list_tensor)
        lock = tf.raw_ops.MutexLock(mutex=tf.raw_ops.MutexV2(shared_name=scope))
        with tf.control_dependencies([lock]):
            place = tf.identity(v1.assign(counter, (counter + 1) % tf.size(strings, out_type=tf.int64)))
        with tf.control_dependencies([place]):
            released = tf.raw_ops.ConsumeMutexLock(mutex_lock=lock)
        with tf.control_dependencies([released]):
            return tf.gather(strings, place)


def seek_next(string_list: Any, shuffle: bool = False, seed: int | None = None, num_epochs: int | None = None) -> Any:
    """Returns a scalar that is the next string of the list in each run.

    The variable obtain_next/obtain_next_expanded_list holds the list `num_epochs` times, with `shuffle` in a new order
    each time. After the last string the run raises OutOfRangeError. Without `num_epochs` the list begins again.
    """
    strings = _repeated(string_list, shuffle, seed, num_epochs)
    with v1.variable_scope("obtain_next"):
        counter = _variable("counter", tf.constant(-1, tf.int64))
        with v1.colocate_with(counter):
            stored = _variable("expanded_list", tf.constant(strings))
        if not num_epochs:
            return obtain_next(stored, counter)
        taken = _variable("filename_counter", tf.constant(0, tf.int64))
        with tf.control_dependencies([v1.count_up_to(taken, len(strings))]):
            return obtain_next(stored, counter)


def _variable(name: str, initial: Any) -> Any:
    return v1.get_variable(f"obtain_next_{name}", initializer=initial, dtype=initial.dtype, trainable=False)


def _repeated(strings: Any, shuffle: bool, seed: int | None, num_epochs: int | None) -> list[Any]:
    """Returns the strings of all epochs. As in 1.x, shuffles the caller's list with Python's random module."""
    if shuffle and seed:
        random.seed(seed)
    repeated: list[Any] = []
    for _ in range(num_epochs or 1):
        if shuffle:
            random.shuffle(strings)
        repeated += strings
    return repeated
