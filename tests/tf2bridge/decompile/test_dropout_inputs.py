"""Probabilities of dropout among the inputs, which no name tells: 1 if it is kept, 0 if it is dropped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tf2bridge import v1
from tf2bridge.decompile.dropout_inputs import probabilities
from tf2bridge.decompile.of_module import function_of_module
from tf2bridge.decompile.refusals import ExampleError

SPECS = {"rows": tf.TensorSpec([None, 4]), "dropout": tf.TensorSpec([])}


def kept(rows: Any, dropout: Any) -> Any:
    """Dropout as TensorFlow up to 1.12 has it."""
    return tf.math.floor(dropout + tf.random.uniform(tf.shape(rows))) * rows / dropout


def left_out(rows: Any, dropout: Any) -> Any:
    """Dropout as TensorFlow from 1.13 on has it."""
    return tf.where(tf.random.uniform(tf.shape(rows)) >= dropout, rows / (1.0 - dropout), tf.zeros_like(rows))


def kept_of_rate(rows: Any, dropout: Any) -> Any:
    return kept(rows, 1.0 - dropout)


@pytest.mark.parametrize(("build", "value"), [(kept, 1), (left_out, 0), (kept_of_rate, 0)])
def test_the_graph_tells_what_a_probability_is_of(build: Any, value: int) -> None:
    assert probabilities(function_of_module(tf2bridge.wrap(build, inputs=SPECS))) == {"dropout": value}


def test_a_keep_probability_that_is_called_dropout(tmp_path: Path) -> None:
    def build(rows: Any, dropout: Any) -> Any:
        y = v1.layers.dense(kept(rows, dropout), 2, name="out")
        v1.train.AdamOptimizer(0.1).minimize(v1.reduce_mean(v1.square(y)), name="train")
        return y

    done = tf2bridge.decompile(tf2bridge.wrap(build, inputs=SPECS), tmp_path / "package", train=True, worst=0)
    with np.load(done.path / "recorded.npz") as recorded:
        assert recorded["in dropout"] == 1


def test_a_step_that_is_finite_on_no_inputs(tmp_path: Path) -> None:
    def build(rows: Any) -> Any:
        y = v1.layers.dense(rows, 2, name="out")
        v1.train.GradientDescentOptimizer(0.1).minimize(v1.reduce_mean(v1.sqrt(0.0 * y)), name="train")
        return y

    module = tf2bridge.wrap(build, inputs={"rows": tf.TensorSpec([None, 4])})
    with pytest.raises(ExampleError, match=r"makes numbers of out/\w+ that are not finite.*give examples of rows"):
        tf2bridge.decompile(module, tmp_path / "package", train=True)
    assert not (tmp_path / "package").exists()
