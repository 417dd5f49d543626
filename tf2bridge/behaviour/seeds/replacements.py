"""The replacements of each release: the rules of this package, each with the function that it replaces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tf2bridge.behaviour.seeds import (
    bodies,
    checked,
    contractions,
    datasets,
    derivatives,
    diagonals,
    dropout,
    early,
    flow,
    images,
    loops,
    measures,
    named,
    resources,
    rules,
    signals,
    tables,
)
from tf2bridge.patching import Function


@dataclass(frozen=True)
class Rule:
    """A replacement for the function at `where` ("module:name" or "module:Class.method") in these releases.

    A release of `table.FAMILIES` is one of them if it or its family is listed, unless it is in `but`.
    """

    where: str
    releases: tuple[str, ...]
    replace: Callable[[Function], Function]
    but: tuple[str, ...] = ()

    def applies(self, release: str, family: str) -> bool:
        return release not in self.but and bool({release, family} & set(self.releases))


_NN = "tensorflow.python.ops.nn_ops:"
_ENTROPY = "softmax_cross_entropy_with_logits"
_STATE = "tensorflow.python.ops.control_flow_state:"
_BATCH_NORM = "tf_keras.src.layers.normalization.batch_normalization:BatchNormalizationBase.call"
_ALL = ("0.12.1", "1.4.1", "1.12.3", "1.15.5")
_OPS = "tensorflow.python.ops."
_FRAMEWORK = "tensorflow.python.framework.ops:"
_IMAGE = _OPS + "image_ops_impl:"
_ORTHOGONAL = ("ConvolutionDeltaOrthogonal", *(f"ConvolutionOrthogonal{rank}D" for rank in (1, 2, 3)))
_MFCC = "mfcc_ops:mfccs_from_log_mel_spectrograms"
_TRANSFORMS = ("rfft", "rfft2d", "rfft3d", "irfft", "irfft2d", "irfft3d")
_DIAGONALS = (("diag", "MatrixDiag"), ("diag_part", "MatrixDiagPart"), ("set_diag", "MatrixSetDiag"))

_NAMES = (
    Rule(_OPS + "random_ops:random_uniform", _ALL, named.scaled_uniform),
    Rule(_OPS + "gradients_util:_DefaultGradYs", _ALL[:2], named.filled_ones(named=False)),
    Rule(_OPS + "gradients_util:_DefaultGradYs", _ALL[2:], named.filled_ones(named=True)),
    Rule(_OPS + "lookup_ops:MutableHashTable.lookup", _ALL, named.second),
    Rule(_OPS + "math_ops:linspace_nd", _ALL, named.one_interval),
    Rule(_OPS + "gen_parsing_ops:parse_example_v2", _ALL, named.parsed_at_once),
    Rule(_OPS + "gen_parsing_ops:parse_sequence_example_v2", _ALL, named.sequences_at_once),
    Rule(_OPS + "parsing_ops:_parse_sequence_example_raw", _ALL, named.unscoped("ParseSequenceExample")),
    Rule(_OPS + "embedding_ops:_embedding_lookup_and_transform", _ALL[:2], named.one_gather),
    Rule(_OPS + "array_ops:gather", _ALL[:2], named.called("Gather")),
    Rule(_OPS + "array_ops:matrix_diag", _ALL[:3], named.called("MatrixDiag")),
    Rule(_OPS + "nn_impl:fused_batch_norm", _ALL[:3], named.called("FusedBatchNorm")),
    Rule(_FRAMEWORK + "Graph.name_scope", _ALL, named.scoped),
    Rule(_FRAMEWORK + "internal_name_scope_v1.__init__", _ALL[:3], named.without_default),
    Rule(_NN + "softmax_cross_entropy_with_logits_v2_helper", _ALL[:2], named.unscoped(_ENTROPY)),
    Rule(_NN + "softmax_cross_entropy_with_logits", _ALL[:2], named.unscoped(_ENTROPY + "_sg")),
    Rule(_IMAGE + "resize_images", _ALL[:2], named.unscoped("resize")),
    Rule(_IMAGE + "resize_image_with_crop_or_pad", _ALL[:2], named.unscoped("resize_image_with_crop_or_pad")),
    Rule(_IMAGE + "central_crop", _ALL[:2], named.unscoped("central_crop")),
    Rule(_IMAGE + "_flip", _ALL[:2], named.unscoped("flip_left_right", "flip_up_down")),
    Rule(_IMAGE + "_random_flip", _ALL[:2], named.unscoped("random_flip_left_right", "random_flip_up_down")),
    Rule(_IMAGE + "per_image_standardization", _ALL[:2], named.unscoped("per_image_standardization")),
)
"""For programs that fetch by name: the functions with other names of results, and in which releases."""

_LOOPS = (
    Rule(_OPS + "while_loop:while_loop", _ALL[:3], loops.uncounted),
    Rule(_OPS + "rnn:_transpose_batch_time", _ALL[:2], loops.turned),
    Rule(_OPS + "rnn:dynamic_rnn", _ALL[:2], loops.turned_outside),
    Rule(_OPS + "rnn:_dynamic_rnn_loop", _ALL[:2], loops.within),
    *(Rule(_OPS + f"functional_ops:{name}", _ALL[:3], loops.without_counter) for name in ("foldl", "foldr")),
    Rule(_OPS + "functional_ops:scan", _ALL[:2], loops.without_counter),
    Rule(_OPS + "map_fn:map_fn", _ALL[:2], loops.without_counter),
)

_BODIES = (
    Rule(_OPS + "nn_impl:fused_batch_norm", _ALL[:1], bodies.a_little_more),
    Rule(_OPS + "nn_impl:fused_batch_norm", _ALL[1:], bodies.at_least),
    Rule(_OPS + "nn_impl:weighted_moments", _ALL, bodies.by_reciprocal),
    Rule(_OPS + "math_ops:angle", _ALL[2:], bodies.of_real_numbers),
    Rule(_OPS + "math_ops:saturate_cast", _ALL, bodies.by_limits),
    Rule(_OPS + "linalg.linalg_impl:tridiagonal_solve", _ALL[3:], bodies.turned_back),
    Rule(_IMAGE + "_resize_image_with_pad_common", _ALL[2:], bodies.in_double),
    Rule(_IMAGE + "adjust_jpeg_quality", _ALL[2:3], bodies.encoded(variable=False)),
    Rule(_IMAGE + "adjust_jpeg_quality", _ALL[3:], bodies.encoded(variable=True)),
    Rule(_IMAGE + "random_jpeg_quality", _ALL[2:3], bodies.drawn_once),
)
"""Functions with other results in TensorFlow 2."""

RULES = (
    Rule("tensorflow.python.ops.variables:_try_guard_against_uninitialized_dependencies", ("0.12.1",), rules.skip),
    Rule(_STATE + "_GradLoopState.AddForwardAccumulator", ("0.12.1",), rules.cheaper_stack),
    Rule(_STATE + "_GradLoopState.GetRealValue", ("0.12.1",), flow.kept_constants),
    Rule("tensorflow.python.framework.constant_op:is_constant", ("0.12.1",), flow.no_constant),
    Rule(_OPS + "control_flow_ops:CondContext.BuildCondBranch", ("0.12.1",), flow.switched_variables),
    Rule(_OPS + "rnn:_best_effort_input_batch_size", ("0.12.1",), flow.size_of_session),
    Rule("tensorflow.python.framework.op_def_library:_ExtractInputsAndAttrs", _ALL, early.one_empty_list),
    Rule("tensorflow.python.training.moving_averages:_zero_debias", ("0.12.1",), early.debiased_from_one),
    Rule(_OPS + "math_ops:_ReductionDims", ("0.12.1",), early.axes_by_rank),
    Rule("tf_keras.src.optimizers.utils:all_reduce_sum_gradients", _ALL, rules.skip),
    Rule("tensorflow.python.ops.array_ops:zeros_like", ("0.12.1",), early.zeros_by_value),
    Rule("tensorflow.python.ops.array_ops:zeros_like_v2", ("0.12.1",), early.zeros_by_value),
    Rule(_STATE + "_ControlFlowState.ProcessUnusedLoopExits", ("0.12.1",), flow.without_enters),
    Rule("tensorflow.python.training.optimizer:_deduplicate_indexed_slices", ("0.12.1",), early.rows_as_they_are),
    Rule(_STATE + "_ZerosLikeV1", _ALL[:2], rules.zeros_at_once),
    Rule("tensorflow.python.ops.gradients_util:_MarkReachedOps", _ALL[:1], rules.reach_all(flows=False)),
    Rule("tensorflow.python.ops.gradients_util:_MarkReachedOps", _ALL[1:2], rules.reach_all(flows=True)),
    Rule(_OPS + "resource_variable_ops:BaseResourceVariable._lazy_read", _ALL[:2], resources.read_at_once),
    Rule("tensorflow.python.training.saving.saveable_object_util:op_list_to_dict", _ALL[:2], resources.read_to_save),
    Rule(
        "tensorflow.python.training.optimizer:Optimizer._create_non_slot_variable", _ALL[:2], resources.placed_together
    ),
    *(Rule(_OPS + f"clip_ops:{name}", _ALL[:3], rules.densify) for name in ("clip_by_norm", "clip_by_value")),
    Rule(_OPS + "check_ops:assert_equal", _ALL[:3], checked.compared_with_itself),
    Rule(_OPS + "check_ops:_binary_assert", _ALL[:1], checked.found_when_run(equality=False)),
    Rule(_OPS + "check_ops:_binary_assert", _ALL[1:3], checked.found_when_run(equality=True)),
    Rule(_OPS + "math_ops:div_no_nan", _ALL[:2], checked.selected_quotient(zeros=False)),
    Rule(_OPS + "math_ops:div_no_nan", _ALL[2:3], checked.selected_quotient(zeros=True)),
    Rule(_OPS + "metrics_impl:mean", _ALL[:3], early.inside),
    *(
        Rule(_OPS + f"metrics_impl:{name}", _ALL[2:3], early.inside)
        for name in ("mean_tensor", "mean_per_class_accuracy")
    ),
    Rule(_NN + "leaky_relu", _ALL[:3], checked.larger_of_two),
    Rule("tensorflow.python.eager.backprop_util:AggregateIndexedSlicesGradients", _ALL[:3], rules.join_slices),
    Rule("tensorflow.python.ops.math_ops:matmul", _ALL[:3], rules.plain_product),
    Rule("tensorflow.python.framework.ops:_op_to_colocate_with", _ALL[:3], resources.read_where_placed),
    Rule(
        "tensorflow.python.training.optimizer:Optimizer._create_non_slot_variable", _ALL[:3], resources.plain_variables
    ),
    Rule("tensorflow.python.data.ops.dataset_ops:DatasetV2.__init__", _ALL[:3], rules.unmeasured),
    Rule(
        "tensorflow.python.data.ops.dataset_ops:DatasetV1._make_initializable_iterator", _ALL[3:], rules.optimize_data
    ),
    Rule("tensorflow.python.ops.gen_dataset_ops:shuffle_dataset", _ALL[:3], datasets.seed_twice),
    Rule(
        "tensorflow.python.data.ops.structured_function:StructuredFunctionWrapper.__init__",
        _ALL[:3],
        datasets.without_graph_seed,
    ),
    Rule("tf2bridge.contrib.seq2seq.attention_wrapper.wrapper:AttentionWrapperState.clone", _ALL[:2], rules.skip),
    Rule(_OPS + "nn_impl:_compute_sampled_logits", _ALL[:2], early.inside),
    Rule(_OPS + "embedding_ops:embedding_lookup_sparse", _ALL[:2], early.inside),
    Rule("tensorflow.python.ops.nn_impl:_sum_rows", _ALL[:2], early.rows_by_shape),
    Rule("tensorflow.python.ops.array_ops:gather", _ALL[:2], early.looked_up_once),
    Rule("tensorflow.python.ops.math_ops:tensordot", _ALL, early.as_matrices),
    Rule(_IMAGE + "per_image_standardization", _ALL[3:], images.in_own_type),
    Rule(_OPS + "special_math_ops:einsum", _ALL[:1], contractions.in_order(named=False)),
    Rule(_OPS + "special_math_ops:einsum", (*_ALL[1:3], "1.14.0"), contractions.in_order(named=True)),
    Rule(_OPS + "special_math_ops:einsum", _ALL[3:], contractions.in_pairs, but=("1.14.0",)),
    Rule(_OPS + "check_ops:is_non_decreasing", _ALL, checked.by_difference("less_equal")),
    Rule(_OPS + "check_ops:is_strictly_increasing", _ALL, checked.by_difference("less")),
    *(Rule(_OPS + f"array_ops:matrix_{name}", _ALL, diagonals.by(operation)) for name, operation in _DIAGONALS),
    *(Rule(_OPS + f"signal.{name}", _ALL, signals.in_float32) for name in ("dct_ops:_dct_internal", _MFCC)),
    *(Rule(_OPS + f"signal.fft_ops:{name}", _ALL, signals.of_single_precision) for name in _TRANSFORMS),
    Rule(_OPS + "signal.dct_ops:_validate_dct_arguments", _ALL, signals.of_three_types),
    Rule(_OPS + "signal.spectral_ops:inverse_stft_window_fn", _ALL, signals.divided_by_zero),
    Rule(_OPS + "losses.losses_impl:softmax_cross_entropy", _ALL[:3], measures.by_second_size),
    Rule(_OPS + "losses.losses_impl:mean_pairwise_squared_error", _ALL[:2], measures.of_all_pairs),
    Rule(_OPS + "clip_ops:clip_by_global_norm", _ALL[:2], measures.of_any_norm(checked=False)),
    Rule(_OPS + "clip_ops:clip_by_global_norm", _ALL[2:3], measures.of_any_norm(checked=True)),
    Rule(_OPS + "metrics_impl:_num_relevant", _ALL[:3], measures.of_all_labels),
    *(Rule(_OPS + f"init_ops:{name}.__call__", _ALL[:3], measures.by_root_of_gain) for name in _ORTHOGONAL),
    Rule(_OPS + "lookup_ops:DenseHashTable.__init__", _ALL[:3], tables.without_deleted_key),
    Rule(_OPS + "array_grad:_BatchGatherGrad", _ALL[3:], derivatives.by_sizes_as_they_were),
    Rule(_BATCH_NORM, _ALL[:2], early.selecting_moments),
    Rule("tf_keras.src.utils.control_flow_util:smart_cond", _ALL[:2], early.selected),
    *(Rule(_NN + name, _ALL[:2], dropout.by_keep_prob(early=True)) for name in ("dropout", "dropout_v2")),
    *(
        Rule(_NN + name, _ALL[2:3], dropout.by_keep_prob(early=False), but=("1.13.2",))
        for name in ("dropout", "dropout_v2")
    ),
    Rule(_NN + "dropout_v2", ("1.13.2",), dropout.by_the_rest),
    Rule(_NN + "dropout_v2", _ALL[3:], dropout.by_rate),
    *_NAMES,
    *_BODIES,
    *_LOOPS,
)
