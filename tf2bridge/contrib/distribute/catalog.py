"""`tf.contrib.distribute`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.distribute"
_STRATEGIES = (
    "CrossDeviceOps OneDeviceStrategy ReplicaContext get_loss_reduction get_replica_context get_strategy has_strategy "
    "in_cross_replica_context"
)

OWN = names(_PATH, "tf2bridge.contrib.distribute.strategies", "MirroredStrategy")

ALIASES = {
    **same(_PATH, "distribute", _STRATEGIES),
    f"{_PATH}.DistributionStrategy": "distribute.Strategy",
    f"{_PATH}.TPUStrategy": "distribute.experimental.TPUStrategy",
    f"{_PATH}.get_distribution_strategy": "distribute.get_strategy",
    f"{_PATH}.has_distribution_strategy": "distribute.has_strategy",
    f"{_PATH}.initialize_tpu_system": "tpu.experimental.initialize_tpu_system",
}
