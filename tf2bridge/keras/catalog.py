"""Names of `tf.keras` that tf_keras does not have, with the modules that supply them."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_HERE = "tf2bridge.keras"
_OLD = "tf2bridge.behaviour.old_keras"
_MIXED = f"{_OLD}.mixed_precision"
_EXPERIMENTAL = "keras.mixed_precision.experimental"
_SCHEDULES = "LinearCosineDecay NoisyLinearCosineDecay"

OWN = {
    **names("keras", f"{_HERE}.version", "__version__"),
    **names("keras.wrappers.scikit_learn", f"{_HERE}.scikit_learn", "KerasClassifier KerasRegressor"),
    **names("python.keras.wrappers.scikit_learn", f"{_HERE}.scikit_learn", "BaseWrapper"),
    **names("keras.utils", f"{_HERE}.hdf5_matrix", "HDF5Matrix"),
    **names("keras.utils", f"{_HERE}.multi_gpu", "multi_gpu_model"),
    **names("keras.utils", f"{_HERE}.kernels", "convert_all_kernels_in_model"),
    **names("python.keras.utils.conv_utils", f"{_HERE}.kernels", "convert_kernel"),
    **names("keras.experimental", f"{_HERE}.schedules", _SCHEDULES),
    **names("keras.experimental", f"{_HERE}.peepholes", "PeepholeLSTMCell"),
    **names("keras.experimental", f"{_HERE}.pools", "terminate_keras_multiprocessing_pools"),
    **names(_EXPERIMENTAL, f"{_MIXED}.policy", "Policy global_policy set_policy"),
    **names(f"python.{_EXPERIMENTAL}.policy", f"{_MIXED}.policy", "USE_DEFAULT policy_defaults_to_floatx policy_scope"),
    **names(f"python.{_EXPERIMENTAL}.policy", f"{_MIXED}.policy", "with_input_dtype"),
    **names(_EXPERIMENTAL, f"{_MIXED}.loss_scale_optimizer", "LossScaleOptimizer"),
    **names("keras.models", f"{_OLD}.yaml_models", "model_from_yaml"),
    **names("keras.experimental", f"{_HERE}.saved_models", "load_from_saved_model"),
    **names("saved_model", f"{_HERE}.saved_models", "save"),
}

ALIASES = {
    "python.keras.__version__": "keras.__version__",
    "saved_model.experimental.save": "saved_model.save",
    "contrib.saved_model.load_keras_model": "keras.experimental.load_from_saved_model",
}
