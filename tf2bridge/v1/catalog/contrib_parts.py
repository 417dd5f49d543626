"""The small parts of `tf.contrib` that are neither aliases nor worth a list of their own."""

from __future__ import annotations

from tf2bridge.v1.listing import names, same

_HERE = "tf2bridge.contrib"
_PROJECTOR = "contrib.tensorboard.plugins.projector"
_ANALYZER = "contrib.tfprof.model_analyzer"
_OPTIONS = "TRAINABLE_VARS_PARAMS_STAT_OPTIONS FLOAT_OPS_OPTIONS PRINT_ALL_TIMING_MEMORY"
_TRACKING = "tensorflow.python.trackable"
_SCALES = "LossScaleManager FixedLossScaleManager ExponentialUpdateLossScaleManager LossScaleOptimizer"
_READING = "assert_summary to_summary_proto latest_event_file latest_events latest_summaries simple_values_from_events"
_LOGGER = "tensorflow.python.profiler.tfprof_logger"

OWN = {
    **names(
        _PROJECTOR,
        f"{_HERE}.tensorboard.projector",
        "DESCRIPTOR PROJECTOR_FILENAME EmbeddingInfo ProjectorConfig SpriteMetadata visualize_embeddings",
    ),
    **names(_ANALYZER, f"{_HERE}.tfprof.model_analyzer", f"{_OPTIONS} print_model_analysis advise"),
    **names("contrib.tfprof.tfprof_logger", f"{_HERE}.tfprof.model_analyzer", "TRAINABLE_VARIABLES write_op_log"),
    "contrib.tfprof.python.tools.tfprof.tfprof_logger._get_logged_ops": f"{_LOGGER}:_get_logged_ops",
    "contrib.tfprof.python.tools.tfprof.tfprof_logger._merge_default_with_oplog": f"{_LOGGER}:merge_default_with_oplog",
    **names("contrib.sparsemax", f"{_HERE}.sparsemax.projection", "sparsemax sparsemax_loss"),
    **names("contrib.mixed_precision", f"{_HERE}.mixed_precision.loss_scale", _SCALES),
    **names("contrib.resampler", f"{_HERE}.resampler.bilinear", "resampler"),
    **names("contrib.testing", f"{_HERE}.testing.summaries", _READING),
    "contrib.testing.FakeSummaryWriter": f"{_HERE}.testing.writers:FakeSummaryWriter",
    **names("contrib.predictor", f"{_HERE}.predictor.predictors", "from_saved_model from_estimator"),
    **names("contrib.distribute", f"{_HERE}.distribute.strategies", "MirroredStrategy"),
    **names("contrib.staging", "tensorflow.python.ops.data_flow_ops", "StagingArea"),
    **names(
        "contrib.util", "tensorflow.python.framework.meta_graph", "ops_used_by_graph_def stripped_op_list_for_graph"
    ),
    **names("contrib.checkpoint", f"{_TRACKING}.data_structures", "List Mapping NoDependency"),
    **names(
        "contrib.checkpoint",
        "tensorflow.python.checkpoint.checkpoint",
        "capture_dependencies list_objects object_metadata",
    ),
    "contrib.checkpoint.Checkpointable": f"{_TRACKING}.autotrackable:AutoTrackable",
    "contrib.checkpoint.CheckpointableBase": f"{_TRACKING}.base:Trackable",
    "contrib.checkpoint.CheckpointableObjectGraph": "tensorflow.core.protobuf.trackable_object_graph_pb2:"
    "TrackableObjectGraph",
    **names(
        "contrib.saved_model.python.saved_model.reader",
        "tensorflow.python.tools.saved_model_utils",
        "read_saved_model get_saved_model_tag_sets",
    ),
}

ALIASES = {
    "contrib.checkpoint.CheckpointManager": "train.CheckpointManager",
    "contrib.checkpoint.PythonStateWrapper": "train.experimental.PythonState",
    "contrib.hooks.ProfilerHook": "train.ProfilerHook",
    "contrib.tensorboard.plugins.projector.projector_config_pb2": _PROJECTOR,
    f"{_ANALYZER}.Profiler": "profiler.Profiler",
    f"{_ANALYZER}.tfprof_logger": "contrib.tfprof.tfprof_logger",
    **same("contrib.testing.python.framework.util_test", "contrib.testing", _READING),
    **same("contrib.predictor.predictor_factories", "contrib.predictor", "from_saved_model from_estimator"),
    **same("contrib.testing.summary_pb2", "", "HistogramProto Summary SummaryMetadata"),
    "contrib.testing.summary_pb2.SummaryDescription": "summary.SummaryDescription",
    "contrib.util.loader.load_op_library": "load_op_library",
}
