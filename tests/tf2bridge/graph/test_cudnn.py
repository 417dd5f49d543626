"""Recurrent networks of cuDNN without it. What the releases computed with the same weights: test_recorded_graphs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.graph.recorded import unpacked
from tests.tf2bridge.graph.test_load import write
from tf2bridge.graph.refusals import UnsupportedOpsError

v1 = tf.compat.v1


@pytest.mark.parametrize("name", ["1.12.3/cudnn_lstm", "1.15.5/cudnn_lstm", "1.12.3/cudnn_gru", "1.15.5/cudnn_gru"])
def test_a_checkpoint_of_plain_cells_is_read_and_written_again(
    name: str, tmp_path: Path, tmp_path_factory: Any
) -> None:
    model = unpacked(name, tmp_path_factory.getbasetemp())
    module = tf2bridge.load(model.folder / "model.ckpt", outputs=[model.tensors("out")["y"]])
    (opaque,) = module.variables
    assert opaque.name == "net/cudnn/opaque_kernel:0"
    module.save(tmp_path / "again.ckpt")
    theirs, again = (
        tf.train.load_checkpoint(str(path)) for path in (model.folder / "model.ckpt", tmp_path / "again.ckpt")
    )
    for key in theirs.get_variable_to_shape_map():
        np.testing.assert_allclose(again.get_tensor(key), theirs.get_tensor(key), rtol=1e-6, atol=1e-7)
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(module(model.part("in")["x"]))
    assert np.all(np.abs(tape.gradient(total, opaque)).max() > 0.1)


def network(mode: str = "lstm", lengths: list[int] | None = None, **options: Any) -> Any:
    """Builds two layers of 2 units on x [4, 2, 3], their parameters an input, and the gradients of all of it."""
    both = 2 if options.get("direction") == "bidirectional" else 1
    gates = {"lstm": 4, "gru": 3}.get(mode, 1)
    size = both * gates * 2 * (3 + 2 + 2) + both * gates * 2 * (2 * both + 2 + 2)

    def build() -> None:
        x, params = v1.placeholder(tf.float32, [4, 2, 3], name="x"), v1.placeholder(tf.float32, [size], name="params")
        state = tf.fill([2 * both, 2, 2], 0.25)
        given = {"input": x, "input_h": state, "input_c": state, "params": params, "rnn_mode": mode, **options}
        if lengths is None:
            result = tf.raw_ops.CudnnRNNV2(**given)
        else:
            result = tf.raw_ops.CudnnRNNV3(**given, sequence_lengths=lengths)
        ends = [result[0], result[1]] + ([result[2]] if mode == "lstm" else [])
        total = tf.add_n([tf.reduce_sum(tf.sin(end + 0.5)) for end in ends], name="total")
        for place, gradient in enumerate(v1.gradients(total, [x, params])):
            tf.identity(gradient, name=f"gradient_{place}")
        tf.identity(result[0], name="output")
        tf.raw_ops.CudnnRNNParamsSize(
            num_layers=2, num_units=2, input_size=3, T=tf.float32, S=tf.int32, rnn_mode=mode, name="size",
            direction=options.get("direction", "unidirectional"),
        )  # fmt: skip

    x = np.cos(np.arange(24, dtype=np.float32)).reshape(4, 2, 3)
    return build, x, np.sin(np.arange(size, dtype=np.float32))


@pytest.mark.parametrize(
    ("mode", "direction"),
    [
        ("lstm", "bidirectional"),
        ("gru", "unidirectional"),
        ("rnn_tanh", "bidirectional"),
        ("rnn_relu", "unidirectional"),
    ],
)
def test_the_recorded_gradient_is_the_numerical_one(mode: str, direction: str, tmp_path: Path) -> None:
    build, x, params = network(mode, direction=direction)
    module = tf2bridge.load(write(tmp_path / "graph.pb", build), outputs=["total:0"], inputs=["x:0", "params:0"])
    backprop = module.function(["x:0", "params:0"], ["gradient_0:0", "gradient_1:0", "size:0"])
    *ours, size = backprop(x, params)
    assert size.numpy().tolist() == [params.size]
    with tf.GradientTape() as tape:
        given = [tf.constant(x), tf.constant(params)]
        tape.watch(given)
        total = module(*given)
    for through_tape, recorded in zip(tape.gradient(total, given), ours, strict=True):
        np.testing.assert_allclose(through_tape, recorded, rtol=1e-5, atol=1e-6)
    for place in (0, 7, 20, params.size - 1):
        step = np.zeros_like(params)
        step[place] = 1e-2
        slope = (module(x, params + step) - module(x, params - step)) / 2e-2
        np.testing.assert_allclose(ours[1][place], slope, rtol=1e-3, atol=2e-3)


def test_behind_the_length_of_a_sequence_nothing_is_computed(tmp_path: Path) -> None:
    build, x, params = network("lstm", [4, 2], direction="bidirectional")
    module = tf2bridge.load(write(tmp_path / "graph.pb", build), outputs=["output:0"], inputs=["x:0", "params:0"])
    outputs, x_short = module(x, params).numpy(), x.copy()
    x_short[2:, 1] = 99.0
    np.testing.assert_array_equal(module(x_short, params), outputs)
    np.testing.assert_array_equal(outputs[2:, 1], np.zeros((2, 4)))
    assert np.all(outputs[:2, 1] != 0)


@pytest.mark.parametrize(
    ("options", "why"), [({"input_mode": "skip_input"}, "skip_input"), ({"dropout": 0.5}, "with dropout")]
)
def test_what_cannot_be_told_is_refused(options: dict[str, Any], why: str, tmp_path: Path) -> None:
    build, _, _ = network("lstm", **options)
    with pytest.raises(UnsupportedOpsError, match=why):
        tf2bridge.load(write(tmp_path / "graph.pb", build), outputs=["gradient_0:0"])
