"""The files that stand in every package: they repeat a fact of tf2bridge, which they cannot import."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tf2bridge.decompile.emitted import normalization, weights
from tf2bridge.decompile.emitted import test_model as emitted_test
from tf2bridge.formats.checkpoints import safetensors_file


def test_types_are_those_that_are_written() -> None:
    assert weights.TYPES == safetensors_file.TYPES


def test_weights_are_made_of_old_variables() -> None:
    first, second = np.arange(8.0).reshape(2, 4), np.arange(4.0).reshape(2, 2)
    bias = np.arange(4.0)
    assert weights.transformed([first, second], "rows 1:2, blocks 2 0 1").tolist() == [[2, 3, 4, 5, 6, 7]]
    assert weights.transformed([bias], "blocks 1 0, add 0 0.5").tolist() == [2, 3, 0.5, 1.5]
    assert weights.transformed([bias], "blocks 1 0, add 0 0.5", is_gradient=True).tolist() == [2, 3, 0, 1]


@pytest.mark.parametrize("kind", [bool, tf.constant])
def test_moving_averages_are_those_of_the_fused_operation(kind: Any) -> None:
    images = np.random.default_rng(1).normal(3, 2, [2, 3, 2, 4]).astype(np.float32)
    fused = tf.raw_ops.FusedBatchNorm(
        x=images, scale=tf.ones([4]), offset=tf.zeros([4]), mean=tf.zeros([0]), variance=tf.zeros([0]), epsilon=0.001
    )
    layer = normalization.BatchNormalization(momentum=0.75)
    layer.build(images.shape)
    call = tf.function(lambda x, training: layer(x, training=training), autograph=False)
    assert call(images, kind(False)).numpy() == pytest.approx(images / np.sqrt(np.float32(1.001)), rel=1e-5)
    assert not layer.moving_mean.numpy().any()
    assert call(images, kind(True)).numpy() == pytest.approx(fused.y.numpy(), rel=1e-5, abs=1e-5)
    assert layer.moving_mean.numpy() == pytest.approx(0.25 * fused.batch_mean.numpy(), rel=1e-5)
    assert layer.moving_variance.numpy() == pytest.approx(0.75 + 0.25 * fused.batch_variance.numpy(), rel=1e-5)


def test_a_gradient_that_is_rounding_is_compared_with_the_largest_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded = {"gradient kernel": np.float32([9, 2]), "gradient bias": np.float32([2e-8]), "out 0": np.float32([1e-8])}
    computed = {
        "gradient kernel": np.float32([9, 2]),
        "gradient bias": np.float32([-2e-8]),
        "out 0": np.float32([2e-8]),
    }
    np.savez(tmp_path / "recorded.npz", **recorded)
    monkeypatch.setattr(emitted_test, "_RECORDED", tmp_path / "recorded.npz")
    monkeypatch.setattr(emitted_test, "computed", lambda _expected, _model: computed)
    monkeypatch.setattr(emitted_test, "load", lambda: None)
    measured = emitted_test.differences()
    assert measured["gradient kernel"] == 0
    assert measured["gradient bias"] == pytest.approx(4e-8 / (emitted_test.SMALL_GRADIENT * 9))
    assert measured["out 0"] == pytest.approx(1)
