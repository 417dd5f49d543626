"""`wrap`: TF 1.x graph-building code, untouched, as a live module in an eager process."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import tensorflow as tf

from tf2bridge.audit import audit
from tf2bridge.graph.interface import Interface
from tf2bridge.graph.legacy import Kind, LegacyGraph
from tf2bridge.graph.load import live_variables
from tf2bridge.graph.module import GraphModule
from tf2bridge.graph.nodes import by_name, needed
from tf2bridge.graph.refusals import BuildResultError, NotEagerError, UnsupportedOpsError
from tf2bridge.v1.installed import tensorflow

v1 = tf.compat.v1


def wrap(build_fn: Callable[..., Any], inputs: Mapping[str, tf.TensorSpec] | None = None) -> GraphModule:
    """Returns the graph that `build_fn(**placeholders)` builds, as a live module with initialized variables.

    `inputs` gives the name, shape and dtype of each placeholder. `build_fn` runs once, in a graph of its own where
    TF 1.x behaviour holds (variables are resource variables, loops and conditions functional); the process stays as it
    was, save that other threads must not read tensor shapes meanwhile. It returns a tensor, or a nest of tensors.

    Raises NotEagerError, BuildResultError, UnfedPlaceholderError, and UnsupportedOpsError, which lists all such ops.
    """
    tensorflow()
    if not tf.executing_eagerly():
        raise NotEagerError()
    specs = {name: tf.TensorSpec.from_spec(spec, name=name) for name, spec in (inputs or {}).items()}
    graph = tf.Graph()
    with graph.as_default(), tf1_ways():
        feeds = {name: v1.placeholder(spec.dtype, spec.shape, name) for name, spec in specs.items()}
        structure = build_fn(**feeds)
        fetches = [_tensor(graph, each) for each in tf.nest.flatten(structure, expand_composites=True)]
        built = [*v1.global_variables(), *v1.local_variables()]
        initializer = v1.group(v1.global_variables_initializer(), v1.local_variables_initializer())
        tables = v1.tables_initializer()
        meta = v1.train.export_meta_graph()
    legacy = LegacyGraph(Path(), Kind.GRAPH, graph.as_graph_def(), dict(meta.collection_def))
    _check_initializers(legacy.graph_def, initializer.name, tables.name)
    return GraphModule(
        legacy,
        live_variables(legacy, _values(graph, built, initializer, tables)),
        Interface({name: tensor.name for name, tensor in feeds.items()}, _named(structure, fetches), "as built"),
        structure=tf.nest.map_structure(_placeless, structure),
        name=getattr(build_fn, "__name__", "graph_module").strip("<>"),
    )


@contextlib.contextmanager
def tf1_ways() -> Iterator[None]:
    """For the length of a with block, shapes hold `Dimension`s (`x.shape[1].value`) and resource variables have
    `initialized_value()`, as TF 1.x code expects; TensorFlow 2.21 gives neither in an eager process.
    """
    from tensorflow.python.framework import tensor_shape
    from tensorflow.python.ops.resource_variable_ops import BaseResourceVariable

    before = tensor_shape._TENSORSHAPE_V2_OVERRIDE
    v1.disable_v2_tensorshape()
    BaseResourceVariable.initialized_value = _initialized_value
    try:
        yield
    finally:
        tensor_shape._TENSORSHAPE_V2_OVERRIDE = before
        del BaseResourceVariable.initialized_value


def _initialized_value(variable: Any) -> Any:
    return v1.cond(v1.is_variable_initialized(variable), variable.read_value, lambda: variable.initial_value)


def _tensor(graph: tf.Graph, found: Any) -> tf.Tensor:
    if isinstance(found, tf.Operation) or found is None:
        raise BuildResultError(found)
    tensor = tf.convert_to_tensor(found)
    if getattr(tensor, "graph", None) is not graph:
        raise BuildResultError(found)
    return tensor


def _check_initializers(graph_def: Any, *names: str) -> None:
    """Raises UnsupportedOpsError for what initializing would do besides computing."""
    nodes = by_name(graph_def.node)
    part = type(graph_def)(library=graph_def.library)
    part.node.extend(nodes[name] for name in needed(nodes, names))
    found = audit(part)
    if found:
        raise UnsupportedOpsError(map(str, found))


def _values(graph: tf.Graph, built: list[Any], initializer: Any, tables: Any) -> dict[str, Any]:
    """Name of a variable's node -> the value that a TF1 session gives it."""
    with v1.Session(graph=graph, config=v1.ConfigProto(allow_soft_placement=True)) as session:
        session.run(tables)
        session.run(initializer)
        return dict(zip([variable.op.name for variable in built], session.run(built), strict=True))


def _named(structure: Any, fetches: list[tf.Tensor]) -> dict[str, str]:
    names = sorted(structure) if isinstance(structure, dict) else []
    if len(names) != len(fetches):
        names = [tensor.name.removesuffix(":0") for tensor in fetches]
    return {name: tensor.name for name, tensor in zip(names, fetches, strict=True)}


def _placeless(found: Any) -> Any:
    """What stands for a tensor in the structure: the module must not keep the graph it was built in."""
    return getattr(found, "_type_spec", None) or 0
