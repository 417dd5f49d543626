"""A session that an object keeps, run on live variables: `self.sess.run(self.y, {self.x: x})` in an eager process.

TensorFlow's own `Session.run` still reads feeds and fetches and gives the structure of the result; only what it would
hand to the runtime goes to the functions of a GraphModule instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

from tf2bridge.internals.eager import context

if TYPE_CHECKING:
    from tf2bridge.graph.wrapped_class import Program

v1 = tf.compat.v1


def make_live(found: Iterable[Any], module: Program, graph: tf.Graph) -> None:
    """Lets the sessions of `graph` among the objects run on the module's variables, in place: all who hold them do."""
    for session in found:
        kinds = [kind for kind in (v1.InteractiveSession, v1.Session) if isinstance(session, kind)]
        if kinds and session.graph is graph and not isinstance(session, _Live):
            session.__class__ = type(f"Live{kinds[0].__name__}", (_Live, kinds[0]), {})
            session._live_module = module


class _Live:
    """What a session does when its feeds and fetches are known."""

    _live_module: Any

    def _do_run(
        self, _handle: Any, targets: Sequence[Any], fetches: Sequence[Any], feeds: Mapping[Any, Any], *_options: Any
    ) -> list[Any]:
        endpoints = [reference.deref().name for reference in feeds]
        wanted = [each.name for each in fetches] + [each.name for each in targets]
        with context.eager_mode():
            run = self._live_module.run_by(endpoints, wanted)
            found = run(*feeds.values())
        return [_value(each) for each in found[: len(fetches)]]


def _value(tensor: tf.Tensor) -> Any:
    """As a session gives it: an array, a scalar of NumPy, or bytes."""
    value = tensor.numpy()
    return value if isinstance(value, np.ndarray | np.generic | bytes) else np.asarray(value)
