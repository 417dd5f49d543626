"""Operations that TFLite does not know, in others. Graphs of the releases: test_recorded_exports, test_cells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.graph.recorded import unpacked
from tests.tf2bridge.graph.test_load import write
from tf2bridge.graph.passes.tflite_forms import TFLITE_FORMS
from tf2bridge.graph.refusals import InputMismatchError

v1 = tf.compat.v1


@pytest.mark.parametrize("op", ["Mod", "TruncateMod"])
@pytest.mark.parametrize("dtype", [tf.int32, tf.int64, tf.float32])
def test_what_is_left_has_the_sign_of_what_was_divided(op: str, dtype: tf.DType) -> None:
    x = tf.cast([-7, -6, -1, 0, 5, 7], dtype)[:, None]
    y = tf.cast([-3, 2, 7], dtype)
    x, y = (x * 0.7, y * 0.9) if dtype == tf.float32 else (x, y)
    kernel = {"Mod": tf.raw_ops.Mod, "TruncateMod": tf.raw_ops.TruncateMod}[op]
    (result,) = TFLITE_FORMS[op]({}, x, y)
    np.testing.assert_array_equal(result, kernel(x=x, y=y))


@pytest.mark.parametrize("time", [4, None], ids=["written out", "as a loop"])
@pytest.mark.parametrize(("peephole", "clip", "length"), [(False, -1.0, 4), (True, 0.2, 3)])
def test_a_network_in_one_operation(time: int | None, peephole: bool, clip: float, length: int) -> None:
    def values(seed: int, *shape: int) -> Any:
        return tf.constant(np.sin(np.arange(np.prod(shape)) * 0.7 + seed).reshape(shape), tf.float32)

    options = {"use_peephole": peephole, "cell_clip": clip, "forget_bias": 0.5}
    given = [values(0, 4, 2, 3), values(1, 2, 5), values(2, 2, 5), values(3, 8, 20)]
    given += [values(4, 5), values(5, 5), values(6, 5), values(7, 20)]
    names = ("x", "cs_prev", "h_prev", "w", "wci", "wcf", "wco", "b")
    kernel = tf.raw_ops.BlockLSTM(seq_len_max=length, **dict(zip(names, given, strict=True)), **options)
    specs = [tf.TensorSpec([time, *item.shape[1:]] if not place else item.shape) for place, item in enumerate(given)]
    ours = tf.function(
        lambda *inputs: TFLITE_FORMS["BlockLSTM"](options, tf.constant(length, tf.int64), *inputs), specs
    )
    result = ours(*given)
    for one, expected in zip(result, kernel, strict=True):  # behind the length the kernel writes but cells and outputs
        np.testing.assert_allclose(one[:length], expected[:length], rtol=1e-5, atol=1e-6)
    for place in (1, 6):
        np.testing.assert_array_equal(result[place][length:], kernel[place][length:])


@pytest.mark.parametrize("name", ["0.12.1/rnn_gru", "1.15.5/rnn_lstm"])
def test_networks_over_time_are_built_in_where_the_batch_is_known(name: str, tmp_path: Path) -> None:
    model = unpacked(name, tmp_path)
    module = tf2bridge.load(model.folder / "model.ckpt.meta", outputs=["last"])
    feeds = {input_: np.asarray(model.part("in")[input_]) for input_ in module.inputs}
    module.export(tmp_path / "new.tflite", "tflite", shapes={item: value.shape for item, value in feeds.items()})
    run = tf.lite.Interpreter(str(tmp_path / "new.tflite")).get_signature_runner("serving_default")
    np.testing.assert_allclose(run(**feeds)["last"], model.part("out")["last"], rtol=1e-5, atol=1e-6)


def test_a_shape_that_the_graph_leaves_open_may_be_given(tmp_path: Path) -> None:
    def build() -> None:
        x = v1.placeholder(tf.float32, [None, 3], name="x")
        tf.reduce_sum(x, name="y")

    module = tf2bridge.load(write(tmp_path / "graph.pb", build), outputs=["y"])
    module.export(tmp_path / "new.tflite", "tflite", shapes={"x": [2, 3]})
    run = tf.lite.Interpreter(str(tmp_path / "new.tflite")).get_signature_runner("serving_default")
    assert [detail["shape_signature"].tolist() for detail in run.get_input_details().values()] == [[2, 3]]
    for shapes in ({"x": [2, 4]}, {"z": [2, 3]}):
        with pytest.raises(InputMismatchError):
            module.export(tmp_path / "new.tflite", "tflite", shapes=shapes)
    with pytest.raises(ValueError, match="for the format tflite"):
        module.export(tmp_path / "new", "saved_model", shapes={"x": [2, 3]})
