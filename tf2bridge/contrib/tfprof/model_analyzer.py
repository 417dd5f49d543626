"""`print_model_analysis` and its options, by today's profiler."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1

TRAINABLE_VARIABLES = "_trainable_variables"
_COMMON: dict[str, Any] = {
    "max_depth": 10000,
    "min_bytes": 0,
    "min_micros": 0,
    "min_params": 0,
    "min_float_ops": 0,
    "order_by": "name",
    "account_type_regexes": [".*"],
    "start_name_regexes": [".*"],
    "trim_name_regexes": [],
    "show_name_regexes": [".*"],
    "hide_name_regexes": [],
    "account_displayed_op_only": True,
    "select": ["params"],
    "output": "stdout",
    "dump_to_file": "",
}

TRAINABLE_VARS_PARAMS_STAT_OPTIONS = {**_COMMON, "account_type_regexes": [TRAINABLE_VARIABLES]}
"""The number of parameters of each trainable variable."""

FLOAT_OPS_OPTIONS = {**_COMMON, "min_float_ops": 1, "order_by": "float_ops", "select": ["float_ops"]}
"""The number of floating point operations of each op."""

PRINT_ALL_TIMING_MEMORY = {**_COMMON, "min_bytes": 1, "min_micros": 1, "select": ["micros", "bytes"]}
"""Time and memory of each op; needs `run_meta` of a traced step."""


def print_model_analysis(
    graph: Any, run_meta: Any = None, op_log: Any = None, tfprof_cmd: str = "scope", tfprof_options: Any = 0
) -> Any:
    """Prints the analysis of the options, and returns it as a GraphNodeProto or a MultiGraphNodeProto.

    `tfprof_cmd` is "scope", "graph", "op" or "code". Without options it is the parameters of trainable variables.
    """
    return v1.profiler.profile(graph, run_meta, op_log, tfprof_cmd, tfprof_options)


def advise(graph: Any, run_meta: Any = None, tfprof_options: Any = 0) -> Any:
    """Prints and returns the advice of the profiler's checkers."""
    return v1.profiler.advise(graph, run_meta, tfprof_options)


def write_op_log(graph: Any, log_dir: str, op_log: Any = None, run_meta: Any = None, add_trace: bool = True) -> None:
    """Writes the profiler's additional data of a graph to `log_dir`/tfprof_log."""
    v1.profiler.write_op_log(graph, log_dir, op_log, run_meta, add_trace)
