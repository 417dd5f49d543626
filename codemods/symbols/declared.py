"""The few facts that no walk of a release can show: what replaced a name, and what tf2bridge provides.

Everything here is checked by `python fixtures/symbols/build.py --check`. Sources: the release notes of TensorFlow 0.12
and 1.0 ("Breaking changes to the API"), and 1.x's own deprecation messages.
"""

from __future__ import annotations

# Old name -> the name in tf.compat.v1, or another old name with an entry of its own here.
RENAMED: dict[str, str] = {
    "all_variables": "global_variables",
    "batch_matmul": "matmul",
    "complex_abs": "abs",
    "concat_v2": "concat",
    "initialize_all_variables": "global_variables_initializer",
    "initialize_local_variables": "local_variables_initializer",
    "initialize_variables": "variables_initializer",
    "inv": "reciprocal",
    "merge_all_summaries": "summary.merge_all",
    "merge_summary": "summary.merge",
    "mul": "multiply",
    "neg": "negative",
    "pack": "stack",
    "python.control_flow_ops.cond": "cond",
    "python.control_flow_ops.while_loop": "while_loop",
    "python.control_flow_ops.with_dependencies": "python.ops.control_flow_ops.with_dependencies",
    "select": "where",
    "split_v": "split",
    "sub": "subtract",
    "train.SummaryWriter": "summary.FileWriter",
    "train.SummaryWriterCache": "summary.FileWriterCache",
    "train.SyncReplicasOptimizerV2": "train.SyncReplicasOptimizer",
    "unpack": "unstack",
    # Gone before 0.12.1.
    "batch_cholesky": "cholesky",
    "batch_fft": "fft",
    "batch_fft2d": "fft2d",
    "batch_fft3d": "fft3d",
    "batch_ifft": "ifft",
    "batch_ifft2d": "ifft2d",
    "batch_ifft3d": "ifft3d",
    "batch_matrix_band_part": "matrix_band_part",
    "batch_matrix_determinant": "matrix_determinant",
    "batch_matrix_diag": "matrix_diag",
    "batch_matrix_diag_part": "matrix_diag_part",
    "batch_matrix_inverse": "matrix_inverse",
    "batch_matrix_set_diag": "matrix_set_diag",
    "batch_matrix_solve": "matrix_solve",
    "batch_matrix_transpose": "matrix_transpose",
    "batch_matrix_triangular_solve": "matrix_triangular_solve",
    "batch_svd": "svd",
    "image.per_image_whitening": "image.per_image_standardization",
    "image.random_crop": "random_crop",
    "nn.deconv2d": "nn.conv2d_transpose",
    # Reached through a module that was public by accident.
    "pywrap_tensorflow.NewCheckpointReader": "train.NewCheckpointReader",
    "python.pywrap_tensorflow.NewCheckpointReader": "train.NewCheckpointReader",
}

# Names in none of the scanned releases (private ones, and those of 1.0 alone). They do not show a program's age.
TIMELESS: tuple[str, ...] = (
    "contrib.rnn.core_rnn",
    "contrib.rnn.python.ops.core_rnn",
    "python.pywrap_tensorflow",
    "pywrap_tensorflow",
)

# Modules that moved as a whole: every name of the second is also the answer for the first.
MOVED: dict[str, str] = {
    "contrib.deprecated": "",
    "contrib.nccl": "python.ops.nccl_ops",
    "contrib.rnn.core_rnn": "nn",
    "contrib.rnn.core_rnn_cell": "contrib.rnn",
    "contrib.rnn.python.ops.core_rnn": "nn",
    "contrib.rnn.python.ops.core_rnn_cell": "contrib.rnn",
    "contrib.rnn.python.ops.core_rnn_cell_impl": "contrib.rnn",
    "models.rnn.rnn": "nn",
    "models.rnn.rnn_cell": "nn.rnn_cell",
    "models.rnn.seq2seq": "contrib.legacy_seq2seq",
    "nn.seq2seq": "contrib.legacy_seq2seq",
    "python.keras": "keras",
    "python.layers.convolutional": "layers",
    "python.layers.core": "layers",
    "python.layers.normalization": "layers",
    "python.layers.pooling": "layers",
    "python.ops.rnn_cell": "nn.rnn_cell",
    "python.ops.rnn_cell_impl": "nn.rnn_cell",
    "python.ops.seq2seq": "contrib.legacy_seq2seq",
}
# What `tensorflow.python` had under the name of one of its packages: `from tensorflow.python import layers` gave the
# module of 1.2 to 1.15, not the package, because `tensorflow/python/__init__.py` imported it under that name.
IN_PLACE_OF_PACKAGES: dict[str, str] = {
    "python.compat": "python.util.compat",
    "python.estimator": "python.estimator.estimator_lib",
    "python.feature_column": "python.feature_column.feature_column_lib",
    "python.layers": "python.layers.layers",
    "python.module": "python.module.module",
    "python.ops": "python.framework.ops",
    "python.profiler": "python.profiler.profiler",
    "python.saved_model": "python.saved_model.saved_model",
    "python.summary": "python.summary.summary",
    "python.user_ops": "python.user_ops.user_ops",
}
# Trees of modules that are the same as another one, name by name.
TWINS: dict[str, str] = {
    "contrib.keras.api.keras": "contrib.keras",
    "contrib.keras.python.keras": "python.keras._impl.keras",  # up to 1.3
}
_CELLS = (
    "BasicLSTMCell", "BasicRNNCell", "DropoutWrapper", "EmbeddingWrapper", "GRUCell", "InputProjectionWrapper",
    "LSTMCell", "LSTMStateTuple", "MultiRNNCell", "OutputProjectionWrapper", "RNNCell",
)  # fmt: skip
_LOOPS = ("static_rnn", "static_bidirectional_rnn", "static_state_saving_rnn")
# Modules of MOVED with old names that are in none of the scanned releases -> the names of the new module that they had.
MOVED_NAMES: dict[str, tuple[str, ...]] = {
    "contrib.deprecated": ("scalar_summary", "histogram_summary", "image_summary", "audio_summary", "merge_summary"),
    "contrib.rnn.core_rnn": _LOOPS,
    "contrib.rnn.core_rnn_cell": _CELLS,
    "contrib.rnn.python.ops.core_rnn": _LOOPS,
    "contrib.rnn.python.ops.core_rnn_cell": _CELLS,
    "contrib.rnn.python.ops.core_rnn_cell_impl": _CELLS,
    "models.rnn.rnn": ("rnn", "bidirectional_rnn", "dynamic_rnn", "state_saving_rnn"),
}

# What tf2bridge.v1 provides because tf.compat.v1 has it not, or has it only for Keras 3 (shell patterns). A name that
# matches is answered BRIDGE if it resolves in tf2bridge.v1.
BRIDGED: tuple[str, ...] = (
    "*_summary",
    "contrib",
    "contrib.*",
    "estimator",
    "estimator.*",
    "examples.tutorials.mnist.*",
    "keras",
    "keras.*",
    "layers",
    "layers.*",
    "models.rnn.ptb.*",
    "nn.bidirectional_rnn",  # static_bidirectional_rnn and similar functions have other default scopes
    "nn.rnn",
    "nn.rnn_cell",
    "nn.rnn_cell.*",
    "nn.state_saving_rnn",
)

# Name or module -> what a program of 0.x needs, under tf2bridge.v0: in 0.x, `MultiRNNCell([cell] * 2)` had variables
# for each layer (1.x shares them), cells and loops named their variables RNN/BasicLSTMCell/Linear/Matrix, synchronous
# replicas applied the sum of their gradients (1.x applies the mean).
OLDER: dict[str, str] = {
    "models.rnn.rnn": "nn",
    "models.rnn.rnn_cell": "nn.rnn_cell",
    "models.rnn.seq2seq": "nn.seq2seq",
    "nn.bidirectional_dynamic_rnn": "nn.bidirectional_dynamic_rnn",
    "nn.bidirectional_rnn": "nn.bidirectional_rnn",
    "nn.dynamic_rnn": "nn.dynamic_rnn",
    "nn.raw_rnn": "nn.raw_rnn",
    "nn.rnn": "nn.rnn",
    "nn.rnn_cell": "nn.rnn_cell",
    "nn.seq2seq": "nn.seq2seq",
    "python.ops.rnn": "nn",
    "python.ops.rnn_cell": "nn.rnn_cell",
    "python.ops.seq2seq": "nn.seq2seq",
    "train.SyncReplicasOptimizer": "train.SyncReplicasOptimizer",
}

# Prefix of a name that is gone -> where its like is found today.
NEAREST: dict[str, str] = {
    "contrib.cloud": "tf.io.gfile",
    "contrib.distribute": "tf.distribute",
    "contrib.distributions": "tensorflow_probability.distributions",
    "contrib.ffmpeg": "tf.audio",
    "contrib.layers": "tf2bridge.v1.contrib.layers",
    "contrib.learn": "tf2bridge.v1.estimator",
    "contrib.memory_stats": "tf.config.experimental.get_memory_info",
    "contrib.opt": "tf.compat.v1.train",
    "contrib.rnn": "tf2bridge.v1.contrib.rnn",
    "contrib.slim": "tf2bridge.v1.contrib.slim",
    "contrib.tpu": "tf.distribute.TPUStrategy",
    "estimator": "tf2bridge.v1.estimator",
    "examples.tutorials.mnist": "tf.keras.datasets.mnist.load_data",
    "nn.rnn_cell": "tf2bridge.v1.nn.rnn_cell",
}

# Parameters that were renamed, by function: old -> new. An order that changed needs no entry: the signatures show it.
PARAMETERS: dict[str, dict[str, str]] = {
    "SparseTensor": {"shape": "dense_shape"},
    "arg_max": {"axis": "dimension"},
    "batch_matmul": {"x": "a", "y": "b", "adj_x": "adjoint_a", "adj_y": "adjoint_b"},
    "complex_abs": {},
    "concat": {"concat_dim": "axis"},
    "cond": {"fn1": "true_fn", "fn2": "false_fn"},
    "decode_raw": {"bytes": "input_bytes"},
    "nn.sigmoid_cross_entropy_with_logits": {"targets": "labels"},
    "nn.weighted_cross_entropy_with_logits": {"targets": "labels"},
    "reverse": {"dims": "axis"},
    "select": {"t": "x", "e": "y"},
    "sparse_concat": {"concat_dim": "axis"},
    "sparse_split": {"split_dim": "axis"},
    "split": {"split_dim": "axis", "num_split": "num_or_size_splits"},
    "split_v": {"size_splits": "num_or_size_splits", "split_dim": "axis"},
}
