"""TensorFlow's framework: graphs, operations, tensors, shapes, importing."""

from tf2bridge.internals.loading import loader

_CONVERT = "tensorflow.python.framework.convert_to_constants"

NAMES = {
    "CompositeTensor": "tensorflow.python.framework.composite_tensor:CompositeTensor",
    "EagerTensor": "tensorflow.python.framework.ops:EagerTensor",
    "FailedPreconditionError": "tensorflow.python.framework.errors_impl:FailedPreconditionError",
    "ScopedTFBuffer": "tensorflow.python.framework.c_api_util:ScopedTFBuffer",
    "ScopedTFImportGraphDefOptions": "tensorflow.python.framework.c_api_util:ScopedTFImportGraphDefOptions",
    "ScopedTFImportGraphDefResults": "tensorflow.python.framework.c_api_util:ScopedTFImportGraphDefResults",
    "ag_ctx": "tensorflow.python.autograph.core.ag_ctx",
    "config": "tensorflow.python.autograph.core.config",
    "constant_op": "tensorflow.python.framework.constant_op",
    "convert_to_eager_tensor": "tensorflow.python.framework.constant_op:convert_to_eager_tensor",
    "convert_variables_to_constants_v2": f"{_CONVERT}:convert_variables_to_constants_v2",
    "dtypes": "tensorflow.python.framework.dtypes",
    "error_interpolation": "tensorflow.python.framework.error_interpolation",
    "errors_impl": "tensorflow.python.framework.errors_impl",
    "func_graph_from_py_func": "tensorflow.python.framework.func_graph:func_graph_from_py_func",
    "function": "tensorflow.python.framework.function",
    "function_def_to_graph": "tensorflow.python.framework.function_def_to_graph:function_def_to_graph",
    "importer": "tensorflow.python.framework.importer",
    "indexed_slices": "tensorflow.python.framework.indexed_slices",
    "op_callbacks": "tensorflow.python.framework.op_callbacks",
    "op_def_library": "tensorflow.python.framework.op_def_library",
    "op_def_registry": "tensorflow.python.framework.op_def_registry",
    "ops": "tensorflow.python.framework.ops",
    "random_seed": "tensorflow.python.framework.random_seed",
    "smart_cond": "tensorflow.python.framework.smart_cond:smart_cond",
    "stack": "tensorflow.python.framework.stack",
    "tensor": "tensorflow.python.framework.tensor",
    "tensor_shape": "tensorflow.python.framework.tensor_shape",
    "tensor_util": "tensorflow.python.framework.tensor_util",
    "test_util": "tensorflow.python.framework.test_util",
    "tf2": "tensorflow.python.tf2",
}

__getattr__ = loader(NAMES, globals())
