"""Single names of private modules whose implementation is in another module of TensorFlow 2, or in tf2bridge."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_OPS = "tensorflow.python.ops"
_REF_VARIABLES = f"{_OPS}.ref_variable"
_SHAPES = "tf2bridge.v1.private.shapes"

_OF_SHAPES = "RegisterShape register_dense_tensor_like_type set_shapes_for_outputs"

_SHAPE_FUNCTIONS = (
    "call_cpp_shape_fn scalar_shape unchanged_shape no_outputs unknown_shape "
    "unchanged_shape_with_rank unchanged_shape_with_rank_at_least unchanged_shape_with_rank_at_most"
)

_NEST = "tensorflow.python.util.nest"
_ERRORS_OF_NEST = (
    "STRUCTURES_HAVE_MISMATCHING_LENGTHS STRUCTURES_HAVE_MISMATCHING_TYPES SHALLOW_TREE_HAS_INVALID_KEYS "
    "IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ"
)

_KERAS_TRAINING = "tf_keras.src.engine.training_utils_v1"

_FIRST_OPTIMIZERS = "tf_keras.src.optimizers.optimizer_v1"
_OPTIMIZERS = "SGD RMSprop Adagrad Adadelta Adam Adamax Nadam"

_THREADS = "tf2bridge.v1.private.thread_pools"

_OF_TESTS = "run_in_graph_and_eager_modes use_deterministic_cudnn"

_MIXED = "python.training.experimental.mixed_precision"
_REWRITES = "enable_mixed_precision_graph_rewrite disable_mixed_precision_graph_rewrite"

_DEBUGGERS = "tf2bridge.v1.debuggers"
_DEBUG_SESSIONS = "LocalCLIDebugWrapperSession DumpingDebugWrapperSession GrpcDebugWrapperSession"
_DEBUG_HOOKS = "LocalCLIDebugHook DumpingDebugHook GrpcDebugHook"

OWN = {
    **names("python.debug", _DEBUGGERS, f"{_DEBUG_SESSIONS} {_DEBUG_HOOKS}"),
    **names("python.debug.wrappers.hooks", _DEBUGGERS, _DEBUG_HOOKS),
    **names("python.debug.wrappers.local_cli_wrapper", _DEBUGGERS, "LocalCLIDebugWrapperSession"),
    **names("python.debug.wrappers.dumping_wrapper", _DEBUGGERS, "DumpingDebugWrapperSession"),
    **names("python.debug.wrappers.grpc_wrapper", _DEBUGGERS, "GrpcDebugWrapperSession"),
    **names("python.ops.variables", _REF_VARIABLES, "RefVariable"),
    **names("python.ops.custom_gradient", "tf2bridge.v1.private.reachable", "get_dependent_variables"),
    "python.ops.resource_variable_ops.variable_handle_from_shape_and_dtype": (
        f"{_OPS}.resource_variable_ops:_variable_handle_from_shape_and_dtype"
    ),
    **names("python.ops.functional_ops", "tf2bridge.v1.private.partitioned", "partitioned_call"),
    **{f"{_MIXED}.{name}": f"tensorflow.{_MIXED}:{name}_v1" for name in _REWRITES.split()},
    "python.ops.nn_impl.l2_normalize_v2": f"{_OPS}.nn_impl:l2_normalize",
    **names("python.ops.variable_scope", _REF_VARIABLES, "default_variable_creator"),
    **names("python.eager.tape", "tensorflow.python.eager.record", "stop_recording"),
    **names("python.estimator.util", "tensorflow.python.util.function_utils", "fn_args"),
    **names("python.framework.tensor_shape", _SHAPES, "scalar vector matrix"),
    **names("python.framework.ops", _SHAPES, _OF_SHAPES),
    **names("python.framework.common_shapes", _SHAPES, _SHAPE_FUNCTIONS),
    **{f"python.util.nest._{name}": f"{_NEST}:{name}" for name in _ERRORS_OF_NEST.split()},
    **names("python.data.experimental.ops.threadpool", _THREADS, "PrivateThreadPool override_threadpool"),
    **names("python.framework.error_interpolation", "tf2bridge.behaviour.inspection", "create_graph_debug_info_def"),
    **names("python.saved_model.nested_structure_coder", "tf2bridge.v1.private.structures", "StructureCoder"),
    **names("python.layers.utils", "tf2bridge.v1.private.reachable", "get_reachable_from_inputs"),
    **names("python.ops.array_ops", "tensorflow.python.ops.tensor_getitem_override", "_SLICE_TYPE_ERROR"),
    **names("python.framework.composite_tensor_utils", _KERAS_TRAINING, "is_composite_or_composite_value"),
    "python.framework.composite_tensor_utils.append_composite_tensor": f"{_KERAS_TRAINING}:_append_composite_tensor",
    **names("python.training.tracking.tracking", "tf_keras.src.utils.layer_utils", "cached_per_instance"),
    **names("python.keras.utils.tf_utils", "tensorflow.python.framework.smart_cond", "smart_cond"),
    **names("python.data.ops.dataset_ops", "tf2bridge.v1.private.data_classes", "MapDataset ParallelMapDataset"),
    **names("python.data.ops.dataset_ops", "tensorflow.python.data.ops.from_generator_op", "_GeneratorDataset"),
    "python.framework.ops._set_call_cpp_shape_fn": f"{_SHAPES}:set_call_cpp_shape_fn",
    "python.framework.ops._TensorLike": "tensorflow.python.types.internal:NativeObject",
    "python.framework.tensor_like._TensorLike": "tensorflow.python.types.internal:NativeObject",
    **names("python.framework.ops", "tensorflow.python.framework.stack", "_default_session_stack"),
    **names("python.ops.variable_scope", "tf2bridge.behaviour.old_state.variable_scopes", "_VARSCOPE_KEY"),
    **names("python.eager.context", "tf2bridge.v1.private.modes", "in_graph_mode"),
    "python.eager.context.in_eager_mode": "tensorflow.python.eager.context:executing_eagerly",
    **names("logging", "tf2bridge.v1.private.modes", "_logger _level_names"),
    "logging._get_logger": "tensorflow.python.platform.tf_logging:get_logger",
    "python.keras.callbacks.TensorBoard": "tf_keras.src.callbacks:TensorBoard",  # tf.keras has another, of callbacks_v1
    **names("python.keras.optimizers", _FIRST_OPTIMIZERS, f"{_OPTIMIZERS} Optimizer"),
    **{f"python.keras.optimizers.{name.lower()}": f"{_FIRST_OPTIMIZERS}:{name}" for name in _OPTIMIZERS.split()},
    "python.keras.engine.network.Network": "tf_keras.src.engine.training:Model",
    "python.ops.rnn_cell_impl._LayerRNNCell": "tf_keras.src.layers.rnn.legacy_cells:LayerRNNCell",
    "python.ops.rnn_cell_impl.assert_like_rnncell": "tf_keras.src.layers.rnn.legacy_cell_wrappers:assert_like_rnncell",
    "test.TestCase": "tf2bridge.v1.test_case:TestCase",
    **names("python.framework.test_util", "tf2bridge.v1.test_case", _OF_TESTS),
    **names("python.ops.parallel_for.test_util", "tf2bridge.v1.test_case", "PForTestCase"),
    "python.framework.test_util.TensorFlowTestCase": "tf2bridge.v1.test_case:TestCase",
    **names("python.pywrap_tensorflow", "tf2bridge.v1.private.wrapped", "TF_bfloat16_type TF_PickUnusedPortOrDie"),
    "python.util.tf_export.estimator_export": "tensorflow.python.util.tf_export:tf_export",
}

HELD = {"python.tf2": "tf2bridge.v1.private.v2_switch"}
"""Its state is set from outside: what is set reaches a module that is held."""

ALIASES = {
    "python.framework.versions.__version__": "__version__",
    "python.framework.versions.__git_version__": "__git_version__",
    "python.framework.versions.__compiler_version__": "__compiler_version__",
}
