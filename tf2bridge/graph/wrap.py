"""`wrap`: TF 1.x graph-building code, untouched, as a live module in an eager process."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.graph.module import GraphModule, LiveGraph
from tf2bridge.graph.refusals import BuildResultError, NotEagerError, UnfedPlaceholderError, UnsupportedOpsError
from tf2bridge.graph.subgraph import extracted, needed, unsupported
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
    graph_def = graph.as_graph_def()
    names = needed(graph_def, [tensor.op.name for tensor in fetches])
    _check(graph_def, names, {tensor.op.name for tensor in feeds.values()}, (initializer.name, tables.name))
    return GraphModule(
        LiveGraph(
            graph_def=extracted(graph_def, names, _replaced(feeds.values(), built)),
            inputs=specs,
            feeds=[tensor.name for tensor in feeds.values()],
            variables=_live(graph, built, initializer, tables),
            handles=[variable.handle.name for variable in built],
            outputs=_named(structure, fetches),
            fetches=[tensor.name for tensor in fetches],
            structure=tf.nest.map_structure(_placeless, structure),
        ),
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


def _check(graph_def: Any, names: set[str], fed: set[str], initializers: tuple[str, str]) -> None:
    nodes = {node.name: node for node in graph_def.node}
    unfed = {name for name in names - fed if nodes[name].op == "Placeholder"}
    if unfed:
        raise UnfedPlaceholderError(unfed)
    found = unsupported(graph_def, names | needed(graph_def, initializers))
    if found:
        raise UnsupportedOpsError(found)


def _replaced(feeds: Any, built: list[Any]) -> set[str]:
    return {tensor.op.name for tensor in feeds} | {variable.handle.op.name for variable in built}


def _live(graph: tf.Graph, built: list[Any], initializer: Any, tables: Any) -> list[tf.Variable]:
    """The variables, with the values that a TF1 session gives them."""
    trainable = {variable.name for variable in graph.get_collection(v1.GraphKeys.TRAINABLE_VARIABLES)}
    with v1.Session(graph=graph, config=v1.ConfigProto(allow_soft_placement=True)) as session:
        session.run(tables)
        session.run(initializer)
        values = session.run(built)
    return [
        tf.Variable(
            value,
            trainable=variable.name in trainable,
            name=variable.op.name,
            dtype=variable.dtype.base_dtype,
            shape=tf.TensorShape(variable.shape.as_list() if variable.shape.rank is not None else None),
        )
        for variable, value in zip(built, values, strict=True)
    ]


def _named(structure: Any, fetches: list[tf.Tensor]) -> dict[str, tf.TensorSpec]:
    names = sorted(structure) if isinstance(structure, dict) else []
    if len(names) != len(fetches):
        names = [tensor.name.removesuffix(":0") for tensor in fetches]
    return {name: tf.TensorSpec(tensor.shape, tensor.dtype, name) for name, tensor in zip(names, fetches, strict=True)}


def _placeless(found: Any) -> Any:
    """What stands for a tensor in the structure: the module must not keep the graph it was built in."""
    return getattr(found, "_type_spec", None) or 0
