"""What Estimators cannot do here is said at once, with what to do instead."""

from __future__ import annotations

import pytest

from tf2bridge import v1
from tf2bridge.estimator.refusals import DistributionUnavailableError


def test_distribution_strategies() -> None:
    with pytest.raises(DistributionUnavailableError, match="Leave these arguments out"):
        v1.estimator.RunConfig(train_distribute="a strategy")


def test_boosted_trees() -> None:
    with pytest.raises(AttributeError, match="tensorflow-decision-forests"):
        v1.estimator.BoostedTreesClassifier  # noqa: B018  # the name itself is refused
