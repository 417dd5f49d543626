"""The whole list of what `tf2bridge.v1` supplies itself; every other name is that of `tf.compat.v1`."""

from __future__ import annotations

from tf2bridge.v1.namespace import Tree


def _from(module: str, names: str, path: str = "") -> dict[str, str]:
    """Returns {path.name: "tf2bridge.v1.<module>:name"}; dots within a name are written as "_" in the module."""
    dots = f"{path}." if path else ""
    return {f"{dots}{name}": f"tf2bridge.v1.{module}:{name.replace('.', '_')}" for name in names.split()}


DECODERS = "rnn_decoder basic_rnn_seq2seq tied_rnn_seq2seq embedding_rnn_decoder"
LOSSES = "sequence_loss sequence_loss_by_example"
SUMMARIES = "scalar_summary image_summary audio_summary histogram_summary merge_summary merge_all_summaries"
SHIFTED = (
    "matmul linalg.matmul nn.top_k math.top_k scatter_nd manip.scatter_nd image.adjust_jpeg_quality numpy_function"
)

OWN = {
    **_from("switch", "enable __version__ VERSION"),
    **_from("old_ops.summaries", SUMMARIES),
    **_from("old_ops.summaries", "SummaryWriter", "train"),
    **_from("old_ops.renamed", "pack unpack select batch_matmul complex_abs concat_v2 split_v"),
    **_from("old_ops.shifted", SHIFTED),
    **_from("program_flags", "FLAGS", "flags"),
    **_from("program_flags", "run", "app"),
    **_from("rnn.unrolled", "rnn bidirectional_rnn state_saving_rnn", "nn"),
    **_from("rnn.decoders", DECODERS, "contrib.legacy_seq2seq"),
    **_from("rnn.losses", LOSSES, "contrib.legacy_seq2seq"),
    **_from(
        "weights.initializers",
        "xavier_initializer xavier_initializer_conv2d variance_scaling_initializer",
        "contrib.layers",
    ),
    **_from(
        "weights.regularizers",
        "l1_regularizer l2_regularizer l1_l2_regularizer sum_regularizer apply_regularization",
        "contrib.layers",
    ),
    **_from("weights.reshaping", "flatten", "contrib.layers"),
    **_from(
        "scopes.arg_scope",
        "arg_scope add_arg_scope has_arg_scope arg_scoped_arguments current_arg_scope",
        "contrib.framework",
    ),
    **_from(
        "scopes.variables",
        "get_variables get_variables_by_name get_variables_by_suffix get_model_variables get_local_variables",
        "contrib.framework",
    ),
    **_from("scopes.nesting", "is_sequence", "contrib.framework.nest"),
    **_from("datasets.vocabulary", "VocabularyProcessor tokenizer", "contrib.learn.preprocessing"),
    **_from("datasets.categories", "CategoricalVocabulary", "contrib.learn.preprocessing"),
    **_from("datasets.vocabulary", "ModeKeys", "contrib.learn"),
    **_from(
        "datasets.mnist",
        "read_data_sets DataSet extract_images extract_labels",
        "contrib.learn.datasets.mnist",
    ),
}
"""TF1 name -> "module:attribute" of the implementation."""

_CELLS = (
    "BasicLSTMCell BasicRNNCell DeviceWrapper DropoutWrapper GRUCell LSTMCell LSTMStateTuple MultiRNNCell RNNCell "
    "ResidualWrapper"
)
_TRAIN = (
    "get_or_create_global_step create_global_step get_global_step assert_global_step list_variables load_checkpoint "
    "load_variable init_from_checkpoint"
)
_FRAMEWORK = (
    "TensorSpec argsort assert_same_float_dtype assert_scalar convert_to_tensor_or_sparse_tensor is_tensor sort"
)

ALIASES = {
    "mul": "multiply",
    "neg": "negative",
    "sub": "subtract",
    "inv": "reciprocal",
    "app.flags": "flags",
    "train.SyncReplicasOptimizerV2": "train.SyncReplicasOptimizer",
    "train.SummaryWriterCache": "summary.FileWriterCache",
    "nn.seq2seq": "contrib.legacy_seq2seq",
    "contrib.keras": "keras",
    **{f"contrib.rnn.{name}": f"nn.rnn_cell.{name}" for name in _CELLS.split()},
    "contrib.rnn.static_rnn": "nn.static_rnn",
    "contrib.rnn.static_bidirectional_rnn": "nn.static_bidirectional_rnn",
    "contrib.rnn.static_state_saving_rnn": "nn.static_state_saving_rnn",
    "contrib.rnn.python.ops.core_rnn": "contrib.rnn",
    "contrib.rnn.python.ops.core_rnn_cell": "contrib.rnn",
    **{f"contrib.framework.{name}": f"train.{name}" for name in _TRAIN.split()},
    **{f"contrib.framework.{name}": name for name in _FRAMEWORK.split()},
    "contrib.framework.get_trainable_variables": "trainable_variables",
    "contrib.framework.python.ops.arg_scope": "contrib.framework",
    "contrib.util.constant_value": "get_static_value",
    "contrib.util.make_ndarray": "make_ndarray",
    "contrib.util.make_tensor_proto": "make_tensor_proto",
    "contrib.layers.python.layers.initializers": "contrib.layers",
    "contrib.layers.python.layers.regularizers": "contrib.layers",
    "contrib.learn.python.learn.preprocessing.text": "contrib.learn.preprocessing",
    "contrib.learn.python.learn.datasets.mnist": "contrib.learn.datasets.mnist",
    "contrib.legacy_seq2seq.python.ops.seq2seq": "contrib.legacy_seq2seq",
    "examples.tutorials.mnist.input_data": "contrib.learn.datasets.mnist",
    "models.rnn.rnn": "nn",
    "models.rnn.rnn_cell": "nn.rnn_cell",
    "models.rnn.seq2seq": "nn.seq2seq",
}
"""TF1 name -> another TF1 name with the same meaning, parameters and default op name (contrib: as 1.15.5 has them)."""

_LEGACY = "tf_keras.api._v1.keras.__internal__.legacy"
SOURCES = {
    "layers": f"{_LEGACY}.layers",
    "nn.rnn_cell": f"{_LEGACY}.rnn_cell",
    "keras": "tf_keras.api._v1.keras",
    "contrib.framework.nest": "tensorflow.python.util.nest",
}
"""Namespaces whose names come from tf_keras: TensorFlow 2.21 refuses them with Keras 3."""

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
    "python.platform.flags": "flags",
    "python.platform.app": "app",
    "python.util.nest": "contrib.framework.nest",
    "python.pywrap_tensorflow.NewCheckpointReader": "train.NewCheckpointReader",
}
"""Modules below `tensorflow.python` that went away -> the public namespace that holds what they held."""

TREE = Tree("tf2bridge.v1", own=OWN, aliases=ALIASES, sources=SOURCES, moved=MOVED)
