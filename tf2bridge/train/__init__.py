"""Runs training programs of TensorFlow 1.x on TensorFlow 2, and offers their counterparts in TensorFlow 2.

Each folder holds one part:

- `supervised/`: sessions that save, summarize and recover.
- `tower/`: towers on several devices.
- `clusters/`: parameter servers and their workers.
- `replicas/`: synchronous workers.
- `queues/`: input by queue runners.
- `configuration.py`: a session's settings of devices and threads.

The counterparts in TensorFlow 2 are strategies of tf.distribute and loops with tf.train.CheckpointManager. They need
no more than `tf2bridge.wrap`.
"""

from typing import TYPE_CHECKING

from tf2bridge.first_use import public_names

if TYPE_CHECKING:  # for editors and mypy, which do not read the table
    from tf2bridge.train.configuration import configure as configure
    from tf2bridge.train.queues.datasets import dataset_from_queues as dataset_from_queues
    from tf2bridge.train.replicas.optimizer import SyncReplicasOptimizer as SyncReplicasOptimizer
    from tf2bridge.train.supervised.monitored import MonitoredTrainingSession as MonitoredTrainingSession
    from tf2bridge.train.supervised.saver import Saver as Saver
    from tf2bridge.train.supervised.supervisor import Supervisor as Supervisor
    from tf2bridge.train.tower.result import Tower as Tower
    from tf2bridge.train.tower.towers import towers as towers

_PUBLIC = {
    "MonitoredTrainingSession": "tf2bridge.train.supervised.monitored",
    "Saver": "tf2bridge.train.supervised.saver",
    "SyncReplicasOptimizer": "tf2bridge.train.replicas.optimizer",
    "Supervisor": "tf2bridge.train.supervised.supervisor",
    "Tower": "tf2bridge.train.tower.result",
    "configure": "tf2bridge.train.configuration",
    "dataset_from_queues": "tf2bridge.train.queues.datasets",
    "towers": "tf2bridge.train.tower.towers",
}

# At first use: the launcher of clusters does not import TensorFlow.
__getattr__, __dir__ = public_names(__name__, _PUBLIC)
