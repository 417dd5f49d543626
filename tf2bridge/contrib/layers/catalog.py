"""`tf.contrib.layers`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_PATH = "contrib.layers"
_HERE = "tf2bridge.contrib.layers"
_SHOWN = ("encoders", "initializers", "layers", "optimizers", "regularizers")  # modules that the package showed
_UTILS = "contrib.layers.python.layers.utils"

_INITIALIZERS = "xavier_initializer xavier_initializer_conv2d variance_scaling_initializer"
_REGULARIZERS = "l1_regularizer l2_regularizer l1_l2_regularizer sum_regularizer apply_regularization"
_CONVOLUTION = "convolution convolution1d convolution2d convolution3d conv1d conv2d conv3d"
_TRANSPOSED = "convolution2d_transpose convolution3d_transpose conv2d_transpose conv3d_transpose"
_CHANNELWISE = "separable_convolution2d separable_conv2d convolution2d_in_plane conv2d_in_plane"
_RESHAPING = "flatten one_hot_encoding dense_to_sparse images_to_sequence sequence_to_images"
_LEGACY = "legacy_fully_connected legacy_linear legacy_relu"
_SUMMARIES = (
    "summarize_activation summarize_tensor summarize_tensors summarize_collection summarize_variables "
    "summarize_weights summarize_biases summarize_activations"
)
_PUBLIC_SUMMARIES = "summarize_activation summarize_tensor summarize_tensors summarize_collection summarize_activations"
_SCATTERED = (
    "scattered_embedding_lookup scattered_embedding_lookup_sparse embedding_lookup_sparse_with_distributed_aggregation"
)
_SPARSE = "dense_to_sparse_tensor indicators_to_sparse_ids sparse_row_envelope"
_EMBEDDING = "contrib.layers.python.layers.embedding_ops"
_SPARSE_COLUMNS = (
    "sparse_column_with_hash_bucket sparse_column_with_integerized_feature sparse_column_with_keys "
    "sparse_column_with_vocabulary_file weighted_sparse_column"
)
_EMBEDDED = "one_hot_column embedding_column shared_embedding_columns scattered_embedding_column"
_PARSING = (
    "check_feature_columns create_feature_spec_for_parsing infer_real_valued_columns "
    "make_place_holder_tensors_for_base_features parse_feature_columns_from_examples "
    "parse_feature_columns_from_sequence_examples transform_features"
)
_INPUTS = "input_from_feature_columns sequence_input_from_feature_columns"
_SUMS = "weighted_sum_from_feature_columns joint_weighted_sum_from_feature_columns"

_NUMERIC_CLASSES = "_RealValuedColumn _RealValuedVarLenColumn _BucketizedColumn _real_valued_var_len_column"
_SEQUENCE_PARSING = "_create_sequence_feature_spec_for_parsing"
_SPARSE_CLASSES = "_SparseColumn _WeightedSparseColumn _SparseIdLookupConfig"
_EMBEDDED_CLASSES = "_OneHotColumn _EmbeddingColumn _ScatteredEmbeddingColumn"


def _columns(path: str) -> dict[str, str]:
    """Returns the symbols that stand both in `contrib.layers` and in its module `feature_column`."""
    return {
        **names(path, f"{_HERE}.feature_column.sparse", _SPARSE_COLUMNS),
        **names(path, f"{_HERE}.feature_column.numeric", "real_valued_column bucketized_column"),
        **names(path, f"{_HERE}.feature_column.embedded", _EMBEDDED),
        **names(path, f"{_HERE}.feature_column.crossed", "crossed_column"),
    }


_ENDPOINTS = (
    "NamedOutputs collect_named_outputs append_tensor_alias get_tensor_aliases gather_tensors_aliases "
    "convert_collection_to_dict"
)
_SIZES = "last_dimension channel_dimension two_element_tuple n_positive_integers get_variable_collections"

OWN = {
    **names(_PATH, f"{_HERE}.initializers", _INITIALIZERS),
    **names(_PATH, f"{_HERE}.regularizers", _REGULARIZERS),
    **names(_PATH, f"{_HERE}.layers.convolution", _CONVOLUTION),
    **names(_PATH, f"{_HERE}.layers.transposed_convolution", _TRANSPOSED),
    **names(_PATH, f"{_HERE}.layers.channelwise_convolution", _CHANNELWISE),
    **names(_PATH, f"{_HERE}.layers.fully_connected", "fully_connected elu relu relu6 linear"),
    **names(_PATH, f"{_HERE}.layers.pooling", "avg_pool2d avg_pool3d max_pool2d max_pool3d"),
    **names(_PATH, f"{_HERE}.layers.batch_norm", "batch_norm"),
    **names(_PATH, f"{_HERE}.normalization", "layer_norm instance_norm group_norm"),
    **names(_PATH, f"{_HERE}.layers.activation", "softmax dropout bias_add unit_norm maxout"),
    **names(_PATH, f"{_HERE}.layers.reshaping", _RESHAPING),
    **names(_PATH, f"{_HERE}.layers.composition", "repeat stack"),
    **names(_PATH, f"{_HERE}.layers.fully_connected", _LEGACY),
    **names(_PATH, f"{_HERE}.layers.spatial_softmax", "spatial_softmax"),
    **names(_PATH, f"{_HERE}.layers.activation", "scale_gradient"),
    **names(_PATH, f"{_HERE}.layers.gdn", "GDN gdn"),
    **names(_PATH, f"{_HERE}.encoders", "bow_encoder embed_sequence"),
    **names(_PATH, f"{_HERE}.embedding_ops", "safe_embedding_lookup_sparse embedding_lookup_unique"),
    **names(_PATH, f"{_HERE}.summaries", _PUBLIC_SUMMARIES),
    **names(_PATH, f"{_HERE}.optimizers.optimize_loss", "optimize_loss OPTIMIZER_CLS_NAMES OPTIMIZER_SUMMARIES"),
    **names(_PATH, f"{_HERE}.rev_block_lib.recomputation", "recompute_grad"),
    **names(_PATH, f"{_HERE}.rev_block_lib.reversible", "RevBlock rev_block"),
    **names(_PATH, f"{_HERE}.sparse_feature_cross_op", "SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY"),
    **_columns(_PATH),
    **_columns("contrib.layers.feature_column"),
    **names(_PATH, f"{_HERE}.feature_column_ops.parsing", _PARSING),
    **names(_PATH, f"{_HERE}.feature_column_ops.inputs", _INPUTS),
    **names(_PATH, f"{_HERE}.feature_column_ops.sums", _SUMS),
    **names(_PATH, f"{_HERE}.target_column", "regression_target multi_class_target"),
    **names("contrib.layers.feature_column", f"{_HERE}.feature_column.base", "_FeatureColumn"),
    **names("contrib.layers.feature_column", f"{_HERE}.feature_column.sparse", _SPARSE_CLASSES),
    **names("contrib.layers.feature_column", f"{_HERE}.feature_column.numeric", _NUMERIC_CLASSES),
    **names("contrib.layers.feature_column", f"{_HERE}.feature_column.embedded", _EMBEDDED_CLASSES),
    **names("contrib.layers.feature_column", f"{_HERE}.feature_column.crossed", "_CrossedColumn"),
    **names("contrib.layers.python.layers.feature_column_ops", f"{_HERE}.feature_column.base", "_Transformer"),
    **names("contrib.layers.python.layers.feature_column", f"{_HERE}.feature_column_ops.parsing", _SEQUENCE_PARSING),
    **names("contrib.layers.summaries", f"{_HERE}.summaries", _SUMMARIES),
    **names(_EMBEDDING, f"{_HERE}.embedding_ops", _SCATTERED),
    f"{_EMBEDDING}._sampled_scattered_embedding_lookup": f"{_HERE}.embedding_ops:sampled_scattered_embedding_lookup",
    f"{_EMBEDDING}._sampled_scattered_embedding_lookup_sparse": (
        f"{_HERE}.embedding_ops:sampled_scattered_embedding_lookup_sparse"
    ),
    **names("contrib.layers.python.layers.target_column", f"{_HERE}.target_column", "binary_svm_target ProblemType"),
    "contrib.layers.python.layers.target_column.get_default_binary_metrics_for_eval": (
        f"{_HERE}.target_metrics:default_binary_metrics"
    ),
    **names("contrib.layers.python.layers.optimizers", f"{_HERE}.optimizers.gradient_changes", "adaptive_clipping_fn"),
    **names("contrib.layers.python.ops.sparse_ops", f"{_HERE}.sparse_ops", _SPARSE),
    **names(
        "contrib.layers.python.ops.sparse_feature_cross_op", f"{_HERE}.sparse_feature_cross_op", "sparse_feature_cross"
    ),
    **names("contrib.layers.python.layers.layers", f"{_HERE}.feature_column.flattening", "_inner_flatten"),
    **names("contrib.layers.python.layers.layers", f"{_HERE}.layers.pooling", "pool"),
    **names("contrib.layers.python.layers.layers", f"{_HERE}.layers.activation", "poincare_normalize"),
    **names(_UTILS, f"{_HERE}.utils", _ENDPOINTS),
    **names(_UTILS, f"{_HERE}.utils", _SIZES),
    **names(_UTILS, f"{_HERE}.utils", "constant_value static_cond smart_cond"),
}

ALIASES = {
    **{f"contrib.layers.{module}": "contrib.layers" for module in _SHOWN},
    "contrib.layers.python.layers.initializers": "contrib.layers",
    "contrib.layers.python.layers.regularizers": "contrib.layers",
}
