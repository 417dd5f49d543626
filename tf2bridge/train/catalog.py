"""`tf.train`: the server, whose errors TensorFlow only logs or waits on, the training sessions, and the Saver."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_HERE = "tf2bridge.train"
_SESSIONS = f"{_HERE}.supervised"

OWN = {
    **names("train", f"{_HERE}.clusters.server", "Server"),
    **names("train", f"{_HERE}.replicas.optimizer", "SyncReplicasOptimizer"),
    **names("train", f"{_SESSIONS}.monitored", "MonitoredTrainingSession"),
    **names("train", f"{_SESSIONS}.saver", "Saver import_meta_graph"),
    **names("train", f"{_SESSIONS}.supervisor", "Supervisor"),
    **names("python.training.saver", f"{_SESSIONS}.saver", "Saver import_meta_graph"),
    **names("python.training.supervisor", f"{_SESSIONS}.supervisor", "Supervisor"),
}

ALIASES = {"distribute.Server": "train.Server", "train.SyncReplicasOptimizerV2": "train.SyncReplicasOptimizer"}
