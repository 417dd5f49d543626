"""What TF 1.x code built in an eager process: its graph, what it returned, and the values of its variables."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.formats.graphs.audit import refused, unlisted, with_functions
from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.formats.graphs.nodes import by_name, needed, variable_nodes
from tf2bridge.formats.kinds import Kind
from tf2bridge.graph import variable_values
from tf2bridge.graph.object_tensors import graph_element, held, is_session, is_variable
from tf2bridge.graph.python_functions import registered
from tf2bridge.graph.refusals import (
    InitialValueError,
    LegacyNameError,
    NotEagerError,
    SeveralGraphsError,
    UnsupportedOpsError,
)
from tf2bridge.graph.tf1_behaviour import tf1_ways

v1 = tf.compat.v1

_OWN_OPS = ("PyFunc*", "EagerPyFunc", "Print")
"""What code may call that runs in its own process: the functions are its own, and no file chose them."""


@dataclass(frozen=True)
class Built:
    """`found`: what the code returned. `feeds`: name -> placeholder that it was given. `held`: see `attributes`.

    `functions` are the Python functions that the graph calls: they live as long as somebody keeps them.
    """

    graph: tf.Graph
    found: Any
    feeds: Mapping[str, Any]
    held: Mapping[str, Any]
    functions: tuple[Any, ...]

    @property
    def sessions(self) -> list[Any]:
        """The sessions of this graph that the code keeps."""
        return [each for each in self.held.values() if is_session(each)]

    @property
    def own_ops(self) -> tuple[str, ...]:
        """The operation types that its code may run unasked, those of libraries that it loaded itself among them."""
        graph_def = self.graph.as_graph_def()
        functions = {each.signature.name for each in graph_def.library.function}
        return (*_OWN_OPS, *sorted(unlisted(with_functions(graph_def.node, graph_def.library)) - functions))

    @property
    def names(self) -> dict[str, str]:
        """Path of an attribute, or name of a variable -> endpoint or operation that a session would fetch for it."""
        with self.graph.as_default():
            variables = {each.name: each for each in _variables()}
        sought = variables | {path: each for path, each in self.held.items() if not is_session(each)}
        return {path: str(graph_element(each).name) for path, each in sought.items()}


def build(code: Callable[..., Any], specs: Mapping[str, tf.TensorSpec]) -> Built:
    """Returns what `code(**placeholders)` builds, in a graph of its own or one that it makes itself.

    Raises NotEagerError, LegacyNameError, SeveralGraphsError, and what the code raises.
    """
    tensorflow()
    if not tf.executing_eagerly():
        raise NotEagerError()
    graph = tf.Graph()
    with _alone(graph), tf1_ways(), registered() as functions:
        feeds = {name: v1.placeholder(spec.dtype, spec.shape, name) for name, spec in specs.items()}
        try:
            found = code(**feeds)
        except AttributeError as error:
            module = getattr(error.obj, "__name__", "")
            if module.partition(".")[0] == "tensorflow":
                raise LegacyNameError(module, error.name or "", error) from error
            raise
    leaves = {path: each for path, each in held(found).items() if hasattr(each, "graph")}
    home = _home(graph, [each.graph for each in leaves.values()])
    own = {path: each for path, each in leaves.items() if each.graph is home}
    return Built(home, found, feeds, own, tuple(functions))


@contextlib.contextmanager
def _alone(graph: tf.Graph) -> Iterator[None]:
    """The graph as default; interactive sessions that the code opens are no longer default sessions afterwards."""
    from tf2bridge.internals.framework import stack

    with graph.as_default():
        before = len(stack._default_session_stack.stack)
        try:
            yield
        finally:
            for session in reversed(stack._default_session_stack.stack[before:]):
                _step_down(session)


def _step_down(session: Any) -> None:
    for name in ("_default_session", "_default_graph"):
        entered = getattr(session, name, None)
        if entered is not None:
            entered.__exit__(None, None, None)
            setattr(session, name, contextlib.nullcontext())  # `close` will leave it again


def _home(graph: tf.Graph, graphs: Sequence[tf.Graph]) -> tf.Graph:
    """The graph given to the code, or the one that it made itself: `with tf.Graph().as_default()`."""
    others = {id(each): each for each in graphs if each is not graph}
    if len(others) == len({id(each) for each in graphs}) == 1:
        return next(iter(others.values()))
    if others and graph not in graphs:
        raise SeveralGraphsError(len(others))
    return graph


def legacy_graph(graph: tf.Graph) -> LegacyGraph:
    """The graph as a file of TF 1.x would hold it."""
    with graph.as_default():
        meta = v1.train.export_meta_graph()
    return LegacyGraph(Path(), Kind.GRAPH, graph.as_graph_def(), dict(meta.collection_def))


def values_of(built: Built, allow_ops: Collection[str]) -> dict[str, Any]:
    """Name of a variable's node -> the value it has in a session that the code keeps, else its initial value.

    Raises UnsupportedOpsError for what initializing would do besides computing, InitialValueError.
    """
    with built.graph.as_default(), tf1_ways():
        variables = _variables()
    found: dict[str, Any] = {}
    for session in built.sessions:
        found |= _in_session(session, [each for each in variables if each.op.name not in found])
    if any(each.op.name not in found for each in variables):
        found = _initial(built.graph, variables, allow_ops) | found
    graph_def = built.graph.as_graph_def()
    left = [name for name in variable_nodes(graph_def) if name not in found]
    return found | variable_values.from_initializers(graph_def, left) if left else found


def _variables() -> list[Any]:
    return [each for each in [*v1.global_variables(), *v1.local_variables()] if is_variable(each)]


def _in_session(session: Any, variables: Sequence[Any]) -> dict[str, Any]:
    found = {}
    for variable in variables:
        with contextlib.suppress(tf.errors.FailedPreconditionError):
            found[variable.op.name] = session.run(variable)
    return found


def _initial(graph: tf.Graph, variables: Sequence[Any], allow_ops: Collection[str]) -> dict[str, Any]:
    """The values that the code's initializers give, as a TF1 session would run them."""
    with graph.as_default():
        initializer = v1.group(v1.global_variables_initializer(), v1.local_variables_initializer())
        tables = v1.tables_initializer()
    _check(graph.as_graph_def(), (initializer.name, tables.name), allow_ops)
    with v1.Session(graph=graph, config=v1.ConfigProto(allow_soft_placement=True)) as session:
        try:
            session.run(tables)
            session.run(initializer)
        except tf.errors.OpError as error:
            raise InitialValueError(error.message) from error
        return dict(zip([each.op.name for each in variables], session.run(list(variables)), strict=True))


def _check(graph_def: Any, names: Sequence[str], allow_ops: Collection[str]) -> None:
    nodes = by_name(graph_def.node)
    wanted = [nodes[name] for name in needed(nodes, names)]
    if found := refused(wanted, graph_def.library, allow_ops):
        raise UnsupportedOpsError(map(str, found), [each.op for each in found])
