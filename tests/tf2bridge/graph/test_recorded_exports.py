"""Every recorded graph compiled by XLA, written as a SavedModel of TensorFlow 2 and as TFLite, against its release.

Each table names the models of which TensorFlow 2.21 cannot make that, and the words in which it says so. A few models
stand for all in the usual run; the rest is "soak".
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.graph.recorded import ALL, Recorded, unpacked

OF_THE_HOST = "table|vocabulary|python_function|hub_|several_graphs|iterator_|quantized_|fused_(pad|resize)"
"""Text, tables, Python, 8 bit: neither XLA nor TFLite alone has that; what loads them has its tests."""

NOT_COMPILED = {
    "block_lstm(_peepholes|_trained)?$": "BlockLSTM",  # the whole sequence is one operation, of the CPU and GPU only
    "loop_growing$": "shapes of loop body do not match",  # XLA knows no value that grows
}

NOT_BUILT_IN = {
    "rnn_(?!static)|block_\\w+_cell|cudnn_|arrays": "TensorListReserve",  # lists of elements of static shapes only
    "/embeddings": "DynamicPartition",
    "0.12.1/convnet": "Conv2D",
    "fake_quantization": "FakeQuantWithMinMaxVars",  # its range is a variable
    "(1.4.1|1.12.3|1.15.5)/convnet_batch_norm": "IF",  # FusedBatchNorm of training, in a branch
}
"""What TFLite runs with TensorFlow's kernels only, which the interpreter in Python lacks."""

SAMPLE = (
    "0.12.1/loop_nested", "0.12.1/embeddings", "1.4.1/convnet_batch_norm", "1.4.1/block_lstm",
    "1.12.3/rnn_lstm_lengths", "1.12.3/loop_growing", "1.15.5/condition", "1.15.5/cudnn_lstm", "1.15.5/mlp_adam",
)  # fmt: skip
"""One of each kind, and one of each table."""


def reason(model: Recorded, table: dict[str, str]) -> str:
    """The words of the error that a table expects, "" for none."""
    return next((why for names, why in table.items() if re.search(names, model.name)), "")


def assert_close(ours: Any, expected: Any) -> None:
    np.testing.assert_allclose(ours, expected, rtol=1e-5, atol=1e-6)


@pytest.fixture(
    params=[
        pytest.param(name, marks=[] if name in SAMPLE else [pytest.mark.soak])
        for name in ALL
        if not re.search(OF_THE_HOST, name)
    ],
    scope="module",
)
def model(request: Any, tmp_path_factory: Any) -> Recorded:
    return unpacked(request.param, tmp_path_factory.getbasetemp())


def loaded(model: Recorded, outputs: list[str]) -> Any:
    return tf2bridge.load(model.folder / "model.ckpt.meta", inputs=list(model.tensors("in").values()), outputs=outputs)


def test_xla_computes_the_same(model: Recorded) -> None:
    module = loaded(model, list(model.tensors("out").values()))
    compiled = tf.function(module.call, jit_compile=True, autograph=False)
    feeds = [tf.constant(value) for value in model.part("in").values()]
    if why := reason(model, NOT_COMPILED):
        with pytest.raises(tf.errors.InvalidArgumentError, match=why):
            compiled(*feeds)
        return
    for result, expected in zip(compiled(*feeds), model.part("out").values(), strict=True):
        assert_close(result, expected)


def test_a_saved_model_computes_the_same(model: Recorded, tmp_path: Path) -> None:
    module = loaded(model, list(model.tensors("out").values()))
    module.export(tmp_path / "new")
    again = tf.saved_model.load(tmp_path / "new")
    result = again.serve(*(tf.constant(value) for value in model.part("in").values()))
    for name, expected in zip(module.outputs, model.part("out").values(), strict=True):
        assert_close(result[name], expected)


def test_tflite_computes_the_same(model: Recorded, tmp_path: Path) -> None:
    first, end = sorted(model.tensors("out").items())[0]
    module = tf2bridge.load(model.folder / "model.ckpt.meta", outputs=[end])
    module.export(tmp_path / "new.tflite", "tflite")
    interpreter = tf.lite.Interpreter(str(tmp_path / "new.tflite"))
    if why := reason(model, NOT_BUILT_IN):
        used = {detail["op_name"] for detail in interpreter._get_ops_details()}
        assert any(re.search(why, name) for name in used), sorted(used)
        return
    run = interpreter.get_signature_runner("serving_default")
    given = {model.tensors("in")[name]: value for name, value in model.part("in").items()}
    feeds = {re.sub(r"\W", "_", source.removesuffix(":0")): value for source, value in given.items()}
    (result,) = run(**{name: np.asarray(feeds[name]) for name in run.get_input_details()}).values()
    assert_close(result, model.part("out")[first])
