"""`tf.contrib.framework`."""

from __future__ import annotations

from tf2bridge.v1.listing import names, same

_PATH = "contrib.framework"
_HERE = "tf2bridge.contrib.framework"

_ARG_SCOPE = "arg_scope add_arg_scope has_arg_scope arg_scoped_arguments current_arg_scope"
_VARIABLES = (
    "get_variables get_variables_by_name get_variables_by_suffix get_model_variables get_local_variables "
    "get_trainable_variables get_unique_variable get_variables_to_restore filter_variables get_variable_full_name"
)
_MADE = (
    "variable model_variable add_model_variable local_variable global_variable zero_initializer VariableDeviceChooser"
)
_TRAIN = (
    "get_or_create_global_step create_global_step get_global_step assert_global_step list_variables load_checkpoint "
    "load_variable init_from_checkpoint"
)
_ROOT = "TensorSpec argsort assert_same_float_dtype assert_scalar convert_to_tensor_or_sparse_tensor is_tensor sort"

OWN = {
    **names(_PATH, f"{_HERE}.arg_scope", _ARG_SCOPE),
    **names(_PATH, f"{_HERE}.variables", _VARIABLES),
    **names(_PATH, f"{_HERE}.model_variables", _MADE),
    **names("contrib.framework.nest", f"{_HERE}.nesting", "is_sequence"),
}

ALIASES = {
    **same(_PATH, "train", _TRAIN),
    **same(_PATH, "", _ROOT),
    "contrib.framework.python.ops.arg_scope": "contrib.framework",
}

SOURCES = {"contrib.framework.nest": "tensorflow.python.util.nest"}
