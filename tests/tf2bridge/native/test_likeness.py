"""Random first values of one distribution seldom count as drawn otherwise, and those of two do."""

from __future__ import annotations

import numpy as np
import pytest

from tf2bridge.native.likeness import unlike_draws

PAIRS = 5000


@pytest.mark.parametrize("size", [8, 12, 100])
def test_arrays_of_one_distribution_are_alike(size: int) -> None:
    random = np.random.default_rng(0)
    pairs = random.normal(size=(PAIRS, 2, size)).astype(np.float32)
    assert sum(unlike_draws(now, recorded) != "" for now, recorded in pairs) <= 2  # 28 of 8, where no t was taken


@pytest.mark.parametrize(("loc", "scale"), [(0.0, 2.0), (1.0, 1.0)])
def test_another_scale_or_mean_is_seen(loc: float, scale: float) -> None:
    random = np.random.default_rng(0)
    for _ in range(100):
        now, recorded = random.normal(loc, scale, size=200), random.normal(size=200)
        assert "drawn otherwise" in unlike_draws(now.astype(np.float32), recorded.astype(np.float32))
