"""What is compared of many runs: read from genuine traces."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.trajectories.quantities import WEIGHTS, of_trace, over_runs

LEGACY = Path(__file__).parents[4] / "fixtures/legacy"


def test_each_fetched_number_and_the_weights() -> None:
    trace = Trace(LEGACY / "mnist_towers/genuine/mnist_towers.trace")
    result = of_trace(trace)
    losses = [
        float(trace.value(leaf.value))
        for call in trace.program_calls
        for leaf in call.fetches
        if leaf.name == "mean_loss:0" and leaf.value is not None
    ]
    assert len(losses) == 24
    assert result["mean_loss:0, last tenth"] == pytest.approx(np.mean(losses[-2:]))
    weights = [trace.value(v.final) for v in trace.graphs[0].variables if v.trainable and v.final is not None]
    assert len(weights) == 7  # background, and weights and biases of conv1, local2 and softmax_linear
    assert result[WEIGHTS] == pytest.approx(
        math.sqrt(sum(float((weight.astype(float) ** 2).sum()) for weight in weights))
    )


def test_quantities_that_not_all_runs_have_are_left_out() -> None:
    assert over_runs([{"a": 1.0, "b": 2.0}, {"a": 3.0}]) == {"a": [1.0, 3.0]}
    assert over_runs([]) == {}
