"""A graph of a test's own, in which TF 1.x code behaves as it did; nothing of it is left in the process."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tf2bridge.proof.testing.refusals import ModeInForceError

DEFAULT_API = "1.15"


class TF1Graph:
    """The default graph of one test.

    Attributes:
        graph: the `tf.Graph`, with the seed and the collections of this test alone.
    """

    def __init__(self, graph: Any, stack: contextlib.ExitStack) -> None:
        self.graph = graph
        self._stack = stack
        self._session: Any = None

    @property
    def session(self) -> Any:
        """A `tf.compat.v1.Session` of this graph, opened when it is first asked for and closed after the test.

        It is the default session from then on: `tensor.eval()` and `op.run()` use it.
        """
        if self._session is None:
            import tensorflow as tf

            self._session = self._stack.enter_context(tf.compat.v1.Session(graph=self.graph))
        return self._session

    def initialize(self) -> Any:
        """Runs the initializers of all variables and tables, and returns the session."""
        import tensorflow as tf

        v1 = tf.compat.v1
        initializers = (v1.global_variables_initializer, v1.local_variables_initializer, v1.tables_initializer)
        self.session.run([make() for make in initializers])
        return self.session

    def run(self, fetches: Any, feed_dict: Any = None) -> Any:
        """`session.run`."""
        return self.session.run(fetches, feed_dict)


@contextlib.contextmanager
def tf1_graph(seed: int | None = None, api: str = DEFAULT_API) -> Iterator[TF1Graph]:
    """Yields a default graph with the reference variables, loops, shapes, equality and op seeds of release `api`.

    Restores what was, in an eager process and in one that is switched to graph mode. Raises UnknownReleaseError,
    ModeInForceError, MissingExtraError.
    """
    from tf2bridge.behaviour.installed import tensorflow

    tf = tensorflow()
    with contextlib.ExitStack() as stack:
        stack.enter_context(_release(api))
        graph = stack.enter_context(tf.Graph().as_default())
        if seed is not None:
            tf.compat.v1.set_random_seed(seed)
        yield TF1Graph(graph, stack)


@contextlib.contextmanager
def _release(api: str) -> Iterator[None]:
    from tf2bridge.behaviour import in_force
    from tf2bridge.behaviour.for_a_while import for_a_while
    from tf2bridge.behaviour.release import parse

    if (release := in_force.enabled()) is not None:
        if release != parse(api):
            raise ModeInForceError(api, release.measured)
        yield
        return
    with for_a_while(api):
        yield
