"""What data sets say of themselves, convert and raise, as genuine TensorFlow 1.15.5 did when it ran these programs."""

from __future__ import annotations

import pytest

from tests import forked

START = """
import numpy as np
from tf2bridge import v1 as tf
tf.enable(api="1.15")
D, E = tf.data.Dataset, tf.data.experimental
"""

COUNTS = """
five, same = D.range(5), lambda x: x
outside = tf.get_variable("outside", [], tf.int64, use_resource=True)
cases = [
    five.map(same), five.map(same, 2), five.map_with_legacy_function(same), five.repeat().map(same),
    five.map(same).batch(2).map(same).repeat(3).prefetch(1).shuffle(4).cache(),
    D.zip((five.map(same), five.map(same).take(2))), five.map(same).concatenate(five.map(same).skip(1)),
    five.map(same).filter(lambda x: True), five.map(lambda x: tf.random_uniform([])), five.map(lambda x: x + outside),
    five.map(same).with_options(tf.data.Options()), five.map(same).window(2), five.map(same).padded_batch(2, []),
    five.map(same).apply(E.map_and_batch(same, 2)), five.map(same).apply(E.shuffle_and_repeat(4, 2)),
]
answers = [E.cardinality(case) for case in cases]
print([int(answer) for answer in (answers if tf.executing_eagerly() else tf.Session().run(answers))])
"""

COUNTED = "[5, 5, 5, -1, 9, 2, 9, -2, 5, 5, 5, 3, 3, 3, 10]"


@pytest.mark.parametrize("eager", [False, True])
def test_a_mapped_data_set_has_as_many_elements_as_its_input(eager: bool) -> None:
    program = COUNTS
    if eager:  # without get_variable, which the graph keeps
        program = "tf.enable_eager_execution()\n" + COUNTS.replace(
            'tf.get_variable("outside", [], tf.int64, use_resource=True)', "tf.Variable(np.int64(1))"
        )
    done = forked.run(START + program)
    assert done.stdout.strip() == COUNTED, done.stderr


def test_counting_leaves_the_seeds_of_later_operations_as_they_are() -> None:
    done = forked.run(
        START
        + """
tf.set_random_seed(1)
E.cardinality(D.range(5).map(lambda x: x).batch(2))
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))
"""
    )
    assert done.stdout.strip() == "9", done.stderr


def test_what_a_generator_yields_becomes_the_type() -> None:
    done = forked.run(
        START
        + """
def elements(values, *arguments):
    with tf.Graph().as_default(), tf.Session() as session:
        following = D.from_generator(lambda: iter(values), *arguments).make_one_shot_iterator().get_next()
        try:
            return [session.run(following).tolist() for _ in values]
        except tf.errors.OpError as error:
            return type(error).__name__ + " " + error.message.splitlines()[0]
print(elements([1.7, 2], tf.int64))
print(elements([3, 0], tf.bool))
print(elements(["12"], tf.int64))
print(elements([None], tf.float32))
print(elements([3], tf.string))
print(elements(["a"], tf.int64))
print(elements([[1, 2]], tf.float32, [3]))
"""
    )
    assert done.stdout.splitlines() == [
        "[1, 2]",
        "[True, False]",
        "[12]",
        "[nan]",
        "InternalError Unsupported object type int",
        "InvalidArgumentError TypeError: `generator` yielded an element that could not be converted to the expected "
        "type. The expected type was int64, but the yielded element was a.",
        "InvalidArgumentError ValueError: `generator` yielded an element of shape (2,) where an element of shape (3,) "
        "was expected.",
    ], done.stderr


@pytest.mark.parametrize("start", ["", "tf.enable_eager_execution()\n"])
def test_what_a_function_of_a_data_set_raises_keeps_its_class(start: str) -> None:
    done = forked.run(
        START
        + start
        + """
wrong = lambda x: tf.cast(tf.check_numerics(tf.cast(x, tf.float32) / 0., "wrong"), tf.int64)
cases = [
    D.range(3).map(wrong), D.range(3).map(wrong, 2), D.range(3).flat_map(lambda x: D.range(wrong(x))),
    D.range(3).apply(E.group_by_window(lambda x: x * 0, lambda key, window: window.batch(key), 2)),
    D.range(3).map(lambda x: tf.read_file(tf.as_string(x))),
]
for case in cases:
    try:
        if tf.executing_eagerly():
            list(case)
        else:
            tf.Session().run(case.make_one_shot_iterator().get_next())
    except tf.errors.OpError as error:
        print(type(error).__name__, error.message.splitlines()[0].rpartition("}} ")[2])
"""
    )
    texts = [
        "InvalidArgumentError wrong : Tensor had NaN values",
        "InvalidArgumentError wrong : Tensor had NaN values",
        "InvalidArgumentError wrong : Tensor had NaN values",
        "InvalidArgumentError Batch size must be greater than zero.",
        "NotFoundError 0; No such file or directory",
    ]
    assert done.stdout.splitlines() == texts, done.stderr


def test_options_that_contradict_each_other_are_an_error_and_those_of_a_data_set_can_be_changed() -> None:
    done = forked.run(
        START
        + """
def options(value, threads):
    made = tf.data.Options()
    made.experimental_deterministic = value
    made.experimental_threading.private_threadpool_size = threads
    return made
for these, those in [((True, 2), (False, 2)), ((True, 2), (True, 4)), ((True, 2), (True, 2))]:
    try:
        merged = D.range(3).with_options(options(*these)).with_options(options(*those)).options()
        print(merged.experimental_deterministic, merged.experimental_threading.private_threadpool_size)
    except ValueError as error:
        print(error)
changed = D.range(3).options()
changed.experimental_deterministic = False
changed.experimental_threading.private_threadpool_size = 2
print(D.range(3).with_options(changed).options().experimental_threading.private_threadpool_size)
"""
    )
    assert done.stdout.splitlines() == [
        "Cannot merge incompatible values (True and False) of option: experimental_deterministic",
        "Cannot merge incompatible values (2 and 4) of option: private_threadpool_size",
        "True 2",
        "2",
    ], done.stderr
