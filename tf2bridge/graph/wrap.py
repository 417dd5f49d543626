"""`wrap`: run untouched TF 1.x graph-building code, and return its graph as a live module in an eager process."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.formats.graphs.audit import fits
from tf2bridge.formats.graphs.interface import PLACEHOLDERS, Interface, interface, resolve
from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.formats.graphs.nodes import by_name, dependents, node_of, op_of
from tf2bridge.graph.code_graph import Built, build, legacy_graph, values_of
from tf2bridge.graph.graph_module import GraphModule
from tf2bridge.graph.load import live_variables
from tf2bridge.graph.object_tensors import is_leaf, is_variable
from tf2bridge.graph.refusals import BuildResultError

CHANGING = ("Assign*", "ResourceApply*", "ResourceSparseApply*", "ResourceScatter*", "Apply*", "SparseApply*")
"""Operations that change a variable. What depends on one is not part of a call; `function` fetches it."""


def wrap(
    build_fn: Callable[..., Any],
    inputs: Mapping[str, tf.TensorSpec] | None = None,
    outputs: Sequence[str] | None = None,
    allow_ops: Collection[str] = (),
) -> GraphModule:
    """Returns the graph that `build_fn(**placeholders)` builds, as a live module with initialized variables.

    The code runs once, in its own graph with TF 1.x behaviour. Its variables are resource variables; its loops and
    conditions are functional. The process stays as it was, but other threads must not read tensor shapes meanwhile.
    Variables get their values from a session that the object keeps, or their initial values. Within the scope of a
    tf.distribute strategy they are variables of that strategy, and replicas and workers call the module.

    Args:
        build_fn: builds the graph. It returns a tensor or a nest of tensors, and the module returns the same structure.
            Or it returns an object whose attributes hold tensors, as in `wrap(lambda: Model(config))`: these are the
            outputs, named "loss" or "cell.state.0". Tensors that change variables are not outputs, but `function`
            fetches them by these names.
        inputs: name -> shape and dtype of each placeholder. By default the inputs are the placeholders that the code
            makes, named by the attributes that hold them, or as in the graph.
        outputs: the names of the outputs, to choose some.
        allow_ops: patterns of operation types that touch files and may run.

    Raises NotEagerError, BuildResultError, LegacyNameError, SeveralGraphsError, InitialValueError, UnknownNameError,
    UnfedPlaceholderError, ShardedVariableError, and UnsupportedOpsError, which lists all such ops.
    """
    specs = {name: tf.TensorSpec.from_spec(spec, name=name) for name, spec in (inputs or {}).items()}
    built = build(build_fn, specs)
    return module_of(built, outputs, allow_ops, getattr(build_fn, "__name__", "graph_module").strip("<>"))


def module_of(
    built: Built,
    outputs: Sequence[str] | None,
    allow_ops: Collection[str],
    name: str,
    kind: type[GraphModule] = GraphModule,
) -> GraphModule:
    """Returns the live module of a built graph. Its outputs are the named ones, or what the code returned."""
    allowed = (*built.own_ops, *allow_ops)
    structure, returned = _returned(built)
    values_by_name = values_of(built, allowed)
    legacy = legacy_graph(built.graph)
    if outputs is not None:
        structure, returned = None, _chosen(legacy, built.names, outputs)
    elif structure is None:
        returned = _outputs(legacy, built)
    if not returned:
        raise BuildResultError(built.result)
    feeds = {name: tensor.name for name, tensor in built.feeds.items()}
    sources = feeds if feeds and structure is not None else _inputs(legacy, built, returned.values())
    ends = Interface(sources, returned, "as built", built.names)
    module = kind(legacy, live_variables(legacy, values_by_name), ends, structure, allowed, name)
    module.kept = built.functions
    return module


def _returned(built: Built) -> tuple[Any, dict[str, str]]:
    """Returns the structure of the code's result, and name -> endpoint of its tensors.

    The structure of a nest of tensors has None for operations: a call must not run, for example, a returned train_op.
    For another object it is None, without tensors.
    """
    flat = tf.nest.flatten(built.result, expand_composites=True)
    if not all(is_leaf(leaf) or isinstance(leaf, bool | int | float | np.generic | np.ndarray) for leaf in flat):
        return None, {}
    with built.graph.as_default():
        tensors = [None if isinstance(leaf, tf.Operation) else _tensor(built, leaf) for leaf in flat]
    keys = sorted(built.result) if isinstance(built.result, dict) else []
    if len(keys) != len(tensors):
        keys = [tensor.name.removesuffix(":0") if tensor is not None else "" for tensor in tensors]
    named = {key: str(tensor.name) for key, tensor in zip(keys, tensors, strict=True) if tensor is not None}
    return tf.nest.map_structure(_stand_in, built.result), named


def _stand_in(value: Any) -> Any:
    """Returns what replaces a tensor in the structure, so that the module does not keep the graph of the tensor."""
    return None if isinstance(value, tf.Operation) else getattr(value, "_type_spec", None) or 0


def _tensor(built: Built, value: Any) -> tf.Tensor:
    tensor = tf.convert_to_tensor(value)
    if getattr(tensor, "graph", None) is not built.graph:
        raise BuildResultError(value)
    return tensor


def _chosen(legacy: LegacyGraph, names: Mapping[str, str], outputs: Iterable[str]) -> dict[str, str]:
    nodes = by_name(legacy.graph_def.node)
    return {name.removesuffix(":0"): names.get(name) or resolve(nodes, name) for name in outputs}


def _outputs(legacy: LegacyGraph, built: Built) -> dict[str, str]:
    """Returns attribute -> endpoint of the outputs of an object.

    Each tensor counts once. Placeholders and tensors that depend on a change of variables are no outputs.
    """
    nodes = by_name(legacy.graph_def.node)
    changed = [name for name, node in nodes.items() if fits(node.op, CHANGING)]
    dependent = dependents(nodes.values(), changed, lambda node: node.input)
    outputs: dict[str, str] = {}
    for path, value in built.held.items():
        if not isinstance(value, tf.Tensor) or is_variable(value) or value.name in outputs.values():
            continue
        if op_of(nodes, value.name) not in PLACEHOLDERS and node_of(value.name) not in dependent:
            outputs[path] = value.name
    return outputs


def _inputs(legacy: LegacyGraph, built: Built, sources: Iterable[str]) -> dict[str, str]:
    """Returns name -> endpoint of the placeholders given to the code, and of other placeholders that outputs need."""
    feeds = {name: tensor.name for name, tensor in built.feeds.items()}
    attributes = {
        value.name: path for path, value in reversed(list(built.held.items())) if isinstance(value, tf.Tensor)
    }
    inputs = interface(legacy, None, list(sources)).inputs
    return feeds | {
        attributes.get(source, name): source for name, source in inputs.items() if source not in feeds.values()
    }
