"""Distribution strategies."""

from tf2bridge.internals.loading import loader

NAMES = {
    "DistributedVariable": "tensorflow.python.distribute.values:DistributedVariable",
    "PerReplica": "tensorflow.python.distribute.values:PerReplica",
    "ShardedVariableMixin": "tensorflow.python.distribute.sharded_variable:ShardedVariableMixin",
}

__getattr__ = loader(NAMES, globals())
