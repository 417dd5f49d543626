"""`tf.contrib.framework`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

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
_ASSIGNED = "assign_from_checkpoint assign_from_checkpoint_fn assign_from_values assign_from_values_fn"
_SHAPES = "reduce_sum_n remove_squeezable_dimensions assert_scalar_int with_shape with_same_shape"
_NEST = (
    "is_sequence assert_shallow_structure flatten_up_to flatten_with_tuple_paths_up_to map_structure_up_to "
    "map_structure_with_tuple_paths_up_to"
)

_STEPS = "get_or_create_global_step create_global_step get_global_step assert_global_step"
_ROOT = (
    "TensorSpec CriticalSection argsort assert_same_float_dtype assert_scalar convert_to_tensor_or_sparse_tensor "
    "is_tensor sort"
)
_ORTHOGONAL = (
    "convolutional_delta_orthogonal convolutional_orthogonal_1d convolutional_orthogonal_2d convolutional_orthogonal_3d"
)

OWN = {
    **names(_PATH, f"{_HERE}.arg_scope", _ARG_SCOPE),
    **names(_PATH, f"{_HERE}.variables.selection", _VARIABLES),
    **names(_PATH, f"{_HERE}.variables.making", _MADE),
    **names(_PATH, f"{_HERE}.variables.assignment", _ASSIGNED),
    **names(_PATH, f"{_HERE}.checkpoint_utils", "load_checkpoint load_variable list_variables init_from_checkpoint"),
    **names(
        _PATH,
        f"{_HERE}.checkpoint_ops",
        "load_and_remap_matrix_initializer load_embedding_initializer "
        "load_linear_multiclass_bias_initializer load_variable_slot_initializer",
    ),
    **names(_PATH, f"{_HERE}.tensor_util", _SHAPES),
    **names(_PATH, f"{_HERE}.graph_util", "fuse_op get_name_scope get_placeholders"),
    **names(_PATH, f"{_HERE}.variables.making", "assert_or_get_global_step"),
    **names(_PATH, f"{_HERE}.script_ops", "py_func"),
    **names("contrib.framework.nest", f"{_HERE}.nest", _NEST),
    **names("contrib.framework.python.ops", f"{_HERE}.prettyprint_ops", "print_op"),
    **names("contrib.framework.python.ops.prettyprint_ops", f"{_HERE}.prettyprint_ops", "print_op"),
    **names("contrib.framework.python.framework", f"{_HERE}.experimental", "experimental"),
    **names(_PATH, "tensorflow.python.util.deprecation", "deprecated deprecated_args deprecated_arg_values"),
    **names(_PATH, "tensorflow.python.framework.smart_cond", "smart_cond smart_case smart_constant_value"),
    **names(_PATH, "tensorflow.python.framework.ops", "prepend_name_scope strip_name_scope"),
    **names(_PATH, "tensorflow.python.framework.tensor_spec", "BoundedTensorSpec"),
    **names(_PATH, "tensorflow.python.ops.init_ops", _ORTHOGONAL),
    **names(_PATH, "tensorflow.python.ops.data_flow_ops", "RecordInput"),
    "contrib.framework.get_graph_from_inputs": "tensorflow.python.framework.ops:_get_graph_from_inputs",
}

ALIASES = {
    **same(_PATH, "train", _STEPS),
    **same(_PATH, "", _ROOT),
    "contrib.framework.python.ops.accumulate_n_v2.accumulate_n_v2": "accumulate_n",
}

SOURCES = {
    "contrib.framework.nest": "tensorflow.python.util.nest",
    "contrib.framework.python.ops.audio_ops": "tensorflow.python.ops.gen_audio_ops",
}
