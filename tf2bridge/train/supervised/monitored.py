"""`tf.train.MonitoredTrainingSession` with errors that say what is wrong with a checkpoint or a directory."""

from __future__ import annotations

import inspect
from typing import Any

import tensorflow as tf

from tf2bridge.internals.training import training
from tf2bridge.train.supervised.graphs import declare_global_step, graph_for, writing_to
from tf2bridge.train.supervised.saver import Saver

v1 = tf.compat.v1


def MonitoredTrainingSession(*arguments: Any, **keywords: Any) -> Any:  # noqa: N802 - TensorFlow's own name
    """Returns a session for training that saves, restores, calls hooks, and recovers when a task of its cluster fails.

    The arguments are those of TF 1.15, in its order (`master, is_chief, checkpoint_dir, scaffold, hooks,
    chief_only_hooks, save_checkpoint_secs, save_summaries_steps, ...`). The result is TensorFlow's own
    MonitoredSession. Its Saver is that of tf2bridge, unless the Scaffold or the graph's collection has a Saver.

    Raises:
        NoGraphError: This is eager code.
        LogDirectoryError: The directory cannot be written. What `tf2bridge.train.Saver` raises is raised, too.
    """
    given = inspect.signature(v1.train.MonitoredTrainingSession).bind(*arguments, **keywords).arguments
    graph_for("MonitoredTrainingSession")
    declare_global_step()
    directory = given.get("checkpoint_dir") or given.get("summary_dir")
    if given.get("is_chief", True):
        given["scaffold"] = _with_saver(given.get("scaffold"))
    with writing_to(directory):
        return training.MonitoredTrainingSession(**given)  # estimators of 1.x look it up there: programs replace it


def _with_saver(scaffold: Any) -> Any:
    """Returns the Scaffold with the Saver that TensorFlow would have given it (saver.py, `_get_saver_or_default`)."""
    scaffold = scaffold or v1.train.Scaffold()
    if scaffold.saver is None and not v1.get_collection(v1.GraphKeys.SAVERS):
        scaffold._saver = Saver(sharded=True, allow_empty=True)
        v1.add_to_collection(v1.GraphKeys.SAVERS, scaffold._saver)
    return scaffold


MonitoredTrainingSession.__signature__ = inspect.signature(v1.train.MonitoredTrainingSession)  # type: ignore[attr-defined]
