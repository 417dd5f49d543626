"""`tensorflow.python`: where private modules of TensorFlow 1.x have gone; `tf2bridge.v1.private` knows the rest."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_MNIST = "NUM_CLASSES IMAGE_SIZE IMAGE_PIXELS inference loss training evaluation"

_PARAMETERS = "tf2bridge.v1.private.parameters"
_SOLVE = "matrix_triangular_solve_with_broadcast"

_EVENTS = "tensorboard.backend.event_processing"
"""Where the readers of event files went: they left TensorFlow with 1.1."""

_SEQUENCES, _IDENTITY = "python.feature_column.sequence_feature_column", "sequence_categorical_column_with_identity"

ALIASES = {
    "examples.tutorials.mnist.input_data": "contrib.learn.datasets.mnist",
    "models.rnn.rnn": "nn",
    "models.rnn.rnn_cell": "nn.rnn_cell",
    "models.rnn.seq2seq": "nn.seq2seq",
    "python.ops.variable_scope.variable": "Variable",
    "python.ops.convert_to_tensor_v2": "compat.v2.convert_to_tensor",
    "python.framework.ops.convert_to_tensor_v2": "compat.v2.convert_to_tensor",
    "python.feature_column.feature_column_lib.DenseFeatures": "keras.layers.DenseFeatures",
    "python.saved_model.loader_impl._parse_saved_model": "python.saved_model.loader_impl.parse_saved_model",
    "errors._impl": "python.framework.errors_impl",
    "python.training.server_lib.Server": "train.Server",
    "python.framework.ops.enable_eager_execution": "enable_eager_execution",
    "python.ops.image_ops_impl.adjust_jpeg_quality": "image.adjust_jpeg_quality",
    f"{_SEQUENCES}.{_IDENTITY}": f"feature_column.{_IDENTITY}",
    "__git_version__": "GIT_VERSION",
    "__compiler_version__": "COMPILER_VERSION",
    "__cxx11_abi_flag__": "CXX11_ABI_FLAG",
    "__monolithic_build__": "MONOLITHIC_BUILD",
}

_LOGGED = "DEBUG INFO WARN ERROR FATAL get_verbosity set_verbosity set_summary_writer _clear_summary_writer"
_LOGGERS = "log debug info warn error fatal"

_OP_LIBRARIES = "tf2bridge.v1.private.op_libraries"
_WRAPPERS = """array audio batch bitwise boosted_trees candidate_sampling checkpoint clustering collective control_flow
ctc cudnn_rnn data_flow dataset decode_proto encode_proto experimental_dataset functional image io linalg list logging
lookup manip math nccl nn parsing ragged_array ragged_conversion ragged_math random resource_variable rnn script sdca
set sparse spectral state stateful_random stateless_random string summary tpu user"""
_GENERATED = ("python.framework.test_ops", *(f"python.ops.gen_{part}_ops" for part in _WRAPPERS.split()))
"""The modules that wrap ops, generated from their definitions."""

OWN = {
    **names("models.rnn.ptb.reader", "tf2bridge.v1.tutorials.ptb", "ptb_raw_data ptb_iterator ptb_producer"),
    **names("python.util.tf_inspect", "tf2bridge.behaviour.inspection", "getfullargspec"),
    **names("python.framework.function", _PARAMETERS, "Defun func_graph_from_py_func"),
    **names("python.tools.freeze_graph", _PARAMETERS, "freeze_graph freeze_graph_with_def_protos"),
    **names("python.ops.control_flow_ops", _PARAMETERS, "exit"),
    **names("python.debug", _PARAMETERS, "watch_graph watch_graph_with_blacklists WatchOptions"),
    **names("python.debug.lib.debug_utils", _PARAMETERS, "watch_graph watch_graph_with_blacklists"),
    **names("python.debug.wrappers.framework", _PARAMETERS, "WatchOptions"),
    **names("python.util.nest", _PARAMETERS, "assert_shallow_structure flatten_up_to"),
    **names("python.framework.op_def_registry", "tf2bridge.behaviour.inspection", "get_registered_ops"),
    **names("python.framework.op_def_registry", _OP_LIBRARIES, "register_op_list"),
    **names("python.framework.op_def_library", _OP_LIBRARIES, "OpDefLibrary"),
    **names("python.framework.op_callbacks", "tf2bridge.v1.private.op_callbacks", "op_callback"),
    **names("python.training.tensorboard_logging", "tf2bridge.v1.private.tensorboard_logging", f"{_LOGGED} {_LOGGERS}"),
    **{f"{module}._op_def_lib": f"{_OP_LIBRARIES}:_op_def_lib" for module in _GENERATED},
    **names("python.ops.linalg.linear_operator_util", "tf2bridge.v1.private.algebra", _SOLVE),
    **names("examples.tutorials.mnist.mnist", "tf2bridge.v1.tutorials.mnist", _MNIST),
    **names("python.util.all_util", "tf2bridge.behaviour.inspection", "reveal_undocumented"),
    **names(
        "python.summary.event_accumulator", "tf2bridge.v1.private.events", "EventAccumulator COMPRESSED_HISTOGRAMS"
    ),
    **names("python.summary.event_multiplexer", "tf2bridge.v1.private.events", "EventMultiplexer"),
    **names("python.summary.impl.io_wrapper", "tf2bridge.v1.private.events", "ListRecursively"),
    **names("python.summary.impl.event_file_loader", "tf2bridge.v1.private.events", "EventFileLoader"),
    **names("python.estimator.canned.prediction_keys", "tf2bridge.estimator.heads.keys", "PredictionKeys"),
    **names("python.estimator.canned.metric_keys", "tf2bridge.estimator.heads.keys", "MetricKeys"),
}

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
    "python.keras._impl.keras": "keras",
    "python.platform.flags": "flags",
    "python.platform.app": "app",
    "python.platform.gfile": "gfile",
    "python.platform.logging": "logging",
    "python.platform.tf_logging": "logging",
    "python.platform.test": "test",
    "python.platform.googletest": "test",
    "python.util.nest": "contrib.framework.nest",
    "python.tpu.tpu": "tpu",
    "python.tpu.tpu_optimizer": "tpu",
    "python.tpu.ops.tpu_ops": "tpu",
    "python.pywrap_tensorflow.NewCheckpointReader": "train.NewCheckpointReader",
}

_KERAS = "tf_keras.src"
_CONTROL_FLOW = "control_flow_ops control_flow_case control_flow_switch_case control_flow_assert cond while_loop"
_WRAPPED = (
    "client.pywrap_tf_session client._pywrap_events_writer client._pywrap_device_lib lib.io._pywrap_file_io "
    "lib.io._pywrap_record_io util._pywrap_utils util._pywrap_util_port util._pywrap_checkpoint_reader "
    "util._pywrap_tfprof util._pywrap_stat_summarizer util._pywrap_kernel_registry util._pywrap_transform_graph"
)


def _modules(package: str, listed: str) -> str:
    return " ".join(f"{package}.{name}" for name in listed.split())


HELD = {
    "python.training.checkpoint_management": "tensorflow.python.checkpoint.checkpoint_management",
    "python.summary.event_accumulator": _modules(_EVENTS, "event_accumulator io_wrapper"),
    "python.summary.event_multiplexer": _modules(_EVENTS, "event_multiplexer io_wrapper"),
    "python.summary.event_file_inspector": f"{_EVENTS}.event_file_inspector",
    "python.summary.impl": _EVENTS,
    "python.pywrap_tensorflow": _modules("tensorflow.python", _WRAPPED),
    "python.ops.control_flow_ops": _modules("tensorflow.python.ops", _CONTROL_FLOW),
    "python.keras": _KERAS,
    "python.keras._impl.keras": _KERAS,
    "python.layers.base": f"{_KERAS}.legacy_tf_layers.base",
    "python.layers.core": f"{_KERAS}.legacy_tf_layers.core",
    "python.layers.convolutional": f"{_KERAS}.legacy_tf_layers.convolutional",
    "python.layers.normalization": f"{_KERAS}.legacy_tf_layers.normalization",
    "python.layers.pooling": f"{_KERAS}.legacy_tf_layers.pooling",
    "python.ops.rnn_cell_impl": f"{_KERAS}.layers.rnn.legacy_cells",
    "python.ops.rnn_cell": f"{_KERAS}.layers.rnn.legacy_cells",
    "python.training.training_ops": "tensorflow.python.ops.gen_training_ops",
    "python.training.gen_training_ops": "tensorflow.python.ops.gen_training_ops",
    "python.training.distribution_strategy_context": "tensorflow.python.distribute.distribute_lib",
    "python.distribute.distribution_strategy_context": "tensorflow.python.distribute.distribute_lib",
    "python.keras.engine.topology": f"{_KERAS}.engine.base_layer",
    "python.keras._impl.keras.engine.topology": f"{_KERAS}.engine.base_layer",
    "python.training.checkpointable": "tensorflow.python.trackable",
    "python.training.tracking": "tensorflow.python.trackable",
}
