"""Sessions, and the debuggers that wrap them."""

from tf2bridge.internals.loading import loader

NAMES = {
    "debug_utils": "tensorflow.python.debug.lib.debug_utils",
    "dumping_wrapper": "tensorflow.python.debug.wrappers.dumping_wrapper",
    "framework": "tensorflow.python.debug.wrappers.framework",
    "grpc_wrapper": "tensorflow.python.debug.wrappers.grpc_wrapper",
    "hooks": "tensorflow.python.debug.wrappers.hooks",
    "local_cli_wrapper": "tensorflow.python.debug.wrappers.local_cli_wrapper",
    "pywrap_tf_session": "tensorflow.python.client.pywrap_tf_session",
    "session": "tensorflow.python.client.session",
    "timeline": "tensorflow.python.client.timeline",
}

__getattr__ = loader(NAMES, globals())
