"""The list of all names that `tf2bridge.v0` supplies itself. All other names are those of `tf2bridge.v1`."""

from __future__ import annotations

from tf2bridge.behaviour.release import MEASURED
from tf2bridge.v0.old_distributions.families import FAMILIES
from tf2bridge.v0.parameters import CLASSES, FUNCTIONS
from tf2bridge.v1.catalog import TREE as V1
from tf2bridge.v1.namespace import Tree


def _from(module: str, names: str, path: str = "") -> dict[str, str]:
    return {f"{path}{name}": f"tf2bridge.v0.{module}:{name}" for name in names.split()}


_SEQ2SEQ = (
    "sequence_loss sequence_loss_by_example basic_rnn_seq2seq tied_rnn_seq2seq embedding_rnn_seq2seq "
    "embedding_tied_rnn_seq2seq attention_decoder embedding_attention_decoder embedding_attention_seq2seq "
    "one2many_rnn_seq2seq model_with_buckets"
)

_LOSSES = (
    "absolute_difference cosine_distance hinge_loss log_loss mean_pairwise_squared_error mean_squared_error "
    "sigmoid_cross_entropy softmax_cross_entropy sparse_softmax_cross_entropy compute_weighted_loss"
)
_LAYERS = "batch_norm layer_norm separable_convolution2d separable_conv2d embedding_lookup_unique"

OWN = {
    "enable": "tf2bridge.v0.switch:enable",
    "__version__": "tf2bridge.v0.switch:VERSION",
    "VERSION": "tf2bridge.v0.switch:VERSION",
    **{name: f"tf2bridge.v0.reordered:{name.replace('.', '_')}" for name in (*FUNCTIONS, *CLASSES)},
    **_from("changed", "reverse zeros_initializer ones_initializer orthogonal_initializer SparseTensorValue"),
    **_from("changed", "confusion_matrix", "contrib.metrics."),
    **_from("changed", "bucketize", "contrib.layers."),
    **_from("changed", "bucketize", "contrib.layers.python.ops.bucketization_op."),
    "nn.moments": "tf2bridge.contrib.layers.old_moments:moments",
    **{name: f"tf2bridge.behaviour.old_ops.operators:{name}" for name in ("div", "mod", "floordiv")},
    **_from("replicas", "SyncReplicasOptimizer SyncReplicasOptimizerV2", "train."),
    **_from(
        "rnn.cells",
        "RNNCell BasicRNNCell GRUCell BasicLSTMCell MultiRNNCell LSTMStateTuple sigmoid tanh",
        "nn.rnn_cell.",
    ),
    **_from("rnn.lstm", "LSTMCell", "nn.rnn_cell."),
    **_from(
        "rnn.wrappers",
        "OutputProjectionWrapper InputProjectionWrapper DropoutWrapper EmbeddingWrapper",
        "nn.rnn_cell.",
    ),
    **_from("rnn.linear", "_linear", "nn.rnn_cell."),
    **_from(
        "rnn.contrib_cells",
        "AttentionCellWrapper CoupledInputForgetGateLSTMCell GRUBlockCell LSTMBlockCell LSTMBlockFusedCell "
        "LayerNormBasicLSTMCell TimeFreqLSTMCell",
        "contrib.rnn.",
    ),
    **_from("rnn.dynamic", "dynamic_rnn raw_rnn bidirectional_dynamic_rnn", "nn."),
    **_from("rnn.seq2seq", _SEQ2SEQ, "nn.seq2seq."),
    **_from("rnn.stacked", "stack_bidirectional_rnn stack_bidirectional_dynamic_rnn", "contrib.rnn."),
    **_from("resampling", "resample_at_rate weighted_resample", "contrib.training."),
    **_from("experiment", "Evaluable Experiment", "contrib.learn."),
    **_from("contrib_layers", _LAYERS, "contrib.layers."),
    **_from("contrib_losses", _LOSSES, "contrib.losses."),
    **_from("changed", "KMeansClustering", "contrib.factorization."),
    **_from("changed", "KMeansClustering", "contrib.factorization.python.ops.kmeans."),
    **_from("old_distributions.classes", " ".join(FAMILIES), "contrib.distributions."),
    **_from(
        "old_distributions.classes",
        "kl normal_conjugates_known_sigma_posterior normal_conjugates_known_sigma_predictive",
        "contrib.distributions.",
    ),
    "contrib.layers.python.layers.utils.first_dimension": "tf2bridge.contrib.layers.utils:first_dimension",
}
"""TF1 name -> "module:attribute" of the implementation."""

ALIASES = {
    **{f"nn.seq2seq.{name}": f"contrib.legacy_seq2seq.{name}" for name in ("rnn_decoder", "embedding_rnn_decoder")},
    "contrib.learn.Environment": "contrib.learn.python.learn.estimators.run_config.Environment",
}

TREE = Tree("tf2bridge.v0", own=OWN, aliases=ALIASES, parent=V1, default_release=MEASURED[0])
