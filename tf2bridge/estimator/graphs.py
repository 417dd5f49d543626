"""The graph of one use of a model."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from tf2bridge.graph.tf1_behaviour import tf1_ways


@contextlib.contextmanager
def new_graph() -> Iterator[Any]:
    """Makes a new graph the default one. Its shapes are those of TF 1.x, also in an eager process."""
    ways = tf1_ways() if tf.executing_eagerly() else contextlib.nullcontext()
    with tf.Graph().as_default() as graph, ways:
        yield graph
