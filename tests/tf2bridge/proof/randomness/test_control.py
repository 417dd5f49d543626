"""What is counted and what it is called, what is refused, and that nothing is left of it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf

from tf2bridge import proof
from tf2bridge.proof.randomness.refusals import (
    DrawInLoopError,
    DrawInThreadError,
    DrawsDifferError,
    NestedControlError,
    UncontrolledCallError,
    UncontrolledDrawError,
)

v1 = tf.compat.v1


def hooked() -> list[Any]:
    """Attributes that a block replaces, as they are."""
    from keras.src.backend.common import global_state
    from keras.src.backend.tensorflow import random
    from tensorflow.python.client import session
    from tensorflow.python.ops import gen_random_ops, gen_stateless_random_ops, gen_stateless_random_ops_v2

    owners = [gen_random_ops, gen_stateless_random_ops, gen_stateless_random_ops_v2, random, session.BaseSession]
    owners += [tf.random.Generator, keras.src.backend.Variable, tf.raw_ops]
    uids = global_state.get_global_attribute("object_name_uids")
    return [*(dict(vars(owner)) for owner in owners), id(uids)]


@pytest.mark.parametrize("by", ["order", "name"])
def test_everything_is_put_back_after_an_error_too(by: str) -> None:
    keras.layers.Dense(1)
    before = hooked()
    with pytest.raises(ZeroDivisionError), proof.controlled_random(by=by):
        assert hooked() != before
        keras.layers.Dense(1).build((1, 2))
        raise ZeroDivisionError
    assert hooked() == before
    assert not np.array_equal(tf.random.uniform([9]), tf.random.uniform([9]))


def test_a_second_block_within_the_first_is_refused() -> None:
    with proof.controlled_random(), pytest.raises(NestedControlError, match=r"entered at .*test_control.py:\d+"):
        proof.controlled_random().__enter__()
    with proof.controlled_random():
        pass


def test_it_decorates_a_function() -> None:
    control = proof.controlled_random(5)

    @control
    def draw() -> Any:
        return tf.random.uniform([4]).numpy()

    assert draw().tolist() == draw().tolist()
    assert control.total == 1


def test_other_threads_are_refused_where_their_turn_is_chance() -> None:
    result: list[BaseException] = []

    def draw() -> None:
        try:
            tf.random.uniform([2])
        except DrawInThreadError as error:
            result.append(error)

    for by, refused in (("order", 1), ("name", 0)):
        result.clear()
        with proof.controlled_random(by=by):
            thread = threading.Thread(target=draw)
            thread.start()
            thread.join()
        assert len(result) == refused


def test_what_a_session_draws_is_numbered_as_it_runs() -> None:
    """Of one run the ops count in the order of their making, whatever the order of the fetches; the rest do not."""
    with proof.controlled_random(3) as control, tf.Graph().as_default(), v1.Session() as session:
        first, _, third = (v1.random_uniform([2], name=name) for name in "abc")
        session.run([third, first])
        session.run(first, {first: [1.0, 2.0]})
        one, two = session.run([first, first + 0.0])
        assert one.tolist() == two.tolist()
    assert [(draw.key, draw.name) for draw in control.draws] == [("0", "a"), ("1", "c"), ("2", "a")]


@pytest.mark.parametrize("by", ["order", "name"])
def test_an_op_may_draw_the_same_in_each_run(by: str) -> None:
    layer = keras.layers.Dropout(0.5, name="drop")
    traced = tf.function(lambda x: layer(x, training=True), autograph=False)
    ones, masks = tf.ones([64]), []
    with proof.controlled_random(3, by=by, fresh_per_run=False), tf.Graph().as_default(), v1.Session() as session:
        dropped = v1.nn.dropout(tf.ones([64]), rate=0.5, name="drop")
        masks += [session.run(dropped), session.run(dropped)]
    for call in (layer, traced):
        with proof.controlled_random(3, by=by, fresh_per_run=False):
            masks += [np.asarray(call(ones, training=True) if call is layer else call(ones)) for _ in range(2)]
    for mask in masks[1:]:
        np.testing.assert_array_equal(mask, masks[0])
    with proof.controlled_random(3, by=by):
        assert not np.array_equal(layer(ones, training=True), layer(ones, training=True))


def test_what_is_drawn_aside_takes_no_number() -> None:
    with proof.controlled_random(3):
        expected = [tf.random.uniform([2]).numpy().tolist() for _ in range(2)]
    with proof.controlled_random(3) as control:
        result = [tf.random.uniform([2]).numpy().tolist()]
        with control.aside():
            tf.random.normal([5])
        result.append(tf.random.uniform([2]).numpy().tolist())
    assert result == expected
    assert [draw.kind for draw in control.draws] == ["uniform", "uniform"]


def test_layers_are_numbered_from_the_start_by_name() -> None:
    """As each graph of TF 1.x numbers them, however many the process has made before."""
    keras.layers.Dense(3)
    expected = ["dense/kernel", "dense_1/kernel", "dropout", "dropout"]
    with proof.controlled_random(by="name") as new:
        layers = [keras.layers.Dense(3), keras.layers.Dropout(0.5), keras.layers.Dense(2)]
        model = keras.Sequential([keras.Input((4,)), *layers])
        for _ in range(2):
            model(np.ones([1, 4]), training=True)
    assert [draw.key for draw in new.draws] == expected
    assert [draw.run for draw in new.draws] == [0, 0, 0, 1]
    with proof.controlled_random(by="name") as old, tf.Graph().as_default(), v1.Session() as session:
        for name, shape in (("dense/weights", [4, 3]), ("dense_1/kernel", [3, 2])):
            v1.get_variable(name, shape, initializer=v1.glorot_uniform_initializer())
        dropped = v1.nn.dropout(tf.ones([1, 3]), rate=0.5)
        session.run(v1.global_variables_initializer())
        for _ in range(2):
            session.run(dropped)
    proof.same_draws(old.draws, new.draws, by="name")
    with pytest.raises(DrawsDifferError, match="draws differ at dropout, run 1: the old program draws uniform"):
        proof.same_draws(old.draws, new.draws[:-1], by="name")


@pytest.mark.filterwarnings("ignore::DeprecationWarning:gast")
def test_a_function_draws_as_often_as_it_runs() -> None:
    """A loop and a condition of a tf.function count what they execute, as eager code does."""

    def program(steps: Any) -> Any:
        total = tf.zeros([2])
        for step in tf.range(steps):
            if step % 2 == 0:
                total += tf.random.normal([2])
            else:
                total += tf.random.uniform([2])
        return total

    with proof.controlled_random(3) as eager:
        expected = program(tf.constant(5))
    with proof.controlled_random(3) as traced:
        result = tf.function(program)(tf.constant(5))
    np.testing.assert_array_equal(result, expected)
    proof.same_draws(eager.draws, traced.draws)
    assert [draw.kind for draw in traced.draws] == ["normal", "uniform", "normal", "uniform", "normal"]
    assert {draw.where.rpartition(":")[0] for draw in traced.draws} == {eager.draws[0].where.rpartition(":")[0]}


def test_loops_of_a_graph_are_refused() -> None:
    with (
        proof.controlled_random(),
        tf.Graph().as_default(),
        pytest.raises(DrawInLoopError, match=r"inside tf\.while_loop"),
    ):
        v1.while_loop(lambda x: x < 9.0, lambda x: x + v1.random_uniform([]), [tf.constant(0.0)])


def test_what_the_block_did_not_build_is_refused() -> None:
    graph = tf.Graph()
    with graph.as_default():
        drawn = v1.random_uniform([2], name="before")
    refused = pytest.raises(UncontrolledDrawError, match=r"before/RandomUniform \(RandomUniform\)")
    with proof.controlled_random(), v1.Session(graph=graph) as session, refused:
        session.run(drawn)
    with proof.controlled_random(allow_ops=["RandomUniform"]) as control, v1.Session(graph=graph) as session:
        assert session.run(drawn).shape == (2,)
    assert control.draws == ()


def test_xla_is_refused() -> None:
    """Its kernels make other floats of the same seed: 0.80 apart at most of five uniform numbers (2.21, CPU)."""
    with proof.controlled_random(), pytest.raises(UncontrolledCallError, match="jit_compile=False"):
        tf.function(lambda: tf.random.uniform([2]), jit_compile=True, autograph=False)()


def test_callables_are_fed_and_partial_runs_refused() -> None:
    with proof.controlled_random(3) as control, tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [])
        drawn = v1.random_uniform([2]) + x
        call = session.make_callable(drawn, [x])
        assert not np.array_equal(call(0.0), call(0.0))
        with pytest.raises(UncontrolledCallError, match="partial_run"):
            session.partial_run_setup([drawn], [x])
    assert control.total == 2


def test_data_pipelines_take_no_part() -> None:
    """`fit` shuffles by tf.data, ahead of training and in threads of its own."""
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dropout(0.5), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    with proof.controlled_random(3) as control:
        model.fit(np.ones([8, 4]), np.ones([8, 1]), batch_size=4, epochs=2, shuffle=True, verbose=0)
    assert [draw.shape for draw in control.draws] == [(4, 4)] * 4


ENABLED = """
import numpy as np, tensorflow as tf
from tf2bridge import proof, v1
v1.enable(api="{api}")
with proof.controlled_random(3) as control:
    tf1 = tf.compat.v1
    w = tf1.get_variable("w", [4, 3], initializer=v1.contrib.layers.xavier_initializer())
    dropped = tf1.nn.dropout(tf.ones([4, 16]), keep_prob=0.5)
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        print(session.run(w).tolist())
        print(session.run(dropped).tolist())
print([str(draw.kind) for draw in control.draws])
"""


@pytest.mark.parametrize("api", ["0.12", "1.15"])
def test_a_process_that_is_switched_to_a_release_draws_the_same(api: str) -> None:
    command = [sys.executable, "-W", "ignore", "-c", ENABLED.format(api=api)]
    root = str(Path(__file__).parents[4])
    environment = {**os.environ, "PYTHONPATH": root, "TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    with proof.controlled_random(3):
        w = keras.Variable(keras.initializers.GlorotUniform(), shape=(4, 3))
        dropped = keras.layers.Dropout(0.5)(tf.ones([4, 16]), training=True)
    lines = done.stdout.splitlines()
    assert lines[-3] == str(np.asarray(w.value).tolist())
    assert lines[-2] == str(np.asarray(dropped).tolist())
    assert lines[-1] == "['uniform', 'uniform']"
