"""Runs a legacy graph in a `tf.compat.v1` session that shares the values of live variables."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from tf2bridge.behaviour.old_ops import cast_nodes
from tf2bridge.formats.graphs.audit import harmless_part
from tf2bridge.graph.passes.numbered_gradients import without_numbered_gradients
from tf2bridge.graph.passes.python_tokens import with_tokens
from tf2bridge.graph.passes.strip import without_shapes
from tf2bridge.graph.session_variables import assign, read
from tf2bridge.internals.ops import gen_lookup_ops

if TYPE_CHECKING:
    from tf2bridge.graph.python_functions import PythonFunctions
    from tf2bridge.graph.tables.live_tables import LookupTables

v1 = tf.compat.v1


@contextlib.contextmanager
def legacy_session(
    graph_def: Any,
    variables: Mapping[str, tf.Variable],
    allow_ops: Collection[str],
    tables: LookupTables,
    python: PythonFunctions | None,
    exact: bool = False,
) -> Iterator[Any]:
    """Opens a session of the untouched graph: `with legacy_session(...) as session: session.run("y:0", {"x:0": x})`.

    The session starts with the values of the variables and tables; at the end of the with block they get the session's
    values. The session lacks operations that touch files, processes or Python and are not permitted, and all that
    depends on these.

    Args:
        graph_def: the graph.
        variables: variable node name -> live variable.
        allow_ops: patterns of operation types that are permitted.
        tables: the lookup tables of the graph.
        python: the Python functions that the graph calls; None for a graph of this process.
        exact: whether the graph runs as it is written; see `tf2bridge.graph.exact_calls`.
    """
    permitted = allow_ops if python is None else (*allow_ops, *python.operations)
    part = without_shapes(harmless_part(graph_def, permitted))
    if python is not None:
        part.library.CopyFrom(with_tokens(part.node, part.library, python.token))
        part.library.CopyFrom(without_numbered_gradients(part.node, part.library))
    cast_nodes.split_all(part)
    values = {name: variable.numpy() for name, variable in variables.items()}
    contents = tables.contents()
    with tf.Graph().as_default() as graph:
        tf.graph_util.import_graph_def(part, name="")
        with v1.Session(graph=graph, config=config_of(exact)) as session:
            feeds = {name: v1.placeholder(variable.dtype, variable.shape) for name, variable in variables.items()}
            assignments = [assign(graph, name, feed) for name, feed in feeds.items()]
            reads = [read(graph, name) for name in variables]
            session.run(assignments, {feeds[name]: value for name, value in values.items()})
            filled = _fill(session, contents)
            yield session
            results = session.run(reads)
            changed = session.run({name: _export(graph, name) for name in filled if name not in tables.static})
    for variable, value in zip(variables.values(), results, strict=True):
        variable.assign(value)
    for name, content in changed.items():
        tables.fill(name, *content)


def config_of(exact: bool) -> Any:
    """Returns the ConfigProto of a session. exact: whether the session runs a graph as it is written."""
    config = v1.ConfigProto(allow_soft_placement=True)
    config.graph_options.rewrite_options.disable_meta_optimizer = exact
    return config


def _fill(session: Any, contents: Mapping[str, tuple[Any, Any]]) -> list[str]:
    """Fills the tables of a session, and returns the names of those that the session has."""
    tables = {op.name: op for op in session.graph.get_operations() if op.name in contents}
    with session.graph.as_default():
        for name, table in tables.items():
            feeds = [v1.placeholder(table.get_attr(attribute)) for attribute in ("key_dtype", "value_dtype")]
            fill = gen_lookup_ops.lookup_table_import_v2 if _is_resource(table) else gen_lookup_ops.lookup_table_import
            session.run(fill(table.outputs[0], *feeds), dict(zip(feeds, contents[name], strict=True)))
    return list(tables)


def _export(graph: Any, name: str) -> Any:
    table = graph.get_operation_by_name(name)
    export = gen_lookup_ops.lookup_table_export_v2 if _is_resource(table) else gen_lookup_ops.lookup_table_export
    types = (tf.as_dtype(table.get_attr(attribute)) for attribute in ("key_dtype", "value_dtype"))
    return tuple(export(table.outputs[0], *types))


def _is_resource(table: Any) -> bool:
    return bool(table.outputs[0].dtype == tf.resource)
