"""Runs TF 1.x graph-building code in an eager process, and keeps its graph, its result and its variables' values."""

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
"""Operations that code may always run in its own process: the Python functions are its own, and no file chose them."""


@dataclass(frozen=True)
class Built:
    """The result of running graph-building code.

    Attributes:
        graph: the graph that the code built.
        result: what the code returned.
        feeds: name -> placeholder that the code was given.
        held: path -> tensor, variable, operation or session in the result; see `object_tensors.held`.
        functions: the Python functions that the graph calls. TensorFlow does not keep them alive; this does.
    """

    graph: tf.Graph
    result: Any
    feeds: Mapping[str, Any]
    held: Mapping[str, Any]
    functions: tuple[Any, ...]

    @property
    def sessions(self) -> list[Any]:
        """The sessions of this graph that the code keeps."""
        return [value for value in self.held.values() if is_session(value)]

    @property
    def own_ops(self) -> tuple[str, ...]:
        """The operation types that need no permission: `_OWN_OPS`, and those of libraries that the code loaded."""
        graph_def = self.graph.as_graph_def()
        functions = {function.signature.name for function in graph_def.library.function}
        return (*_OWN_OPS, *sorted(unlisted(with_functions(graph_def.node, graph_def.library)) - functions))

    @property
    def names(self) -> dict[str, str]:
        """Attribute path, or variable name -> the endpoint or operation that a session fetches for it."""
        with self.graph.as_default():
            variables = {variable.name: variable for variable in _variables()}
        fetchable = variables | {path: value for path, value in self.held.items() if not is_session(value)}
        return {path: str(graph_element(value).name) for path, value in fetchable.items()}


def build(code: Callable[..., Any], specs: Mapping[str, tf.TensorSpec]) -> Built:
    """Calls `code(**placeholders)` with a new graph as default, and returns what it built.

    The code may also make its own graph; the result then has that graph.

    Args:
        code: builds the graph.
        specs: name -> shape and dtype of a placeholder, which the code gets as the argument of that name.

    Raises:
        NotEagerError: TensorFlow does not run eagerly.
        LegacyNameError: the code uses a name that TensorFlow 2 does not have.
        SeveralGraphsError: the result holds tensors of several graphs.
    """
    tensorflow()
    if not tf.executing_eagerly():
        raise NotEagerError()
    graph = tf.Graph()
    with _alone(graph), tf1_ways(), registered() as functions:
        feeds = {name: v1.placeholder(spec.dtype, spec.shape, name) for name, spec in specs.items()}
        try:
            result = code(**feeds)
        except AttributeError as error:
            module = getattr(error.obj, "__name__", "")
            if module.partition(".")[0] == "tensorflow":
                raise LegacyNameError(module, error.name or "", error) from error
            raise
    leaves = {path: leaf for path, leaf in held(result).items() if hasattr(leaf, "graph")}
    home = _home(graph, [leaf.graph for leaf in leaves.values()])
    own = {path: leaf for path, leaf in leaves.items() if leaf.graph is home}
    return Built(home, result, feeds, own, tuple(functions))


@contextlib.contextmanager
def _alone(graph: tf.Graph) -> Iterator[None]:
    """Makes the graph the default one in a with block, and closes no session that the code opens.

    Afterwards the interactive sessions that the code opened are not default sessions any more.
    """
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
            setattr(session, name, contextlib.nullcontext())  # `close` calls `__exit__` of this attribute again


def _home(graph: tf.Graph, graphs: Sequence[tf.Graph]) -> tf.Graph:
    """Returns the graph that the code was given, or the one that it made: `with tf.Graph().as_default()`."""
    others = {id(other): other for other in graphs if other is not graph}
    if len(others) == len({id(other) for other in graphs}) == 1:
        return next(iter(others.values()))
    if others and graph not in graphs:
        raise SeveralGraphsError(len(others))
    return graph


def legacy_graph(graph: tf.Graph) -> LegacyGraph:
    """Returns the graph as a file of TF 1.x would hold it."""
    with graph.as_default():
        meta = v1.train.export_meta_graph()
    return LegacyGraph(Path(), Kind.GRAPH, graph.as_graph_def(), dict(meta.collection_def))


def values_of(built: Built, allow_ops: Collection[str]) -> dict[str, Any]:
    """Returns variable node name -> value in a session that the code keeps, else initial value.

    Raises:
        UnsupportedOpsError: an initializer uses an operation that is not permitted.
        InitialValueError: TensorFlow cannot run the initializers.
    """
    with built.graph.as_default(), tf1_ways():
        variables = _variables()
    values_by_name: dict[str, Any] = {}
    for session in built.sessions:
        missing = [variable for variable in variables if variable.op.name not in values_by_name]
        values_by_name |= _in_session(session, missing)
    if any(variable.op.name not in values_by_name for variable in variables):
        values_by_name = _initial(built.graph, variables, allow_ops) | values_by_name
    graph_def = built.graph.as_graph_def()
    remaining = [name for name in variable_nodes(graph_def) if name not in values_by_name]
    if not remaining:
        return values_by_name
    return values_by_name | variable_values.from_initializers(graph_def, remaining)


def _variables() -> list[Any]:
    return [value for value in [*v1.global_variables(), *v1.local_variables()] if is_variable(value)]


def _in_session(session: Any, variables: Sequence[Any]) -> dict[str, Any]:
    values_by_name = {}
    for variable in variables:
        with contextlib.suppress(tf.errors.FailedPreconditionError):
            values_by_name[variable.op.name] = session.run(variable)
    return values_by_name


def _initial(graph: tf.Graph, variables: Sequence[Any], allow_ops: Collection[str]) -> dict[str, Any]:
    """Runs the initializers of the code in a session, and returns variable node name -> value."""
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
        return dict(zip([variable.op.name for variable in variables], session.run(list(variables)), strict=True))


def _check(graph_def: Any, names: Sequence[str], allow_ops: Collection[str]) -> None:
    nodes = by_name(graph_def.node)
    wanted = [nodes[name] for name in needed(nodes, names)]
    if touches := refused(wanted, graph_def.library, allow_ops):
        raise UnsupportedOpsError(map(str, touches), [touch.op for touch in touches])
