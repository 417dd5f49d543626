"""`tensorflow.python.training.tensorboard_logging`: writes messages to the log and to an events file.

TensorFlow 2 lacks the module, but its events still have a field for such messages (core/util/event.proto).
"""

from __future__ import annotations

import time
from typing import Any

from tf2bridge.behaviour.installed import private
from tf2bridge.internals import protos, support

DEBUG, INFO, WARN, ERROR, FATAL = "DEBUG", "INFO", "WARN", "ERROR", "FATAL"

_LEVELS = {DEBUG: "DEBUGGING", INFO: "INFO", WARN: "WARN", ERROR: "ERROR", FATAL: "FATAL"}
"""Level -> its name in the messages of events."""

_UNSET = object()
_state: dict[str, Any] = {"verbosity": WARN, "writer": _UNSET}


def get_verbosity() -> str:
    """Returns the lowest level that goes to the events file."""
    verbosity: str = _state["verbosity"]
    return verbosity


def set_verbosity(verbosity: str) -> None:
    """Sets the lowest level that goes to the events file. Raises ValueError for an unknown level."""
    _check(verbosity)
    _state["verbosity"] = verbosity


def set_summary_writer(summary_writer: Any) -> None:
    """Sets the FileWriter that gets the events; with None, messages go to the log only."""
    _state["writer"] = summary_writer


def _clear_summary_writer() -> None:
    """Makes `log` raise an error again."""
    _state["writer"] = _UNSET


def log(level: str, message: str, *args: Any) -> None:
    """Logs `message % args`, and adds it to the events file if its level is not below the verbosity.

    Raises:
        RuntimeError: `set_summary_writer` has not been called.
        ValueError: The level is unknown.
    """
    writer = _state["writer"]
    if writer is _UNSET:
        raise RuntimeError("Must call set_summary_writer before doing any logging from tensorboard_logging")
    _check(level)
    order = list(_LEVELS)
    if writer and order.index(level) >= order.index(get_verbosity()):
        events: Any = private(protos, "event_pb2")
        record = events.LogMessage(level=_LEVELS[level], message=message % args)
        writer.add_event(events.Event(wall_time=time.time(), log_message=record))
    logging: Any = private(support, "tf_logging")
    logging.log(getattr(logging, level), message, *args)


def _check(level: str) -> None:
    if level not in _LEVELS:
        raise ValueError(f"Level {level} is not a valid tensorboard_logging level")


def debug(message: str, *args: Any) -> None:
    """Logs at the level DEBUG."""
    log(DEBUG, message, *args)


def info(message: str, *args: Any) -> None:
    """Logs at the level INFO."""
    log(INFO, message, *args)


def warn(message: str, *args: Any) -> None:
    """Logs at the level WARN."""
    log(WARN, message, *args)


def error(message: str, *args: Any) -> None:
    """Logs at the level ERROR."""
    log(ERROR, message, *args)


def fatal(message: str, *args: Any) -> None:
    """Logs at the level FATAL; the program goes on."""
    log(FATAL, message, *args)
