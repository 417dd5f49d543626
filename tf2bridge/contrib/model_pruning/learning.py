"""Training with pruning, and graphs without the variables of pruning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.slim import learning

v1 = tf.compat.v1
_USE_DEFAULT = 0


def train(
    train_op: Any,
    logdir: str | None,
    mask_update_op: Any,
    train_step_fn: Callable[..., tuple[Any, Any]] = learning.train_step,
    train_step_kwargs: Any = _USE_DEFAULT,
    log_every_n_steps: int = 1,
    graph: Any = None,
    master: str = "",
    is_chief: bool = True,
    global_step: Any = None,
    number_of_steps: int | None = None,
    init_op: Any = _USE_DEFAULT,
    init_feed_dict: Any = None,
    local_init_op: Any = _USE_DEFAULT,
    init_fn: Callable[[Any], None] | None = None,
    ready_op: Any = _USE_DEFAULT,
    summary_op: Any = _USE_DEFAULT,
    save_summaries_secs: float = 600,
    summary_writer: Any = _USE_DEFAULT,
    startup_delay_steps: int = 0,
    saver: Any = None,
    save_interval_secs: float = 600,
    sync_optimizer: Any = None,
    session_config: Any = None,
    trace_every_n_steps: int | None = None,
) -> Any:
    """Trains as `slim.learning.train` does, and runs `mask_update_op` after each step."""

    def step_and_prune(session: Any, op: Any, step: Any, kwargs: Any) -> tuple[Any, Any]:
        result = train_step_fn(session, op, step, kwargs)
        session.run(mask_update_op)
        return result

    given = {name: value for name, value in locals().items() if name in _PASSED}
    return learning.train(train_op, logdir, step_and_prune, **given)


_PASSED = (
    *("train_step_kwargs", "log_every_n_steps", "graph", "master", "is_chief", "global_step", "number_of_steps"),
    *("init_op", "init_feed_dict", "local_init_op", "init_fn", "ready_op", "summary_op", "save_summaries_secs"),
    *("summary_writer", "startup_delay_steps", "saver", "save_interval_secs", "sync_optimizer", "session_config"),
    "trace_every_n_steps",
)


def strip_pruning_vars_fn(input_graph_def: Any, output_node_names: Sequence[str]) -> Any:
    """Returns a frozen GraphDef whose masked weights are constants, without masks, thresholds and weights."""
    values = _masked_weights(input_graph_def)
    stripped = v1.GraphDef()
    for node in input_graph_def.node:
        copied = stripped.node.add()
        if node.name not in values:
            copied.CopyFrom(node)
            continue
        copied.op, copied.name = "Const", node.name
        copied.attr["dtype"].CopyFrom(node.attr["T"])
        copied.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(values[node.name]))
    return v1.graph_util.extract_sub_graph(stripped, output_node_names)


def _masked_weights(graph_def: Any) -> dict[str, Any]:
    names = [node.name for node in graph_def.node if "masked_weight" in node.name]
    with tf.Graph().as_default(), v1.Session() as session:
        tf.graph_util.import_graph_def(graph_def, name="")
        return {name: session.run(f"{name}:0") for name in names}


def graph_def_from_checkpoint(checkpoint_dir: str, output_node_names: Sequence[str]) -> Any:
    """Returns the frozen GraphDef of the latest checkpoint in a directory. Raises ValueError if there is none."""
    path = tf.train.latest_checkpoint(checkpoint_dir)
    if path is None:
        raise ValueError(f"there is no checkpoint in {checkpoint_dir}; give the directory of a training")
    saver = v1.train.import_meta_graph(f"{path}.meta", clear_devices=True)
    with v1.Session() as session:
        saver.restore(session, path)
        graph_def = v1.get_default_graph().as_graph_def()
        return v1.graph_util.convert_variables_to_constants(session, graph_def, output_node_names)
