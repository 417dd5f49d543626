"""What genuine 0.12.1, 1.4.1, 1.12.3 and 1.15.5 wrote and computed: loaded, called, differentiated and trained here.

The models and their values are fixtures/graphs, recorded by fixtures/graphs/record.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.graph.recorded import ALL, Recorded, unpacked
from tf2bridge.errors import BridgeError

UNFREEZABLE = {
    "counters": "would change a constant",
    "convnet_batch_norm": "would change a constant",
    "1.4.1/resources": "w have no value",
    "vocabulary": "nothing in the graph fills it",
    "vocabulary_buckets": "nothing in the graph fills it",
    "table_columns": "nothing in the graph fills it",
    "table_in_control_flow": "nothing in the graph fills it",
    "hub_text": "nothing in the graph fills it",
    "0.12.1/function_library": "outer_.* is no operation",
    "0.12.1/function_trained": "layer_.* is no operation",
    "0.12.1/function_in_loop": "layer_.* is no operation",
    "function_of_2": "passed float from w:0 incompatible with expected resource",
    "0.12.1/function_with_gradient": "Clipped .* is no operation",
}
"""Graphs that the releases froze into something which they could not run either, and why."""


@pytest.fixture(params=ALL, scope="module")
def model(request: Any, tmp_path_factory: Any) -> Recorded:
    return unpacked(request.param, tmp_path_factory.getbasetemp())


def loaded(model: Recorded, name: str = "model.ckpt.meta", fetches: list[str] | None = None) -> Any:
    fetches = list(model.tensors("out").values()) if fetches is None else fetches
    inputs = list(model.tensors("in").values())
    return tf2bridge.load(model.folder / name, inputs=inputs, outputs=fetches, py_funcs=model.py_funcs)


ROUNDING = 2e-6
"""A sum of products is rounded in proportion to its largest terms, not to what is left of them: 2e-6 of the largest
number, 17 roundings of float32. TensorFlow 1.15 chose its order of summing by the processor (oneDNN within Eigen's
products), and what was recorded on one is off by 1.9e-6 on another after a step of training rnn_layer_norm.
"""


def assert_close(ours: Any, expected: Any) -> None:
    if expected.dtype.kind == "S":
        np.testing.assert_array_equal(np.asarray(ours).astype("S"), expected)
        return
    np.testing.assert_allclose(ours, expected, rtol=1e-5, atol=rounding(expected))


def rounding(expected: Any) -> float:
    """What is allowed of an array whatever the size of its element."""
    return ROUNDING * float(np.max(np.abs(expected), initial=1.0))


def test_outputs_and_gradients_are_those_of_the_release(model: Recorded) -> None:
    module = loaded(model)
    function = module.function(list(model.tensors("in").values()), list(model.tensors("out").values()))
    feeds = list(model.part("in").values())
    with tf.GradientTape() as tape:
        result = dict(zip(model.tensors("out"), function(*feeds), strict=True))
        total = tf.reduce_sum(result[sorted(result)[0]])
    for name, value in model.part("out").items():
        assert_close(result[name], value)
    variables = {variable.name.removesuffix(":0"): variable for variable in module.variables}
    wanted = model.part("grad")
    if not wanted:
        return
    for gradient, value in zip(
        tape.gradient(total, [variables[name] for name in wanted]), wanted.values(), strict=True
    ):
        assert_close(tf.convert_to_tensor(gradient), value)


def test_a_training_step_is_that_of_a_session_and_of_the_release(model: Recorded) -> None:
    if not model.train:
        pytest.skip("the model has no train op")
    module = loaded(model)
    before = [variable.numpy() for variable in module.variables]
    feeds = dict(zip(model.tensors("in").values(), model.part("in").values(), strict=True))
    with module.session() as session:
        session.run(model.train, feeds)
    in_session = {variable.name: variable.numpy() for variable in module.variables}
    for variable, value in zip(module.variables, before, strict=True):
        variable.assign(value)
    module.function(list(feeds), [model.train])(*feeds.values())
    for variable in module.variables:
        np.testing.assert_allclose(variable.numpy(), in_session[variable.name], rtol=1e-6, atol=1e-8)
        expected = model.part("after")[variable.name.removesuffix(":0")]
        np.testing.assert_allclose(variable, expected, rtol=1e-5, atol=rounding(expected))


def test_the_frozen_graph_computes_the_same(model: Recorded) -> None:
    if reason := UNFREEZABLE.get(model.name.partition("/")[2]) or UNFREEZABLE.get(model.name):
        with pytest.raises(BridgeError, match=reason):
            loaded(model, "frozen.pb")
        return
    if model.name.endswith("/table_mutable"):
        pytest.skip("what tables that change hold is in the checkpoint")
    module = loaded(model, "frozen.pb")
    assert module.variables == ()
    outputs = module.function(list(model.tensors("in").values()), list(model.tensors("out").values()))(
        *model.part("in").values()
    )
    for value, expected in zip(outputs, model.part("out").values(), strict=True):
        assert_close(value, expected)


def test_the_saved_model_has_its_signature_and_values(model: Recorded) -> None:
    if not (model.folder / "saved_model").is_dir():
        pytest.skip("the release wrote no SavedModels")
    module = tf2bridge.load(model.folder / "saved_model", py_funcs=model.py_funcs)
    assert set(module.inputs) == set(model.part("in"))
    result = module(model.part("in"))
    result = result if isinstance(result, dict) else dict.fromkeys(model.part("out"), result)
    for name, expected in model.part("out").items():
        assert_close(result[name], expected)
