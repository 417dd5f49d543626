"""Public classes are the same kinds of one another as in genuine 1.15.5, and those of tf.train have the same base."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

import tf2bridge.v1 as v1
from tf2bridge.behaviour.for_a_while import for_a_while
from tf2bridge.v1.catalog import TREE
from tf2bridge.v1.namespace import resolve
from tf2bridge.v1.refusals import UnavailableNameError

FILE = Path(__file__).resolve().parents[3] / "fixtures" / "public_classes.tsv"
"""What fixtures/public_classes.py found in 1.15.5: class, its `__base__`, the public classes that it is."""

OTHERWISE = {
    "keras.layers.DepthwiseConv2D": "today's Keras derives it from a base that one and two dimensions share",
    "contrib.eager.Network": "it holds layers and is none: a layer of TensorFlow 2 makes other names",
    "contrib.eager.Sequential": "it is a Network",
}
"""Classes that are not all that they were, and why."""


def rows() -> Iterator[tuple[str, str, list[str]]]:
    for line in FILE.read_text(encoding="utf-8").splitlines()[1:]:
        name, base, ancestors = line.split("\t")
        yield name, base, ancestors.split()


@functools.cache
def ours(name: str) -> Any:
    """The value of a name here; None where it is excluded."""
    try:
        return resolve(TREE, name)
    except UnavailableNameError:
        return None


@pytest.fixture(scope="module", autouse=True)
def as_1_15() -> Iterator[None]:
    with for_a_while("1.15"):
        yield


def test_classes_are_classes() -> None:
    wrong = [name for name, _, _ in rows() if ours(name) is not None and not isinstance(ours(name), type)]
    assert not wrong


def test_classes_are_the_kinds_that_they_were() -> None:
    lost = [
        f"{name} is no {ancestor}"
        for name, _, ancestors in rows()
        if name not in OTHERWISE and ours(name) is not None
        for ancestor in ancestors
        if ours(ancestor) is not None and not issubclass(ours(name), ours(ancestor))
    ]
    assert not lost


def test_direct_bases_of_what_tf_train_holds() -> None:
    """A public package takes what tf.train has of which `__base__` is `tf.train.Optimizer`, and fails at others."""
    other = [
        name
        for name, base, _ in rows()
        if name.startswith("train.") and base != "-" and ours(name) and ours(name).__base__ is not ours(base)
    ]
    assert not other


def test_what_is_listed_as_otherwise_is_so() -> None:
    listed = {name: ancestors for name, _, ancestors in rows() if name in OTHERWISE}
    assert set(listed) == set(OTHERWISE)
    for name, ancestors in listed.items():
        assert not all(issubclass(ours(name), ours(ancestor)) for ancestor in ancestors), name


def test_initializers_of_programs() -> None:
    class Mine(v1.keras.initializers.Initializer):  # type: ignore[misc]  # no types
        def __call__(self, shape: Any, dtype: Any = None) -> Any:
            return tf.fill(shape, tf.constant(3.0, dtype))

    assert isinstance(Mine(), v1.keras.initializers.Initializer)
    assert isinstance(v1.zeros_initializer(), v1.keras.initializers.Initializer)
    assert isinstance(v1.keras.initializers.get("ones"), v1.keras.initializers.Initializer)
    assert not isinstance(v1.zeros_initializer(), Mine)
    assert not isinstance(3.0, v1.keras.initializers.Initializer)


def test_an_optimizer_of_replicas_is_a_copy_of_none() -> None:
    """`copy` and `pickle` ask for attributes before there are any."""
    empty = v1.train.SyncReplicasOptimizer.__new__(v1.train.SyncReplicasOptimizer)
    assert not hasattr(empty, "chief_init_op")
