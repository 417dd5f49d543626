"""What Estimators cannot do here is said at once, with what to do instead."""

from __future__ import annotations

from typing import Any

import pytest

from tf2bridge import v1
from tf2bridge.estimator.refusals import (
    DevicesUnavailableError,
    DistributionUnavailableError,
)


def model_fn(features: Any, labels: Any, mode: str) -> Any:
    raise AssertionError(f"nothing is to be built: {features}, {labels}, {mode}")


def test_distribution_strategies() -> None:
    with pytest.raises(DistributionUnavailableError, match="Leave these arguments out"):
        v1.estimator.RunConfig(train_distribute="a strategy")


def test_several_devices() -> None:
    with pytest.raises(DevicesUnavailableError, match="2 devices"):
        v1.contrib.estimator.replicate_model_fn(model_fn, devices=["/cpu:0", "/cpu:1"])


def test_boosted_trees() -> None:
    with pytest.raises(AttributeError, match="tensorflow-decision-forests"):
        v1.estimator.BoostedTreesClassifier  # noqa: B018  # the name itself is refused
