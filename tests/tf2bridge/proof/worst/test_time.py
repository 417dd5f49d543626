"""The search ends in time: no gradient begins for which too little is left."""

from __future__ import annotations

import types
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tf2bridge.proof.worst import finding, search


@pytest.mark.parametrize(("seconds_of_a_run", "has_gradients"), [(0.01, True), (0.5, False)])
def test_a_gradient_begins_if_there_is_time_for_it(
    seconds_of_a_run: float, has_gradients: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    clock = types.SimpleNamespace(monotonic=lambda: now[0])
    monkeypatch.setattr(finding, "time", clock)
    monkeypatch.setattr(search, "time", clock)

    gradients = []

    @tf.custom_gradient
    def old(x: Any) -> Any:
        now[0] += seconds_of_a_run

        def gradient(upstream: Any) -> Any:
            gradients.append(upstream)
            return upstream * tf.cos(x)

        return tf.sin(x), gradient

    specs = {"x": tf.TensorSpec([2, 3])}
    start = {"x": np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)}
    worst = finding.worst_inputs(old, lambda x: tf.sin(x) + 1e-3 * x, specs=specs, starts=[start], seconds=2.0)
    assert worst.seconds < 2.0 + 3 * seconds_of_a_run
    assert bool(gradients) is has_gradients
