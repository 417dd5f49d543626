"""Errors of the estimators: one class for each feature that is not available."""

from __future__ import annotations

from tf2bridge.errors import BridgeError


class DistributionUnavailableError(BridgeError):
    """A distribution strategy was given to RunConfig."""

    def __init__(self) -> None:
        super().__init__(
            "RunConfig was given a distribution strategy (train_distribute, eval_distribute or "
            "experimental_distribute); Estimators train on one device here. Leave these arguments out."
        )
