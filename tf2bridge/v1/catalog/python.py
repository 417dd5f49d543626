"""`tensorflow.python`: where private modules of TensorFlow 1.x have gone; `tf2bridge.v1.private` knows the rest."""

from __future__ import annotations

from tf2bridge.v1.listing import names

_MNIST = "NUM_CLASSES IMAGE_SIZE IMAGE_PIXELS inference loss training evaluation"

ALIASES = {
    "examples.tutorials.mnist.input_data": "contrib.learn.datasets.mnist",
    "models.rnn.rnn": "nn",
    "models.rnn.rnn_cell": "nn.rnn_cell",
    "models.rnn.seq2seq": "nn.seq2seq",
}

OWN = {
    **names("models.rnn.ptb.reader", "tf2bridge.v1.tutorials.ptb", "ptb_raw_data ptb_iterator ptb_producer"),
    **names("python.util.tf_inspect", "tf2bridge.v1.private.inspection", "getfullargspec"),
    **names("examples.tutorials.mnist.mnist", "tf2bridge.v1.tutorials.mnist", _MNIST),
}

MOVED = {
    "python.ops.rnn": "nn",
    "python.ops.rnn_cell": "nn.rnn_cell",
    "python.ops.rnn_cell_impl": "nn.rnn_cell",
    "python.ops.seq2seq": "nn.seq2seq",
    "python.layers.layers": "layers",
    "python.layers.core": "layers",
    "python.layers.convolutional": "layers",
    "python.layers.normalization": "layers",
    "python.layers.pooling": "layers",
    "python.keras": "keras",
    "python.keras._impl.keras": "keras",
    "python.platform.flags": "flags",
    "python.platform.app": "app",
    "python.platform.gfile": "gfile",
    "python.platform.logging": "logging",
    "python.platform.tf_logging": "logging",
    "python.platform.test": "test",
    "python.platform.googletest": "test",
    "python.util.nest": "contrib.framework.nest",
    "python.pywrap_tensorflow.NewCheckpointReader": "train.NewCheckpointReader",
}

_KERAS = "tf_keras.src"
HELD = {
    "python.keras": _KERAS,
    "python.keras._impl.keras": _KERAS,
    "python.layers.base": f"{_KERAS}.legacy_tf_layers.base",
    "python.layers.core": f"{_KERAS}.legacy_tf_layers.core",
    "python.layers.convolutional": f"{_KERAS}.legacy_tf_layers.convolutional",
    "python.layers.normalization": f"{_KERAS}.legacy_tf_layers.normalization",
    "python.layers.pooling": f"{_KERAS}.legacy_tf_layers.pooling",
    "python.ops.rnn_cell_impl": f"{_KERAS}.layers.rnn.legacy_cells",
    "python.ops.rnn_cell": f"{_KERAS}.layers.rnn.legacy_cells",
    "python.training.training_ops": "tensorflow.python.ops.gen_training_ops",
    "python.training.gen_training_ops": "tensorflow.python.ops.gen_training_ops",
    "python.training.distribution_strategy_context": "tensorflow.python.distribute.distribute_lib",
    "python.distribute.distribution_strategy_context": "tensorflow.python.distribute.distribute_lib",
    "python.keras.engine.topology": f"{_KERAS}.engine.base_layer",
    "python.keras._impl.keras.engine.topology": f"{_KERAS}.engine.base_layer",
    "python.training.checkpointable": "tensorflow.python.trackable",
    "python.training.tracking": "tensorflow.python.trackable",
}
