"""Single names of private modules that lie in another module of TensorFlow 2, or are a line of ours."""

from __future__ import annotations

from tf2bridge.v1.listing import names

_REF_VARIABLES = "tensorflow.python.ops.ref_variable"
_SHAPES = "tf2bridge.v1.private.shapes"

_OF_SHAPES = "RegisterShape register_dense_tensor_like_type set_shapes_for_outputs"

_OF_TESTS = "run_in_graph_and_eager_modes use_deterministic_cudnn"

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
    **names("python.ops.variable_scope", _REF_VARIABLES, "default_variable_creator"),
    **names("python.eager.tape", "tensorflow.python.eager.record", "stop_recording"),
    **names("python.estimator.util", "tensorflow.python.util.function_utils", "fn_args"),
    **names("python.framework.tensor_shape", _SHAPES, "vector matrix"),
    **names("python.framework.ops", _SHAPES, _OF_SHAPES),
    **names("python.framework.common_shapes", _SHAPES, "call_cpp_shape_fn"),
    "python.framework.ops._set_call_cpp_shape_fn": f"{_SHAPES}:set_call_cpp_shape_fn",
    "python.framework.ops._TensorLike": "tensorflow.python.types.internal:NativeObject",
    "python.framework.tensor_like._TensorLike": "tensorflow.python.types.internal:NativeObject",
    **names("python.framework.ops", "tensorflow.python.framework.stack", "_default_session_stack"),
    **names("python.ops.variable_scope", "tf2bridge.v1.old_state.variable_scopes", "_VARSCOPE_KEY"),
    **names("python.eager.context", "tf2bridge.v1.private.modes", "in_graph_mode"),
    "python.eager.context.in_eager_mode": "tensorflow.python.eager.context:executing_eagerly",
    **names("logging", "tf2bridge.v1.private.modes", "_logger _level_names"),
    "logging._get_logger": "tensorflow.python.platform.tf_logging:get_logger",
    "python.keras.engine.network.Network": "tf_keras.src.engine.training:Model",
    "python.ops.rnn_cell_impl._LayerRNNCell": "tf_keras.src.layers.rnn.legacy_cells:LayerRNNCell",
    "test.TestCase": "tf2bridge.v1.test_case:TestCase",
    **names("python.framework.test_util", "tf2bridge.v1.test_case", _OF_TESTS),
    "python.framework.test_util.TensorFlowTestCase": "tf2bridge.v1.test_case:TestCase",
    "python.util.tf_export.estimator_export": "tensorflow.python.util.tf_export:tf_export",
}
