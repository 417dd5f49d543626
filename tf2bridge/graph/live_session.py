"""A session that an object keeps, run on live variables: `self.sess.run(self.y, {self.x: x})` in an eager process.

TensorFlow's own `Session.run` still reads feeds and fetches and gives the structure of the result; only what it would
hand to the runtime goes to the functions of a GraphModule instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.internals.eager import context

v1 = tf.compat.v1


RunBy = Callable[[Sequence[str], Sequence[str]], Callable[..., Sequence[Any]]]
"""Endpoints that are fed, endpoints and operations that are fetched -> the function between them."""


def make_live(objects: Iterable[Any], run_by: RunBy, graph: tf.Graph) -> None:
    """Lets the sessions of a graph run on live variables from now on.

    Args:
        objects: what an object keeps; the sessions of `graph` among them are changed in place.
        run_by: gives the function that runs in place of the session's own.
        graph: the graph that the function belongs to.
    """
    for session in objects:
        kinds = [kind for kind in (v1.InteractiveSession, v1.Session) if isinstance(session, kind)]
        if kinds and session.graph is graph and not isinstance(session, _Live):
            session.__class__ = type(f"Live{kinds[0].__name__}", (_Live, kinds[0]), {})
            session._live_run_by = run_by


class _Live:
    """What a session does when its feeds and fetches are known."""

    _live_run_by: RunBy

    def _do_run(
        self, _handle: Any, targets: Sequence[Any], fetches: Sequence[Any], feeds: Mapping[Any, Any], *_options: Any
    ) -> list[Any]:
        endpoints = [reference.deref().name for reference in feeds]
        wanted = [tensor.name for tensor in fetches] + [operation.name for operation in targets]
        with context.eager_mode():
            run = self._live_run_by(endpoints, wanted)
            results = run(*feeds.values())
        return [_value(tensor) for tensor in results[: len(fetches)]]


def _value(tensor: tf.Tensor) -> Any:
    """As a session gives it: an array, a scalar of NumPy, or bytes."""
    value = tensor.numpy()
    return value if isinstance(value, np.ndarray | np.generic | bytes) else np.asarray(value)
