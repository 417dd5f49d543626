"""`tf.contrib.tfprof`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_PATH = "contrib.tfprof"
_HERE = "tf2bridge.contrib.tfprof.model_analyzer"
_PRIVATE = f"{_PATH}.python.tools.tfprof.tfprof_logger"
_LOGGER = "tensorflow.python.profiler.tfprof_logger"
_OPTIONS = "TRAINABLE_VARS_PARAMS_STAT_OPTIONS FLOAT_OPS_OPTIONS PRINT_ALL_TIMING_MEMORY"

OWN = {
    **names(f"{_PATH}.model_analyzer", _HERE, f"{_OPTIONS} print_model_analysis advise"),
    **names(f"{_PATH}.tfprof_logger", _HERE, "TRAINABLE_VARIABLES write_op_log"),
    f"{_PRIVATE}._get_logged_ops": f"{_LOGGER}:_get_logged_ops",
    f"{_PRIVATE}._merge_default_with_oplog": f"{_LOGGER}:merge_default_with_oplog",
}

ALIASES = {
    f"{_PATH}.model_analyzer.Profiler": "profiler.Profiler",
    f"{_PATH}.model_analyzer.tfprof_logger": f"{_PATH}.tfprof_logger",
}
