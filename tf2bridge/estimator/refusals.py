"""What the estimators cannot do here: one class for each."""

from __future__ import annotations

from tf2bridge.errors import BridgeError


class DistributionUnavailableError(BridgeError):
    """A distribution strategy was given to RunConfig."""

    def __init__(self) -> None:
        super().__init__(
            "RunConfig was given a distribution strategy (train_distribute, eval_distribute or "
            "experimental_distribute); Estimators train on one device here. Leave these arguments out."
        )


class ClusterUnavailableError(BridgeError):
    """TF_CONFIG names a cluster."""

    def __init__(self, task_type: str, task_id: int) -> None:
        super().__init__(
            f"TF_CONFIG makes this process task {task_id} of {task_type!r} in a cluster, and train_and_evaluate runs "
            "in one process only. Take the cluster out of TF_CONFIG, or start a tf.train.Server in each task and call "
            "Estimator.train there yourself."
        )


class DevicesUnavailableError(BridgeError):
    """Several devices were given to replicate_model_fn."""

    def __init__(self, devices: list[str]) -> None:
        super().__init__(
            f"replicate_model_fn was given, or found, {len(devices)} devices ({', '.join(devices)}); a model_fn runs "
            "on one device here. Pass devices=[one of these]."
        )
