"""Private modules of 1.15 whose names lie in other modules of TensorFlow 2.21 and tf_keras, all of them or some.

Only names that still take what they took stand here: another signature would fail, or be silently another function.
"""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_PYTHON = "tensorflow.python"
_KERAS = "tf_keras.src"
_DATA = f"{_PYTHON}.data"


def _modules(package: str, listed: str) -> str:
    return " ".join(f"{package}.{name}" for name in listed.split())


_SAVERS = "checkpoint graph_view util save_util save_util_v1"
_TRACKABLES = "base resource asset autotrackable"
_PARTS_OF_TRAINING = "training_utils_v1 training_utils"

HELD = {
    "python.data.experimental.ops.optimization": f"{_DATA}.experimental.ops.testing",
    "python.data.experimental.ops.sleep": f"{_DATA}.experimental.ops.testing",
    "python.data.experimental.ops.interleave_ops": f"{_DATA}.ops.directed_interleave_op",
    "python.distribute.all_reduce": f"{_PYTHON}.distribute.v1.all_reduce",
    "python.distribute.saved_model_test_base": f"{_KERAS}.distribute.saved_model_test_base",
    "python.distribute.strategy_combinations": f"{_KERAS}.distribute.optimizer_combinations",
    "python.eager.profiler_client": f"{_PYTHON}.profiler.profiler_client",
    "python.feature_column.dense_features": f"{_KERAS}.feature_column.dense_features",
    "python.feature_column.dense_features_v2": f"{_KERAS}.feature_column.dense_features_v2",
    "python.feature_column.sequence_feature_column": f"{_KERAS}.feature_column.sequence_feature_column",
    "python.feature_column.feature_column_lib": f"{_KERAS}.feature_column.sequence_feature_column",
    "python.feature_column.feature_column_v2": f"{_PYTHON}.feature_column.feature_column_v2_types",
    "python.framework.common_shapes": _modules(f"{_PYTHON}.framework", "common_shapes tensor_shape"),
    "python.framework.tensor_util": f"{_PYTHON}.framework.tensor_util {_PYTHON}.ops.shape_util",
    "python.keras.distribute.distributed_training_utils": f"{_KERAS}.distribute.distributed_training_utils_v1",
    "python.keras.engine.training_generator": f"{_KERAS}.engine.training_generator_v1",
    "python.keras.engine.training_utils": _modules(f"{_KERAS}.engine", _PARTS_OF_TRAINING),
    "python.keras.layers.local": f"{_KERAS}.layers.locally_connected.locally_connected_utils",
    "python.keras.layers.normalization_v2": f"{_KERAS}.layers.normalization.batch_normalization",
    "python.keras.layers.recurrent_v2": _modules(f"{_KERAS}.layers.rnn", "lstm gru"),
    "python.keras.mixed_precision.experimental": f"{_KERAS}.mixed_precision",
    "python.keras.model_subclassing_test_util": f"{_KERAS}.tests.model_subclassing_test_util",
    "python.keras.saving": _modules(f"{_KERAS}.saving.legacy", "hdf5_format model_config save"),
    "python.ops.custom_gradient": f"{_PYTHON}.ops.custom_gradient {_PYTHON}.ops.handle_data_util",
    "python.ops.losses.loss_reduction": f"{_KERAS}.utils.losses_utils",
    "python.saved_model.utils_impl": _modules(f"{_PYTHON}.saved_model", "utils_impl path_helpers"),
    "python.training.saving.functional_saver": f"{_PYTHON}.checkpoint.functional_saver",
    "python.training.tracking.graph_view": f"{_PYTHON}.checkpoint.graph_view",
    "python.training.tracking.tracking": _modules(f"{_PYTHON}.trackable", _TRACKABLES),
    "python.training.tracking.util": _modules(f"{_PYTHON}.checkpoint", _SAVERS),
    "python.training.checkpointable.util": _modules(f"{_PYTHON}.checkpoint", _SAVERS),
}

OWN = {
    **names("python.framework.ops", f"{_PYTHON}.framework.indexed_slices", "IndexedSlicesValue"),
    **names("python.distribute.values", f"{_PYTHON}.distribute.distribute_utils", "select_replica"),
    **names("python.distribute.values", f"{_PYTHON}.distribute.ps_values", "AggregatingVariable"),
    **names("python.ops.nn_grad", f"{_PYTHON}.ops.nn_fused_batch_norm_grad", "_BatchNormGrad"),
    "python.data.experimental.ops.snapshot.snapshot": f"{_DATA}.experimental.ops.snapshot:legacy_snapshot",
    "python.data.util.nest.is_sequence": f"{_DATA}.util.nest:is_nested",
    "python.training.tracking.tracking.TrackableAsset": f"{_PYTHON}.trackable.asset:Asset",
}

ALIASES = {
    "python.ops.math_ops.bincount": "math.bincount",
    "python.platform.test.IsBuiltWithCuda": "test.is_built_with_cuda",
}
