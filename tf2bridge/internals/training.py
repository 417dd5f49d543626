"""Training, checkpoints and summaries."""

from tf2bridge.internals.loading import loader

NAMES = {
    "BaseSaverBuilder": "tensorflow.python.training.saver:BaseSaverBuilder",
    "STANDARD_PS_OPS": "tensorflow.python.training.device_setter:STANDARD_PS_OPS",
    "Scaffold": "tensorflow.python.training.monitored_session:Scaffold",
    "Trackable": "tensorflow.python.trackable.base:Trackable",
    "checkpoint": "tensorflow.python.checkpoint.checkpoint",
    "checkpoint_management": "tensorflow.python.checkpoint.checkpoint_management",
    "checkpoint_ops": "tensorflow.python.training.checkpoint_ops",
    "checkpoint_utils": "tensorflow.python.training.checkpoint_utils",
    "evaluation": "tensorflow.python.training.evaluation",
    "graph_view": "tensorflow.python.checkpoint.graph_view",
    "input": "tensorflow.python.training.input",
    "moving_averages": "tensorflow.python.training.moving_averages",
    "optimizer": "tensorflow.python.training.optimizer",
    "saveable_object_util": "tensorflow.python.training.saving.saveable_object_util",
    "server_lib": "tensorflow.python.training.server_lib",
    "slot_creator": "tensorflow.python.training.slot_creator",
    "supervisor": "tensorflow.python.training.supervisor",
    "sync_replicas_optimizer": "tensorflow.python.training.sync_replicas_optimizer",
    "training": "tensorflow.python.training.training",
    "training_util": "tensorflow.python.training.training_util",
    "writer": "tensorflow.python.summary.writer.writer",
    "writer_cache": "tensorflow.python.summary.writer.writer_cache",
}

__getattr__ = loader(NAMES, globals())
