"""The functions that make other numbers of operations in older releases, and how their calls are distinguished."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tf2bridge.behaviour.seeds import kinds, ways
from tf2bridge.behaviour.seeds.kinds import Way

_OPS = "tensorflow.python.ops."
_TRAINING = "tensorflow.python.training."
_DECAY = "tensorflow.python.keras.optimizer_v2.legacy_learning_rate_decay"
_KERAS = "tf_keras.src.layers."
_CONTRIB = "tf2bridge.contrib."

_LOGITS = kinds.both(kinds.ranks("logits"), kinds.shapes("logits"))


@dataclass(frozen=True)
class Hook:
    """A measured function: where TensorFlow defines it ("module:name" or "module:Class.method") and its ways.

    Its name in the table is the last part of that. A row counts `times` times in one call.
    """

    where: str
    way: Way = kinds.plain
    times: Callable[[kinds.Arguments], int] = kinds.once

    @property
    def name(self) -> str:
        return self.where.partition(":")[2]


HOOKS = (
    # arrays
    Hook(_OPS + "array_ops:zeros", ways.filled),
    Hook(_OPS + "array_ops:ones", ways.filled),
    Hook(_OPS + "array_ops:zeros_like", ways.alike),
    Hook(_OPS + "array_ops:transpose", kinds.both(kinds.given("perm"), kinds.ranks("a"))),
    Hook(_OPS + "array_ops:split", kinds.kinds("num_or_size_splits")),
    Hook(_OPS + "array_ops:gather", kinds.resources("params")),
    Hook(_OPS + "array_ops:one_hot", times=kinds.constants("on_value", "off_value")),
    Hook(_OPS + "embedding_ops:embedding_lookup", ways.looked_up),
    Hook(_OPS + "embedding_ops:embedding_lookup_sparse", ways.sparsely),
    Hook(_OPS + "array_ops:boolean_mask", kinds.both(kinds.kinds("mask"), kinds.shapes("tensor"))),
    Hook(_OPS + "array_ops:sequence_mask", kinds.both(kinds.given("maxlen"), kinds.kinds("lengths"))),
    Hook(_OPS + "array_ops:sparse_placeholder", kinds.given("shape")),
    Hook(_OPS + "array_ops:meshgrid"),
    Hook(_OPS + "sparse_ops:sparse_retain"),
    Hook(_OPS + "math_ops:linspace_nd"),
    Hook(_OPS + "gen_math_ops:floor_div", kinds.dtype("x")),
    Hook(_OPS + "math_ops:trace"),
    # mathematics
    Hook(_OPS + "math_ops:_ReductionDims", ways.reduced),
    Hook(_OPS + "math_ops:reduce_logsumexp_v1", kinds.given("axis")),
    Hook(_OPS + "math_ops:accumulate_n"),
    Hook(_OPS + "clip_ops:clip_by_norm"),
    Hook(_OPS + "clip_ops:clip_by_global_norm"),
    # random numbers
    Hook(_OPS + "random_ops:random_uniform", ways.bounds),
    Hook(_OPS + "random_ops:random_gamma", kinds.given("beta")),
    Hook(_OPS + "random_ops:random_poisson_v2"),
    Hook(_OPS + "random_ops:multinomial"),
    # variables
    Hook(_OPS + "ref_variable:RefVariable._init_from_args", ways.initial),
    Hook(_OPS + "init_ops:Orthogonal.__call__", ways.matrix),
    Hook(_OPS + "ref_variable:RefVariable.initialized_value"),
    # neural networks
    Hook(_OPS + "nn_ops:softmax", ways.axis),
    Hook(_OPS + "nn_ops:log_softmax", ways.axis),
    Hook(_OPS + "nn_ops:softmax_cross_entropy_with_logits"),
    Hook(
        _OPS + "nn_ops:sparse_softmax_cross_entropy_with_logits",
        kinds.both(kinds.ranks("logits"), kinds.shapes("logits")),
    ),
    Hook(_OPS + "nn_ops:convolution_internal", ways.dilated),
    Hook(_OPS + "nn_ops:convolution", ways.dilated),
    Hook(_OPS + "nn_ops:atrous_conv2d", ways.spread),
    Hook(_OPS + "nn_impl:depthwise_conv2d"),
    Hook(_OPS + "nn_impl:separable_conv2d"),
    Hook(_OPS + "nn_impl:moments", ways.averaged),
    Hook(_OPS + "nn_impl:zero_fraction"),
    Hook(_OPS + "nn_ops:in_top_k"),
    Hook(_OPS + "nn_impl:_compute_sampled_logits"),
    Hook(_OPS + "nn_impl:sampled_softmax_loss", kinds.given("sampled_values")),
    Hook(_OPS + "losses.losses_impl:_num_present"),
    Hook(_OPS + "losses.losses_impl:_safe_mean"),
    Hook(_OPS + "losses.losses_impl:compute_weighted_loss", kinds.both(kinds.kinds("weights"), kinds.ranks("losses"))),
    # images
    Hook(_OPS + "image_ops_impl:per_image_standardization", kinds.shapes("image")),
    Hook(_OPS + "image_ops_impl:resize_image_with_crop_or_pad", kinds.shapes("image")),
    Hook(_OPS + "image_ops_impl:_random_flip", kinds.shapes("image")),
    Hook(_OPS + "image_ops_impl:adjust_brightness"),
    Hook(_OPS + "image_ops_impl:adjust_contrast"),
    Hook(_OPS + "image_ops_impl:adjust_saturation"),
    Hook(_OPS + "image_ops_impl:adjust_hue"),
    # control flow
    Hook(_OPS + "tensor_array_ops:_GraphTensorArray.__init__"),
    Hook(_OPS + "tensor_array_ops:_GraphTensorArray.size", ways.array_size),
    Hook(_OPS + "tensor_array_ops:_GraphTensorArray.read"),
    Hook(_OPS + "tensor_array_ops:_GraphTensorArray.write"),
    Hook(_OPS + "tensor_array_ops:_GraphTensorArray.stack"),
    Hook(_OPS + "tensor_array_ops:_GraphTensorArray.unstack"),
    Hook(_OPS + "map_fn:map_fn", ways.mapped),
    Hook(_OPS + "functional_ops:scan", ways.mapped),
    Hook(_OPS + "functional_ops:foldl", ways.mapped),
    Hook(_OPS + "control_flow_case:case", kinds.numbers("pred_fn_pairs")),
    Hook(_OPS + "check_ops:_binary_assert", ways.asserted),
    # recurrent networks
    Hook(_KERAS + "rnn.legacy_cell_wrappers:DropoutWrapper.__init__", ways.keeps),
    Hook(_KERAS + "rnn.legacy_cell_wrappers:DropoutWrapper._dropout", ways.wrapped),
    Hook(_OPS + "rnn:dynamic_rnn", ways.loop),
    Hook(_OPS + "rnn:static_rnn", kinds.kinds("sequence_length")),
    Hook(_OPS + "rnn_cell_impl:_concat", ways.joined),
    Hook(_KERAS + "rnn.legacy_cells:_concat", ways.joined),
    Hook(_KERAS + "rnn.legacy_cells:LayerRNNCell.__call__", ways.cell),
    # layers
    Hook(_OPS + "math_ops:tensordot", kinds.both(kinds.shapes("a", "b"), kinds.kinds("axes"))),
    Hook(_OPS + "confusion_matrix:confusion_matrix"),
    Hook(_KERAS + "convolutional.base_conv:Conv.call", ways.dilated_layer),
    Hook(_KERAS + "convolutional.conv2d_transpose:Conv2DTranspose.call", ways.enlarged),
    Hook(_KERAS + "normalization.batch_normalization:BatchNormalizationBase.call", ways.layer("fused")),
    Hook(_KERAS + "reshaping.flatten:Flatten.call", kinds.shapes("inputs")),
    Hook(_KERAS + "core.dense:Dense.build"),
    Hook(_KERAS + "core.dense:Dense.call", kinds.ranks("inputs")),
    # contrib
    Hook(_CONTRIB + "layers.layers.moments_batch_norm:moments_batch_norm", ways.normalized),
    Hook(_CONTRIB + "layers.normalization:group_norm"),
    Hook(_CONTRIB + "layers.normalization:layer_norm"),
    Hook(_CONTRIB + "layers.layers.activation:unit_norm"),
    Hook(_CONTRIB + "layers.encoders:bow_encoder"),
    Hook(_CONTRIB + "layers.embedding_ops:safe_embedding_lookup_sparse", kinds.given("sparse_weights", "default_id")),
    Hook(
        _CONTRIB + "layers.optimizers.optimize_loss:optimize_loss",
        kinds.given("gradient_noise_scale", "clip_gradients"),
    ),
    Hook(_CONTRIB + "slim.gradients:create_train_op"),
    Hook(_CONTRIB + "losses.loss_ops:weighted_mean", ways.weighted),
    Hook(_CONTRIB + "seq2seq.attention_wrapper.memory:prepare_memory", ways.remembered),
    Hook(_CONTRIB + "seq2seq.attention_wrapper.wrapper:AttentionWrapper.zero_state"),
    Hook(_CONTRIB + "seq2seq.attention_wrapper.wrapper:AttentionWrapper.call"),
    Hook(_CONTRIB + "seq2seq.helper.sampling:categorical_sample", kinds.shapes("logits")),
    Hook(_CONTRIB + "seq2seq.helper.sampling:bernoulli_sample", kinds.shapes("probs", "logits")),
    Hook(_CONTRIB + "seq2seq.decoder:dynamic_decode", ways.decoded),
    Hook(_CONTRIB + "seq2seq.loss:sequence_loss", ways.averaged_losses),
    # training
    Hook(_DECAY + ":polynomial_decay"),
    Hook(_DECAY + ":piecewise_constant", kinds.numbers("boundaries")),
    Hook(_TRAINING + "slot_creator:create_slot"),
    Hook(_TRAINING + "ftrl:FtrlOptimizer._prepare"),
    Hook(_TRAINING + "ftrl:FtrlOptimizer._apply_dense"),
    Hook(_TRAINING + "ftrl:FtrlOptimizer._apply_sparse"),
    Hook(_TRAINING + "ftrl:FtrlOptimizer._resource_apply_dense"),
    Hook(_TRAINING + "ftrl:FtrlOptimizer._resource_apply_sparse"),
    Hook(_TRAINING + "moving_averages:ExponentialMovingAverage.apply", ways.inside, times=kinds.tensors("var_list")),
    Hook(_TRAINING + "moving_averages:assign_moving_average", kinds.resources("variable")),
    Hook(_TRAINING + "saver:BaseSaverBuilder._AddRestoreOps", times=kinds.further("saveables")),
    Hook(_TRAINING + "saver:BaseSaverBuilder._build_internal"),
    Hook(_OPS + "parsing_ops:parse_single_example", ways.features),
    Hook(_TRAINING + "input:_batch"),
    Hook(_TRAINING + "input:_shuffle_batch"),
)
