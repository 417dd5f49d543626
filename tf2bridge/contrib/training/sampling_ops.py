"""Queues that accept examples with given probabilities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.training.ordering import with_dependencies

v1 = tf.compat.v1


def rejection_sample(
    tensors: Any,
    accept_prob_fn: Callable[[Any], Any],
    batch_size: int,
    queue_threads: int = 1,
    enqueue_many: bool = False,
    prebatch_capacity: int = 16,
    prebatch_threads: int = 1,
    runtime_checks: bool = False,
    name: str | None = None,
) -> Any:
    """Returns a list of batches of the examples `tensors`, accepted with probability `accept_prob_fn(tensors)`.

    With `enqueue_many` the first dimension of `tensors` counts examples. With `runtime_checks` the session raises an
    error if a probability is outside [0, 1].
    """
    with v1.variable_scope(name, "rejection_sample", tensors):
        examples = [v1.convert_to_tensor_or_indexed_slices(tensor) for tensor in tensors]
        if enqueue_many:
            for example in examples:
                _check_rows(example, examples[0])
            batched = v1.train.batch(
                examples, batch_size=1, num_threads=prebatch_threads, capacity=prebatch_capacity, enqueue_many=True
            )
            batched = batched if isinstance(batched, (list, tuple)) else [batched]
            examples = [v1.squeeze(row, [0]) for row in batched]
        chance = accept_prob_fn(examples)
        if runtime_checks:
            checks = [v1.assert_less_equal(0.0, chance), v1.assert_less_equal(chance, 1.0)]
            chance = v1.identity(with_dependencies(checks, chance), name="prob_with_checks")
        batches = v1.train.maybe_batch(
            examples, keep_input=v1.random_uniform([]) < chance, batch_size=batch_size, num_threads=queue_threads
        )
        return [batches] if tf.is_tensor(batches) else batches


def stratified_sample(
    tensors: Any,
    labels: Any,
    target_probs: Any,
    batch_size: int,
    init_probs: Any = None,
    enqueue_many: bool = False,
    queue_capacity: int = 16,
    threads_per_queue: int = 1,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Returns (list of batches, labels [batch]) of the examples `tensors`, resampled to `target_probs` of the labels.

    `init_probs` are the probabilities of the labels in the data. By default they are estimated from the examples.

    Raises:
        ValueError: the probabilities have different lengths or unknown shapes.
    """
    with v1.name_scope(name, "stratified_sample", [*tensors, labels]):
        examples = [v1.convert_to_tensor_or_indexed_slices(tensor) for tensor in tensors]
        labels = tf.convert_to_tensor(labels)
        target = tf.convert_to_tensor(target_probs, dtype=tf.float32)
        if not enqueue_many:
            examples = [v1.expand_dims(example, 0) for example in examples]
            labels = v1.expand_dims(labels, 0)
        if init_probs is None:
            target.get_shape().assert_is_fully_defined()
            initial = data_distribution(labels, target.get_shape().num_elements())
        else:
            initial = tf.convert_to_tensor(init_probs, dtype=tf.float32)
        examples, labels, (initial, target) = verify_input(examples, labels, [initial, target])
        chances = acceptance(initial, target)
        batched = v1.train.batch(
            [*examples, labels], batch_size=1, num_threads=threads_per_queue, capacity=queue_capacity, enqueue_many=True
        )
        *values, label = [v1.squeeze(row, [0]) for row in batched]
        chance = v1.gather(chances, label)
        batches = v1.train.maybe_batch(
            [*values, label],
            keep_input=v1.random_uniform([]) < chance,
            batch_size=batch_size,
            num_threads=threads_per_queue,
        )
        return batches[:-1], batches[-1]


def data_distribution(labels: Any, num_classes: int, smoothing_constant: int = 10) -> Any:
    """Returns the fraction of each class among all labels so far.

    A variable counts the labels. Its initial counts are `smoothing_constant`.

    Raises:
        ValueError: the constant is not above 0.
    """
    if smoothing_constant <= 0:
        raise ValueError("smoothing_constant must be nonzero.")
    seen = v1.Variable([smoothing_constant] * num_classes, trainable=False, name="class_count", dtype=tf.int64)
    seen = seen.assign_add(v1.reduce_sum(v1.one_hot(labels, num_classes, dtype=tf.int64), 0))
    seen += 0  # copies the counts, so that later updates do not change them
    return v1.cast(v1.truediv(seen, v1.reduce_sum(seen)), tf.float32)


def verify_input(
    tensor_list: Sequence[Any], labels: Any, probs_list: Sequence[Any]
) -> tuple[list[Any], Any, list[Any]]:
    """Returns tensors, labels and probabilities that the session checks when they are used.

    Raises:
        ValueError: the shapes do not fit each other.
    """
    probabilities = _checked_probabilities(probs_list)
    examples, labels = _checked_examples(tensor_list, labels, probabilities[0].get_shape().num_elements())
    return examples, labels, probabilities


def _checked_probabilities(probabilities: Sequence[Any]) -> list[Any]:
    tolerance = 1e-6
    checked = []
    for vector in probabilities:
        vector.get_shape().assert_is_fully_defined()
        vector.get_shape().assert_has_rank(1)
        total = v1.reduce_sum(vector)
        checks = [
            v1.assert_non_negative(vector),
            v1.assert_less(total, 1.0 + tolerance),
            v1.assert_less(1.0 - tolerance, total),
        ]
        checked.append(with_dependencies(checks, vector))
    if len({vector.get_shape().num_elements() for vector in checked}) > 1:
        raise ValueError(
            "Probability parameters must have the same length: init_probs and target_probs, one for each label"
        )
    return checked


def _checked_examples(examples: Sequence[Any], labels: Any, classes: int) -> tuple[list[Any], Any]:
    labels.get_shape().assert_has_rank(1)
    for example in examples:
        _check_rows(example, labels)
    rows = v1.shape(labels)[0]
    not_empty = v1.assert_positive(rows)
    labels = with_dependencies([not_empty], labels)
    checked = [
        with_dependencies([not_empty, v1.assert_equal(v1.shape(example)[0], rows)], example) for example in examples
    ]
    checks = [
        v1.assert_integer(labels),
        v1.assert_non_negative(labels),
        v1.assert_less(labels, v1.cast(classes, labels.dtype)),
    ]
    return checked, with_dependencies(checks, labels)


def acceptance(init_probs: Any, target_probs: Any) -> Any:
    """Returns the acceptance probability of each class. The session warns if more than half is rejected."""
    possible = v1.reduce_all(v1.logical_or(v1.not_equal(init_probs, 0), v1.equal(target_probs, 0)))
    message = "All classes with zero initial probability must also have zero target probability: "
    initial = with_dependencies([v1.Assert(possible, [message, init_probs, target_probs])], init_probs)
    ratio = target_probs / initial
    ratio = tf.where(v1.is_nan(ratio), v1.zeros_like(ratio), ratio)
    chances = ratio / v1.reduce_max(ratio)
    rejected = v1.reduce_sum((1 - chances) * initial)
    warning = "Proportion of examples rejected by sampler is high."
    return v1.cond(
        v1.less(rejected, 0.5), lambda: chances, lambda: v1.Print(chances, [chances], message=warning, first_n=10)
    )


def _check_rows(tensor: Any, expected: Any) -> None:
    """Raises ValueError if `tensor` and `expected` have different numbers of rows."""
    shape = tensor.get_shape().with_rank_at_least(1)
    tf.TensorShape([shape[0]]).assert_is_compatible_with(tf.TensorShape([expected.get_shape()[0]]))
