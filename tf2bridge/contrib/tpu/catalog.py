"""`tf.contrib.tpu`, `tf.estimator.tpu` and `tf.tpu`, and the private modules that programs imported from it."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.tpu"
_PRIVATE = "contrib.tpu.python.tpu"
_HERE = "tf2bridge.contrib.tpu"
_TPU = "tensorflow.python.tpu"

_CONFIG = "InputPipelineConfig TPUConfig RunConfig"
_COMPUTATIONS = "CrossShardOptimizer cross_replica_sum rewrite replicate shard batch_parallel"
_ESTIMATOR = "TPUEstimator TPUEstimatorSpec"
_OPS = (
    "infeed_dequeue infeed_dequeue_tuple infeed_enqueue infeed_enqueue_tuple outfeed_dequeue outfeed_dequeue_tuple "
    "outfeed_enqueue outfeed_enqueue_tuple"
)
_ATTRIBUTES = "_TPU_REPLICATE_ATTR _OUTSIDE_COMPILATION_ATTR"

OWN = {
    **names(_PATH, f"{_HERE}.tpu_config", _CONFIG),
    **names(_PATH, f"{_HERE}.tpu_estimator", "TPUEstimator"),
    **names(_PATH, f"{_HERE}.tpu_estimator_spec", "TPUEstimatorSpec"),
    **names(_PATH, f"{_HERE}.tpu", _COMPUTATIONS),
    **names(_PATH, f"{_TPU}.training_loop", "repeat while_loop"),
    **names(_PATH, f"{_TPU}.ops.tpu_ops", _OPS),
    **names(_PATH, f"{_TPU}.tpu_feed", "InfeedQueue"),
    **names(_PATH, f"{_TPU}.topology", "Topology"),
    **names(_PATH, f"{_TPU}.device_assignment", "device_assignment"),
    **names("contrib.cluster_resolver", f"{_HERE}.tpu_cluster_resolver", "TPUClusterResolver"),
    **names(f"{_PRIVATE}.util", f"{_HERE}.util", "check_positive_integer parse_iterations_per_loop"),
    **names(f"{_PRIVATE}.util", f"{_HERE}.util", "IterationsPerLoopCounter MultiHostDatasetInitializerHook"),
    **names(f"{_PRIVATE}.tpu_context", f"{_HERE}.tpu_context", "TPUContext _get_tpu_context"),
    **names(f"{_PRIVATE}.error_handling", f"{_HERE}.error_handling", "ErrorRendezvous"),
    **names(f"{_PRIVATE}.tpu_estimator", f"{_HERE}.tpu_config", "ExportSavedModelApiVersion BatchConfig"),
    **names(f"{_PRIVATE}.tpu_estimator", f"{_HERE}.tpu_estimator", "model_fn_inference_on_tpu ExamplesPerSecondHook"),
    **names(f"{_PRIVATE}.tpu", f"{_TPU}.tpu", "core rewrite_for_inference split_compile_and_shard"),
    **names(f"{_PRIVATE}.tpu", f"{_TPU}.tpu_replication", _ATTRIBUTES),
    **names(f"{_PRIVATE}.tpu_feed", f"{_TPU}.tpu_feed", "_PartitionedInfeedQueue"),
    **names(f"{_PRIVATE}.tensor_tracer", f"{_TPU}.tensor_tracer", "TensorTracer"),
    **names(
        "contrib.tpu.proto.compilation_result_pb2",
        "tensorflow.core.protobuf.tpu.compilation_result_pb2",
        "CompilationResultProto",
    ),
}

ALIASES = {
    **same(_PATH, "tpu", "bfloat16_scope initialize_system outside_compilation shutdown_system"),
    "contrib.tpu.DeviceAssignment": "tpu.experimental.DeviceAssignment",
    **same("tpu", _PATH, _COMPUTATIONS),
    **same("estimator.tpu", _PATH, f"{_CONFIG} {_ESTIMATOR}"),
    "distribute.cluster_resolver.TPUClusterResolver": "contrib.cluster_resolver.TPUClusterResolver",
}

SOURCES = {
    f"{_PRIVATE}.tpu_function": f"{_TPU}.tpu_function",
    "contrib.tpu.python.ops.tpu_ops": f"{_TPU}.ops.tpu_ops",
}
