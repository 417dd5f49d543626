"""The parts of `tf.contrib` that TensorFlow 2 holds itself, and that have no folder here."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PYTHON = "tensorflow.python"
_TRACKING = f"{_PYTHON}.trackable"
_OBJECTS = "capture_dependencies list_objects object_metadata"

_SUMMARY = "contrib.summary"
_SUMMARY_OPS = f"{_PYTHON}.ops.summary_ops_v2"
_SUMMARY_FUNCTIONS = (
    "SummaryWriter always_record_summaries audio create_file_writer create_summary_file_writer eval_dir generic "
    "histogram image import_event initialize never_record_summaries record_summaries_every_n_global_steps scalar "
    "summary_writer_initializer_op"
)

_SIGNAL = (
    "frame hamming_window hann_window inverse_stft inverse_stft_window_fn linear_to_mel_weight_matrix "
    "mfccs_from_log_mel_spectrograms overlap_and_add stft"
)
_RESOLVERS = (
    "ClusterResolver GCEClusterResolver KubernetesClusterResolver SimpleClusterResolver SlurmClusterResolver "
    "TFConfigClusterResolver"
)
_OLD_SUMMARIES = "audio_summary histogram_summary image_summary merge_all_summaries merge_summary scalar_summary"

OWN = {
    **names("contrib.staging", f"{_PYTHON}.ops.data_flow_ops", "StagingArea"),
    **names("contrib.util", f"{_PYTHON}.framework.meta_graph", "ops_used_by_graph_def stripped_op_list_for_graph"),
    **names("contrib.checkpoint", f"{_TRACKING}.data_structures", "List Mapping NoDependency"),
    **names("contrib.checkpoint", f"{_PYTHON}.checkpoint.checkpoint", _OBJECTS),
    "contrib.checkpoint.Checkpointable": f"{_TRACKING}.autotrackable:AutoTrackable",
    "contrib.checkpoint.CheckpointableBase": f"{_TRACKING}.base:Trackable",
    "contrib.checkpoint.CheckpointableObjectGraph": "tensorflow.core.protobuf.trackable_object_graph_pb2:"
    "TrackableObjectGraph",
    **names(
        "contrib.saved_model.python.saved_model.reader",
        f"{_PYTHON}.tools.saved_model_utils",
        "read_saved_model get_saved_model_tag_sets",
    ),
    **names(_SUMMARY, _SUMMARY_OPS, _SUMMARY_FUNCTIONS),
    f"{_SUMMARY}.all_summary_ops": f"{_SUMMARY_OPS}:all_v2_summary_ops",
    f"{_SUMMARY}.flush": f"{_SUMMARY_OPS}:legacy_raw_flush",
    f"{_SUMMARY}.graph": f"{_SUMMARY_OPS}:graph_v1",
    f"{_SUMMARY}.should_record_summaries": f"{_SUMMARY_OPS}:_legacy_contrib_should_record_summaries",
}

ALIASES = {
    "contrib.checkpoint.CheckpointManager": "train.CheckpointManager",
    "contrib.checkpoint.PythonStateWrapper": "train.experimental.PythonState",
    "contrib.hooks.ProfilerHook": "train.ProfilerHook",
    "contrib.keras": "keras",
    "contrib.summary.summary": "contrib.summary",  # as in 1.15.5, where the module showed itself
    **same("contrib.util", "", "make_ndarray make_tensor_proto"),
    "contrib.util.constant_value": "get_static_value",
    "contrib.util.loader.load_op_library": "load_op_library",
    **same("contrib.autograph", "autograph.experimental", "Feature do_not_convert set_loop_options"),
    **same("contrib.autograph", "autograph", "to_code to_graph"),
    "contrib.batching.batch_function": "nondifferentiable_batch_function",
    **same("contrib.cluster_resolver", "distribute.cluster_resolver", _RESOLVERS),
    "contrib.cluster_resolver.GceClusterResolver": "distribute.cluster_resolver.GCEClusterResolver",
    "contrib.cluster_resolver.UnionClusterResolver": "distribute.cluster_resolver.UnionResolver",
    "contrib.compiler.jit.experimental_jit_scope": "xla.experimental.jit_scope",
    **same("contrib.compiler.xla", "xla.experimental", "compile"),
    **same("contrib.deprecated", "", _OLD_SUMMARIES),
    **same("contrib.linalg", "linalg", "LinearOperator LinearOperatorComposition LinearOperatorDiag"),
    **same("contrib.linalg", "linalg", "LinearOperatorFullMatrix LinearOperatorIdentity"),
    **same("contrib.linalg", "linalg", "LinearOperatorScaledIdentity"),
    "contrib.linalg.LinearOperatorTriL": "linalg.LinearOperatorLowerTriangular",
    "contrib.linalg.LinearOperatorUDVHUpdate": "linalg.LinearOperatorLowRankUpdate",
    **same("contrib.proto", "io", "decode_proto encode_proto"),
    "contrib.rnn.python.ops.core_rnn": "contrib.rnn",
    **same("contrib.signal", "signal", _SIGNAL),
    "contrib.stateless.stateless_multinomial": "random.stateless_multinomial",
    "contrib.stateless.stateless_random_normal": "random.stateless_normal",
    "contrib.stateless.stateless_random_uniform": "random.stateless_uniform",
    "contrib.stateless.stateless_truncated_normal": "random.stateless_truncated_normal",
}
