"""Makes the sessions of an object run on live variables: `self.sess.run(self.y, {self.x: x})` in an eager process.

TensorFlow's own `Session.run` still reads feeds and fetches and builds the structure of the result. Only the call of
the runtime is replaced, by a function of a GraphModule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.internals.eager import context

v1 = tf.compat.v1


RunBy = Callable[[Sequence[str], Sequence[str]], Callable[..., Sequence[Any]]]
"""(feeds, fetches) -> the function from the feeds to the fetches; both are names of endpoints or operations."""


def make_live(objects: Iterable[Any], run_by: RunBy, graph: tf.Graph) -> None:
    """Makes the sessions of a graph run on live variables from now on.

    Args:
        objects: the values that an object holds; the sessions of `graph` among them are changed in place.
        run_by: returns the function that replaces the session's own run.
        graph: the graph of the function.
    """
    for session in objects:
        kinds = [kind for kind in (v1.InteractiveSession, v1.Session) if isinstance(session, kind)]
        if kinds and session.graph is graph and not isinstance(session, _Live):
            session.__class__ = type(f"Live{kinds[0].__name__}", (_Live, kinds[0]), {})
            session._live_run_by = run_by


class _Live:
    """Overrides the step of `Session.run` that calls the runtime."""

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
    """Returns the value as a session returns it: an array, a scalar of NumPy, or bytes."""
    value = tensor.numpy()
    return value if isinstance(value, np.ndarray | np.generic | bytes) else np.asarray(value)
