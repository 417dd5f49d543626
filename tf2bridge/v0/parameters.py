"""Parameters of 0.12.1 whose order or names differ in TensorFlow 2.21, or between which 2.21 has further ones.

Checked against genuine 0.12.1 by tests/tf2bridge/v0/test_parameters.py.
"""

from __future__ import annotations

from tf2bridge.behaviour.arguments import Old

_SAMPLED = (
    "weights biases inputs labels num_sampled num_classes num_true sampled_values remove_accidental_hits "
    "partition_strategy name"
)
_FAKE = "inputs min max name"
_FAKE_GRADIENT = "gradients inputs min max name"
_CONV2D = "strides padding use_cudnn_on_gpu data_format name"

FUNCTIONS = {
    "arg_max": Old("input dimension name"),
    "arg_min": Old("input dimension name"),
    "case": Old("pred_fn_pairs default exclusive name"),
    "concat": Old("concat_dim values name", "concat_dim=axis"),
    "cond": Old("pred fn1 fn2 name", "fn1=true_fn fn2=false_fn"),
    "convert_to_tensor": Old("value dtype name as_ref preferred_dtype", refused="as_ref"),
    "convert_to_tensor_or_indexed_slices": Old("value dtype name as_ref", refused="as_ref"),
    "decode_csv": Old("records record_defaults field_delim name"),
    "fake_quant_with_min_max_args": Old(_FAKE),
    "fake_quant_with_min_max_args_gradient": Old(_FAKE_GRADIENT),
    "fake_quant_with_min_max_vars": Old(_FAKE),
    "fake_quant_with_min_max_vars_gradient": Old(_FAKE_GRADIENT),
    "fake_quant_with_min_max_vars_per_channel": Old(_FAKE),
    "fake_quant_with_min_max_vars_per_channel_gradient": Old(_FAKE_GRADIENT),
    "get_variable": Old(
        "name shape dtype initializer regularizer trainable collections caching_device partitioner validate_shape "
        "custom_getter"
    ),
    "image.decode_jpeg": Old("contents channels ratio fancy_upscaling try_recover_truncated acceptable_fraction name"),
    "image.non_max_suppression": Old("boxes scores max_output_size iou_threshold name"),
    "logging.set_verbosity": Old("verbosity", "verbosity=v"),
    "nn.avg_pool3d": Old("input ksize strides padding name"),
    "nn.conv2d": Old(f"input filter {_CONV2D}"),
    "nn.conv2d_backprop_filter": Old(f"input filter_sizes out_backprop {_CONV2D}"),
    "nn.conv2d_backprop_input": Old(f"input_sizes filter out_backprop {_CONV2D}"),
    "nn.conv3d": Old("input filter strides padding name"),
    "nn.conv3d_transpose": Old("value filter output_shape strides padding name"),
    "nn.ctc_loss": Old("inputs labels sequence_length preprocess_collapse_repeated ctc_merge_repeated time_major"),
    "nn.depthwise_conv2d": Old("input filter strides padding name"),
    "nn.depthwise_conv2d_native": Old("input filter strides padding name"),
    "nn.log_poisson_loss": Old("log_input targets compute_full_loss name"),
    "nn.max_pool3d": Old("input ksize strides padding name"),
    "nn.max_pool_with_argmax": Old("input ksize strides padding Targmax name"),
    "nn.nce_loss": Old(_SAMPLED),
    "nn.sampled_softmax_loss": Old(_SAMPLED),
    "nn.separable_conv2d": Old("input depthwise_filter pointwise_filter strides padding name"),
    "nn.sigmoid_cross_entropy_with_logits": Old("logits targets name", "targets=labels"),
    "nn.softmax_cross_entropy_with_logits": Old("logits labels dim name"),
    "nn.sparse_softmax_cross_entropy_with_logits": Old("logits labels name"),
    "nn.weighted_cross_entropy_with_logits": Old("logits targets pos_weight name", "targets=labels"),
    "scan": Old("fn elems initializer parallel_iterations back_prop swap_memory infer_shape name"),
    "sparse_concat": Old("concat_dim sp_inputs name expand_nonconcat_dim", "concat_dim=axis"),
    "sparse_split": Old("split_dim num_split sp_input name", "split_dim=axis"),
    "split": Old("split_dim num_split value name", "split_dim=axis num_split=num_or_size_splits"),
    "train.MonitoredTrainingSession": Old(
        "master is_chief checkpoint_dir scaffold hooks chief_only_hooks save_checkpoint_secs "
        "save_summaries_steps config"
    ),
}

CLASSES = {
    "FixedLengthRecordReader": Old("record_bytes header_bytes footer_bytes name"),
    "SparseTensor": Old("indices values shape", "shape=dense_shape"),
    "TensorArray": Old("dtype size dynamic_size clear_after_read tensor_array_name handle flow infer_shape name"),
    "train.ExponentialMovingAverage": Old("decay num_updates name", always={"zero_debias": True}),
    "train.Scaffold": Old("init_op init_feed_dict init_fn ready_op local_init_op summary_op saver"),
}
