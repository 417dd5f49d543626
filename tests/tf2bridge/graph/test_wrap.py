"""`wrap`: TF 1.x graph-building code as a live module, in an eager process beside Keras 3."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tf2bridge import v1
from tf2bridge.graph.refusals import (
    BuildResultError,
    InputMismatchError,
    NotEagerError,
    UnfedPlaceholderError,
    UnsupportedOpsError,
)
from tf2bridge.graph.tf1_behaviour import tf1_ways
from tf2bridge.graph.wrap import wrap

X = np.linspace(-1.0, 1.0, 20, dtype=np.float32).reshape(5, 4)
SPEC = {"x": tf.TensorSpec([None, 4])}


def perceptron(x: Any) -> Any:
    """A test module that uses v1 names, as a program of 1.15 would be written."""
    width = x.shape[1].value
    hidden = v1.layers.dense(x, 2 * width, activation=v1.nn.relu, name="hidden")
    with v1.variable_scope("out"):
        w = v1.get_variable("w", [2 * width, 3], initializer=v1.contrib.layers.xavier_initializer(seed=1))
        b = v1.get_variable("b", [3], initializer=v1.zeros_initializer())
    return {"logits": v1.nn.xw_plus_b(hidden, w, b), "hidden": hidden}


def by_session(build: Callable[..., Any], module: Any, x: Any) -> tuple[Any, list[Any]]:
    """What a TF1 session computes for the same graph and the same values: the result, and gradients of its sum."""
    values = [variable.numpy() for variable in module.variables]
    with tf.Graph().as_default(), tf1_ways():
        feed = v1.placeholder(tf.float32, [None, *x.shape[1:]], "x")
        y = build(feed)
        gradients = v1.gradients(v1.reduce_sum(tf.nest.flatten(y)[-1] ** 2), v1.trainable_variables())
        with v1.Session() as session:
            for variable, value in zip(v1.global_variables(), values, strict=True):
                variable.load(value, session)
            return session.run([y, gradients], {feed: x})


def check_equals_session(build: Callable[..., Any], x: Any = X) -> None:
    module = wrap(build, inputs={"x": tf.TensorSpec([None, *x.shape[1:]])})
    expected, expected_gradients = by_session(build, module, x)
    with tf.GradientTape() as tape:
        result = module(x)
        loss = tf.reduce_sum(tf.nest.flatten(result)[-1] ** 2)
    for one, two in zip(tf.nest.flatten(result), tf.nest.flatten(expected), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-5, atol=1e-6)
    gradients = tape.gradient(loss, module.trainable_variables)
    for one, two in zip(gradients, expected_gradients, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-4, atol=1e-5)


def test_wrapping_calling_and_training_keras_3_in_one_process() -> None:
    import keras

    module = tf2bridge.wrap(perceptron, inputs={"x": tf.TensorSpec([None, 4])})
    names = ["hidden/kernel:0", "hidden/bias:0", "out/w:0", "out/b:0"]
    assert [variable.name for variable in module.variables] == names
    assert [variable.name for variable in module.trainable_variables] == names
    assert list(module.inputs) == ["x"]
    shapes = {name: spec.shape.as_list() for name, spec in module.outputs.items()}
    assert shapes == {"hidden": [None, 8], "logits": [None, 3]}
    assert module(X)["logits"].numpy().shape == (5, 3)

    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    losses = model.fit(X, X[:, :1], epochs=2, verbose=0).history["loss"]
    assert losses[1] < losses[0]
    assert tf.executing_eagerly()
    assert isinstance(tf.TensorShape([3])[0], int)
    assert module(x=X)["logits"].numpy().shape == (5, 3)


def test_values_and_gradients_equal_those_of_a_session() -> None:
    check_equals_session(lambda x: perceptron(x)["logits"])


def test_a_loop_and_a_condition() -> None:
    def build(x: Any) -> Any:
        w = v1.get_variable("w", [4, 4], initializer=v1.constant_initializer(0.3))
        _, y = v1.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, v1.tanh(v1.matmul(y, w))), [v1.constant(0), x])
        return v1.cond(v1.reduce_sum(y) > 100.0, lambda: -y, lambda: y * v1.get_variable("s", [], tf.float32))

    check_equals_session(build)


def test_a_recurrent_network_and_batch_normalization() -> None:
    def build(x: Any) -> Any:
        cell = v1.nn.rnn_cell.MultiRNNCell([v1.nn.rnn_cell.BasicLSTMCell(3), v1.nn.rnn_cell.GRUCell(2)])
        outputs, _ = v1.nn.dynamic_rnn(cell, x, dtype=tf.float32)
        return v1.layers.batch_normalization(outputs, training=True)

    check_equals_session(build, np.sin(np.arange(24, dtype=np.float32)).reshape(2, 3, 4))


def test_training_the_variables_changes_what_a_call_returns() -> None:
    module = wrap(lambda x: perceptron(x)["logits"], inputs=SPEC)
    before = module(X).numpy()
    module.variables[-1].assign_add([1.0, 2.0, 3.0])
    np.testing.assert_allclose(module(X) - before, np.tile([1.0, 2.0, 3.0], (5, 1)), rtol=1e-5, atol=1e-6)


def test_only_what_the_outputs_need_runs() -> None:
    def build(x: Any) -> Any:
        asked = v1.get_variable("asked", [], initializer=v1.zeros_initializer(), trainable=False)
        aside = v1.get_variable("aside", [], initializer=v1.zeros_initializer(), trainable=False)
        v1.assign_add(aside, 1.0)
        with v1.control_dependencies([v1.assign_add(asked, 1.0)]):
            return v1.identity(x)

    module = wrap(build, inputs=SPEC)
    module(X)
    module(X)
    assert [float(variable) for variable in module.variables] == [2.0, 0.0]
    assert module.trainable_variables == ()


def test_initial_values_come_from_the_graph() -> None:
    def build() -> Any:
        v1.set_random_seed(3)
        first = v1.get_variable("first", [3])
        second = v1.Variable(first.initialized_value() * 2.0, name="second")
        local = v1.get_local_variable("local", [], initializer=v1.ones_initializer())
        return first, [second + local]

    module = wrap(build)
    assert [variable.name for variable in module.variables] == ["first:0", "second:0", "local:0"]
    one, (two,) = module()
    np.testing.assert_allclose(two, one * 2.0 + 1.0, rtol=1e-6)


def test_an_input_may_itself_be_returned() -> None:
    module = wrap(lambda x: (x, x + 1.0), inputs=SPEC)
    one, two = module(X)
    np.testing.assert_array_equal(one, X)
    np.testing.assert_array_equal(two, X + 1.0)


def test_ops_that_touch_files_or_queues_are_refused_all_at_once() -> None:
    def build(x: Any) -> Any:
        queue = v1.FIFOQueue(3, tf.float32, name="queue")
        read = v1.strings.to_number(v1.read_file("numbers.txt", name="read"))
        inside = v1.cond(read > 0.0, lambda: v1.strings.to_number(v1.read_file("n.txt", name="inside")), lambda: 1.0)
        return queue.dequeue() + x + read + inside

    with pytest.raises(UnsupportedOpsError) as caught:
        wrap(build, inputs={"x": tf.TensorSpec([])})
    for part in ("queue (FIFOQueueV2) is a queue", "read (ReadFile) reads or writes files", "inside (ReadFile)"):
        assert part in str(caught.value)


def test_what_is_permitted_runs(tmp_path: Any) -> None:
    (tmp_path / "number.txt").write_text("2.5")

    def build(x: Any) -> Any:
        return x + v1.strings.to_number(v1.read_file(str(tmp_path / "number.txt")))

    assert float(wrap(build, inputs={"x": tf.TensorSpec([])}, allow_ops=["ReadFile"])(1.0)) == 3.5


def test_python_functions_of_the_code_are_called_also_in_a_condition() -> None:
    def build(x: Any) -> Any:
        rounded = v1.py_func(lambda a: np.round(a).astype(np.float32), [x], tf.float32)
        other = v1.cond(v1.reduce_sum(x) > 0.0, lambda: v1.py_func(lambda: np.float32(1), [], tf.float32), lambda: -1.0)
        return rounded, other

    module = wrap(build, inputs={"x": tf.TensorSpec([3])})
    another = wrap(lambda x: v1.py_func(np.negative, [x], tf.float32), inputs={"x": tf.TensorSpec([3])})
    gc.collect()
    for values, sign in ([0.4, 0.6, 1.7], 1.0), ([-0.4, -0.6, -1.7], -1.0):
        one, two = module(values)
        np.testing.assert_array_equal(one, np.round(values).astype(np.float32))
        assert float(two) == sign
        np.testing.assert_array_equal(another(values), -np.float32(values))


def test_an_initializer_that_reads_a_file_is_refused() -> None:
    def build() -> Any:
        return v1.Variable(v1.strings.to_number(v1.read_file("numbers.txt")), name="w") + 1.0

    with pytest.raises(UnsupportedOpsError, match="ReadFile"):
        wrap(build)


def test_a_placeholder_that_nothing_feeds_is_refused() -> None:
    with pytest.raises(UnfedPlaceholderError, match="keep_prob"):
        wrap(lambda x: x * v1.placeholder(tf.float32, name="keep_prob"), inputs=SPEC)


def test_results_that_are_no_tensors_are_refused() -> None:
    with pytest.raises(BuildResultError, match="returned None"):
        wrap(lambda x: None, inputs=SPEC)  # noqa: ARG005  # the input has to be taken
    with pytest.raises(BuildResultError, match="no tensor of the graph"):
        wrap(lambda x: v1.no_op(), inputs=SPEC)  # noqa: ARG005  # as above


def test_wrap_needs_an_eager_process() -> None:
    with tf.Graph().as_default(), pytest.raises(NotEagerError, match="call it outside"):
        wrap(perceptron, inputs=SPEC)


def test_calls_that_do_not_fit_name_the_inputs() -> None:
    module = wrap(lambda x: x, inputs=SPEC)
    for args, kwargs in [((), {}), ((X, X), {}), ((X,), {"x": X}), ((), {"y": X})]:
        with pytest.raises(InputMismatchError, match="the inputs are x"):
            module(*args, **kwargs)


def test_a_gradient_with_respect_to_an_embedding_as_one_tensor() -> None:
    def build() -> Any:
        table = v1.get_variable("table", [4, 2], initializer=v1.ones_initializer())
        outputs = v1.nn.embedding_lookup(table, v1.placeholder(tf.int32, [None], "ids"))
        return v1.convert_to_tensor(v1.gradients(v1.reduce_sum(outputs * outputs), table)[0])

    np.testing.assert_array_equal(wrap(build)([3, 1, 3]), [[0, 0], [2, 2], [0, 0], [4, 4]])
