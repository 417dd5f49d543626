"""`tf.contrib.slim`: its own modules, and the names of contrib.layers and contrib.framework that it held as well."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.slim"
_HERE = "tf2bridge.contrib.slim"
_DATA = f"{_HERE}.data"

_SUMMARIES = (
    "add_histogram_summary add_image_summary add_scalar_summary add_zero_fraction_summary add_histogram_summaries "
    "add_image_summaries add_scalar_summaries add_zero_fraction_summaries"
)
_HANDLERS = "ItemHandler ItemHandlerCallback BoundingBox Tensor LookupTensor BackupHandler SparseTensor"

_FRAMEWORK = (
    "VariableDeviceChooser add_arg_scope add_model_variable arg_scope arg_scoped_arguments assert_global_step "
    "assert_or_get_global_step assign_from_checkpoint assign_from_checkpoint_fn assign_from_values "
    "assign_from_values_fn create_global_step current_arg_scope deprecated deprecated_arg_values filter_variables "
    "get_global_step get_local_variables get_model_variables get_or_create_global_step get_trainable_variables "
    "get_unique_variable get_variable_full_name get_variables get_variables_by_name get_variables_by_suffix "
    "get_variables_to_restore global_variable has_arg_scope local_variable model_variable variable zero_initializer"
)
_LAYERS = (
    "GDN RevBlock avg_pool2d avg_pool3d batch_norm bias_add bow_encoder conv1d conv2d conv2d_in_plane "
    "conv2d_transpose conv3d conv3d_transpose convolution convolution1d convolution2d convolution2d_in_plane "
    "convolution2d_transpose convolution3d convolution3d_transpose dense_to_sparse dropout elu embed_sequence "
    "embedding_lookup_unique flatten fully_connected gdn group_norm images_to_sequence instance_norm layer_norm "
    "legacy_fully_connected legacy_linear legacy_relu linear max_pool2d max_pool3d maxout one_hot_encoding "
    "recompute_grad relu relu6 repeat rev_block safe_embedding_lookup_sparse scale_gradient separable_conv2d "
    "separable_convolution2d sequence_to_images softmax spatial_softmax stack unit_norm"
)
_TRAINING = (
    "OPTIMIZER_CLS_NAMES OPTIMIZER_SUMMARIES apply_regularization l1_l2_regularizer l1_regularizer l2_regularizer "
    "optimize_loss sum_regularizer summarize_activation summarize_activations summarize_collection summarize_tensor "
    "summarize_tensors variance_scaling_initializer xavier_initializer xavier_initializer_conv2d"
)
_COLUMNS = (
    "SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY bucketized_column check_feature_columns create_feature_spec_for_parsing "
    "crossed_column embedding_column infer_real_valued_columns input_from_feature_columns "
    "joint_weighted_sum_from_feature_columns make_place_holder_tensors_for_base_features multi_class_target "
    "one_hot_column parse_feature_columns_from_examples parse_feature_columns_from_sequence_examples "
    "real_valued_column regression_target scattered_embedding_column sequence_input_from_feature_columns "
    "shared_embedding_columns sparse_column_with_hash_bucket sparse_column_with_integerized_feature "
    "sparse_column_with_keys sparse_column_with_vocabulary_file transform_features weighted_sparse_column "
    "weighted_sum_from_feature_columns"
)
_CORE_OPS = (
    "array_ops clip_ops control_flow_ops init_ops math_ops nn nn_ops parsing_ops random_ops resource_variable_ops "
    "sparse_ops string_ops variable_scope variables"
)

_NETS = "contrib.slim.nets"
_INCEPTION_RESNET = "inception_resnet_v2 inception_resnet_v2_base inception_resnet_v2_arg_scope"
_MOBILENET = (
    "mobilenet_v1 mobilenet_v1_base mobilenet_v1_arg_scope mobilenet_v1_075 mobilenet_v1_050 mobilenet_v1_025 Conv "
    "DepthSepConv"
)


def _net(module: str, listed: str, source: str | None = None) -> dict[str, str]:
    """Returns the names of one module of nets."""
    return names(f"{_NETS}.{module}", f"{_HERE}.nets.{source or module}", listed)


def _residual(version: int) -> dict[str, str]:
    net = f"resnet_v{version}"
    depths = " ".join(f"{net}_{depth}" for depth in ("block", 50, 101, 152, 200))
    return _net(net, f"bottleneck resnet_arg_scope {net} {depths}")


def _inception(version: int) -> dict[str, str]:
    net = f"inception_v{version}"
    listed = f"{net} {net}_base {net}_arg_scope"
    return {**_net("inception", listed, net), **_net(net, listed)}


OWN = {
    **_net("alexnet", "alexnet_v2 alexnet_v2_arg_scope"),
    **_net("overfeat", "overfeat overfeat_arg_scope"),
    **_net("vgg", "vgg_a vgg_16 vgg_19 vgg_d vgg_e vgg_arg_scope"),
    **_net("resnet_utils", "Block subsample conv2d_same stack_blocks_dense resnet_arg_scope"),
    **_residual(1),
    **_residual(2),
    **_inception(1),
    **_inception(2),
    **_inception(3),
    **_inception(4),
    **_net("inception", _INCEPTION_RESNET, "inception_resnet_v2"),
    **_net("inception_resnet_v2", f"{_INCEPTION_RESNET} block35 block17 block8"),
    **_net("mobilenet_v1", _MOBILENET),
    **names("contrib.slim.learning", f"{_HERE}.learning", "train train_step"),
    **names("contrib.slim.learning", f"{_HERE}.gradients", "create_train_op add_gradients_summaries"),
    **names(
        "contrib.slim.evaluation",
        f"{_HERE}.evaluation",
        "evaluate_once evaluation_loop wait_for_new_checkpoint checkpoints_iterator",
    ),
    **names("contrib.slim.queues", f"{_HERE}.queues", "QueueRunners NestedQueueRunnerError"),
    **names("contrib.slim.summaries", f"{_HERE}.summaries", _SUMMARIES),
    **names("contrib.slim.model_analyzer", f"{_HERE}.model_analyzer", "analyze_ops analyze_vars tensor_description"),
    **names("contrib.slim.dataset", f"{_DATA}.dataset", "Dataset"),
    **names("contrib.slim.data_decoder", f"{_DATA}.data_decoder", "DataDecoder"),
    **names("contrib.slim.data_provider", f"{_DATA}.data_provider", "DataProvider"),
    **names("contrib.slim.dataset_data_provider", f"{_DATA}.dataset_data_provider", "DatasetDataProvider"),
    **names(
        "contrib.slim.parallel_reader",
        f"{_DATA}.parallel_reader",
        "ParallelReader parallel_read single_pass_read get_data_files",
    ),
    **names("contrib.slim.prefetch_queue", f"{_DATA}.prefetch_queue", "prefetch_queue"),
    **names("contrib.slim.tfexample_decoder", f"{_DATA}.tfexample_decoder", _HANDLERS),
    **names("contrib.slim.tfexample_decoder", f"{_DATA}.tfexample_decoder", "Image"),
    **names("contrib.slim.tfexample_decoder", f"{_DATA}.tfexample_decoder", "TFExampleDecoder"),
    **names(_PATH, "tf2bridge.contrib.framework.arg_scope", "arg_scope_func_key"),
    **names(_PATH, "tf2bridge.contrib.framework.experimental", "experimental"),
}

ALIASES = {
    **same("contrib.slim.learning", "contrib.training", "clip_gradient_norms multiply_gradients"),
    **same(_PATH, "contrib.framework", _FRAMEWORK),
    **same(_PATH, "contrib.layers", _LAYERS),
    **same(_PATH, "contrib.layers", _TRAINING),
    **same(_PATH, "contrib.layers", _COLUMNS),
    **same(_PATH, "contrib.layers.python.layers", "layers optimizers utils"),
    **same(_PATH, "contrib", "losses metrics lookup feature_column"),
    **same(_PATH, "", "summary train logging"),
    **same(_PATH, "python.ops", _CORE_OPS),
    **same(_PATH, "python.framework", "ops dtypes tensor_shape sparse_tensor"),
    "contrib.slim.initializers": "contrib.layers",
    "contrib.slim.regularizers": "contrib.layers",
    "contrib.slim.normalization": "contrib.layers",
    "contrib.slim.encoders": "contrib.layers",
    "contrib.slim.loss_ops": "contrib.losses",
    "contrib.slim.metric_ops": "contrib.metrics",
    "contrib.slim.contrib_framework": "contrib.framework",
    "contrib.slim.contrib_variables": "contrib.framework",
    "contrib.slim.checkpoint_utils": "contrib.framework",
    "contrib.slim.nest": "contrib.framework.nest",
    "contrib.slim.vs": "python.ops.variable_scope",
    "contrib.slim.vars_": "python.ops.variables",
    "contrib.slim.sparse_tensor_py": "python.framework.sparse_tensor",
    "contrib.slim.moving_averages": "python.training.moving_averages",
    "contrib.slim.deprecation": "python.util.deprecation",
    "contrib.slim.tfexample_decoder.data_decoder": "contrib.slim.data_decoder",
    "contrib.slim.dataset_data_provider.data_provider": "contrib.slim.data_provider",
    "contrib.slim.dataset_data_provider.parallel_reader": "contrib.slim.parallel_reader",
}
