"""Helpers of TensorFlow's own code: nests, decorators, files, logging."""

from tf2bridge.internals.loading import loader

NAMES = {
    "decorator_utils": "tensorflow.python.util.decorator_utils",
    "file_io": "tensorflow.python.lib.io.file_io",
    "fn_args": "tensorflow.python.util.function_utils:fn_args",
    "function_utils": "tensorflow.python.util.function_utils",
    "gfile": "tensorflow.python.platform.gfile",
    "nest": "tensorflow.python.util.nest",
    "tf_decorator": "tensorflow.python.util.tf_decorator",
    "tf_inspect": "tensorflow.python.util.tf_inspect",
    "tf_logging": "tensorflow.python.platform.tf_logging",
    "tf_stack": "tensorflow.python.util.tf_stack",
}

__getattr__ = loader(NAMES, globals())
