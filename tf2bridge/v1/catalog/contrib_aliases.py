"""The parts of `tf.contrib` that were other names of core objects."""

from __future__ import annotations

from tf2bridge.v1.listing import same

_SIGNAL = (
    "frame hamming_window hann_window inverse_stft inverse_stft_window_fn linear_to_mel_weight_matrix "
    "mfccs_from_log_mel_spectrograms overlap_and_add stft"
)
_RESOLVERS = (
    "ClusterResolver GCEClusterResolver KubernetesClusterResolver SimpleClusterResolver SlurmClusterResolver "
    "TFConfigClusterResolver"
)
_STRATEGIES = (
    "CrossDeviceOps OneDeviceStrategy ReplicaContext get_loss_reduction get_replica_context get_strategy has_strategy "
    "in_cross_replica_context"
)
_SUMMARIES = "audio_summary histogram_summary image_summary merge_all_summaries merge_summary scalar_summary"

ALIASES = {
    **same("contrib.autograph", "autograph.experimental", "Feature do_not_convert set_loop_options"),
    **same("contrib.autograph", "autograph", "to_code to_graph"),
    "contrib.batching.batch_function": "nondifferentiable_batch_function",
    **same("contrib.cluster_resolver", "distribute.cluster_resolver", _RESOLVERS),
    "contrib.cluster_resolver.GceClusterResolver": "distribute.cluster_resolver.GCEClusterResolver",
    "contrib.cluster_resolver.UnionClusterResolver": "distribute.cluster_resolver.UnionResolver",
    "contrib.compiler.jit.experimental_jit_scope": "xla.experimental.jit_scope",
    **same("contrib.compiler.xla", "xla.experimental", "compile"),
    **same("contrib.deprecated", "", _SUMMARIES),
    **same("contrib.distribute", "distribute", _STRATEGIES),
    "contrib.distribute.DistributionStrategy": "distribute.Strategy",
    "contrib.distribute.TPUStrategy": "distribute.experimental.TPUStrategy",
    "contrib.distribute.get_distribution_strategy": "distribute.get_strategy",
    "contrib.distribute.has_distribution_strategy": "distribute.has_strategy",
    "contrib.distribute.initialize_tpu_system": "tpu.experimental.initialize_tpu_system",
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
