"""Input that a tf.data pipeline cannot give is refused, with all that stands against it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tf2bridge import v1 as tf1
from tf2bridge.train import dataset_from_queues
from tf2bridge.train.queues.refusals import NoTensorsError, PipelineError, UndeterminedOrderError


def _numbers(count: int = 6) -> Any:
    return tf1.train.range_input_producer(count, num_epochs=1, shuffle=False).dequeue()


def _not_understood() -> list[Any]:
    fed = tf1.placeholder(tf1.float32, [], "fed_by_hand")
    own = tf1.FIFOQueue(3, [tf1.float32], [[]], name="filled_by_the_program")
    own.enqueue(fed)
    first = tf1.PriorityQueue(5, [tf1.int32], [[]], name="by_priority")
    number = tf1.cast(_numbers(), tf1.int64)
    tf1.train.add_queue_runner(tf1.train.QueueRunner(first, [first.enqueue([number, tf1.cast(number, tf1.int32)])]))
    reader = tf1.LMDBReader(name="of_a_database")
    result = reader.read(tf1.train.string_input_producer(["a"], shuffle=False))
    tf1.write_file("never", "written", name="writes")
    return [own.dequeue(), first.dequeue()[1], result[1], tf1.train.batch([fed], 2), own.size(name="its_size")]


def test_all_that_is_not_understood_is_named_at_once() -> None:
    with pytest.raises(PipelineError) as raised:
        dataset_from_queues(_not_understood)
    text = str(raised.value)
    for name in ("filled_by_the_program", "by_priority", "of_a_database", "fed_by_hand", "its_size"):
        assert name in text


def _two_threads() -> Any:
    return tf1.train.batch([_numbers()], 2, num_threads=2, name="by_two")


def _joined() -> Any:
    queue = tf1.train.range_input_producer(6, num_epochs=1, shuffle=False, name="shared")
    return tf1.train.batch_join([[queue.dequeue()], [queue.dequeue() + 1]], 2)


def _shuffled() -> Any:
    return tf1.train.shuffle_batch([_numbers()], 2, capacity=6, min_after_dequeue=2, seed=1, name="shuffling")


def _noise_twice() -> Any:
    noise = tf1.random_uniform([], seed=1, name="noise")
    return tf1.train.batch([_numbers() * 0 + tf1.cast(noise, tf1.int32)], 2), noise


@pytest.mark.parametrize(
    ("build", "named"),
    [
        (_two_threads, "2 threads fill by_two/fifo_queue"),
        (_joined, "take from shared"),
        (_shuffled, "shuffling/random_shuffle_queue"),
        (_noise_twice, "noise/RandomUniform is run by several steps"),
    ],
    ids=["threads", "takers", "shuffling", "random"],
)
def test_an_order_that_nothing_determines_is_refused(build: Callable[[], Any], named: str) -> None:
    with pytest.raises(UndeterminedOrderError, match=named) as raised:
        dataset_from_queues(build)
    assert 'order="any"' in str(raised.value)
    assert list(dataset_from_queues(build, order="any").take(1))


def test_those_who_share_a_shuffled_queue_without_a_seed_get_each_element_once() -> None:
    def build() -> Any:
        queue = tf1.train.range_input_producer(9, num_epochs=2)
        return tf1.train.batch_join([[queue.dequeue()] for _ in range(3)], 1)

    result = [int(queue[0]) for queue in dataset_from_queues(build, order="any")]
    assert sorted(result) == sorted(2 * list(range(9)))


def test_a_step_that_changes_a_variable_is_refused() -> None:
    def build() -> Any:
        number, count = _numbers(), tf1.get_variable("count", initializer=0)
        with tf1.control_dependencies([tf1.assign_add(count, 1, name="counts")]):
            return tf1.identity(number)

    with pytest.raises(PipelineError, match="counts"):
        dataset_from_queues(build)


def test_tensors_of_a_graph_may_be_given() -> None:
    with tf.Graph().as_default():
        number = _numbers()
        batch = tf1.train.maybe_batch({"x": number, "y": number * 2}, number > 1, 2)
    result = dataset_from_queues([batch, [batch["x"]]])
    assert [np.stack([item["x"], item["y"]]).tolist() for item, _ in result] == [[[2, 3], [4, 6]], [[4, 5], [8, 10]]]
    spec = tf.TensorSpec([2], tf.int32)
    assert result.element_spec == ({"x": spec, "y": spec}, (spec,))


@pytest.mark.parametrize("given", [None, [], tf.constant(1), 3.0], ids=["none", "nothing", "eager", "number"])
def test_what_holds_no_tensors_of_a_graph_is_refused(given: Any) -> None:
    with pytest.raises(NoTensorsError, match=r"tensors of a tf\.Graph"):
        dataset_from_queues(given)
    with pytest.raises(NoTensorsError, match=r"tensors of a tf\.Graph"):
        dataset_from_queues(lambda: given)


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(ValueError, match="'same' or 'any'"):
        dataset_from_queues(_two_threads, order="random")  # type: ignore[arg-type]
