"""Functions of private modules of TensorFlow 1.x about the mode and about messages."""

from __future__ import annotations

import logging

import tensorflow as tf

_logger = logging.getLogger("tensorflow")
"""The logger of `tf.logging`, under the name that it had up to 1.10."""

_level_names = {
    logging.FATAL: "FATAL",
    logging.ERROR: "ERROR",
    logging.WARN: "WARN",
    logging.INFO: "INFO",
    logging.DEBUG: "DEBUG",
}


def in_graph_mode() -> bool:
    """Returns whether operations are added to a graph rather than run at once."""
    return not tf.executing_eagerly()
