"""`wrap`: TF 1.x graph-building code, untouched, as a live module in an eager process."""

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
"""Operations that change a variable: what depends on one is there to be fetched, and no part of a call."""


def wrap(
    build_fn: Callable[..., Any],
    inputs: Mapping[str, tf.TensorSpec] | None = None,
    outputs: Sequence[str] | None = None,
    allow_ops: Collection[str] = (),
) -> GraphModule:
    """Returns the graph that `build_fn(**placeholders)` builds, as a live module with initialized variables.

    `inputs` gives the name, shape and dtype of each placeholder. Without it they are those that the code makes, named
    by the attributes that hold them, else as in the graph. `build_fn` returns a tensor or a nest of tensors, and the
    module gives the same; or an object whose attributes hold tensors, `wrap(lambda: Model(config))`: these are the
    outputs, "loss" or "cell.state.0", save what changes variables, which `function` fetches by the same names. Of
    either, `outputs` chooses by name. allow_ops: patterns of operation types that touch files and may run.

    The code runs once, in a graph of its own where TF 1.x behaviour holds (variables are resource variables, loops and
    conditions functional); the process stays as it was, save that other threads must not read tensor shapes meanwhile.
    Variables have the values of a session that the object keeps, else their initial ones. Within the scope of a
    tf.distribute strategy they are variables of that strategy, and replicas and workers call the module.

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
    """Returns the live module of what was built; its outputs are those named, else what the code returned."""
    allowed = (*built.own_ops, *allow_ops)
    structure, returned = _returned(built)
    found = values_of(built, allowed)
    legacy = legacy_graph(built.graph)
    if outputs is not None:
        structure, returned = None, _asked(legacy, built.names, outputs)
    elif structure is None:
        returned = _outputs(legacy, built)
    if not returned:
        raise BuildResultError(built.result)
    given = {name: tensor.name for name, tensor in built.feeds.items()}
    sources = given if given and structure is not None else _inputs(legacy, built, returned.values())
    ends = Interface(sources, returned, "as built", built.names)
    module = kind(legacy, live_variables(legacy, found), ends, structure, allowed, name)
    module.kept = built.functions
    return module


def _returned(built: Built) -> tuple[Any, dict[str, str]]:
    """The structure of a nest of tensors, with None for operations, and its tensors by name; None for another object.

    An operation is no part of a call: whoever returns a train_op does not want it run by each.
    """
    flat = tf.nest.flatten(built.result, expand_composites=True)
    if not all(is_leaf(each) or isinstance(each, bool | int | float | np.generic | np.ndarray) for each in flat):
        return None, {}
    with built.graph.as_default():
        tensors = [None if isinstance(each, tf.Operation) else _tensor(built, each) for each in flat]
    keys = sorted(built.result) if isinstance(built.result, dict) else []
    if len(keys) != len(tensors):
        keys = [each.name.removesuffix(":0") if each is not None else "" for each in tensors]
    named = {key: str(each.name) for key, each in zip(keys, tensors, strict=True) if each is not None}
    return tf.nest.map_structure(_placeless, built.result), named


def _placeless(found: Any) -> Any:
    """What stands for a tensor in the structure: the module must not keep the graph it was built in."""
    return None if isinstance(found, tf.Operation) else getattr(found, "_type_spec", None) or 0


def _tensor(built: Built, found: Any) -> tf.Tensor:
    tensor = tf.convert_to_tensor(found)
    if getattr(tensor, "graph", None) is not built.graph:
        raise BuildResultError(found)
    return tensor


def _asked(legacy: LegacyGraph, names: Mapping[str, str], outputs: Iterable[str]) -> dict[str, str]:
    nodes = by_name(legacy.graph_def.node)
    return {name.removesuffix(":0"): names.get(name) or resolve(nodes, name) for name in outputs}


def _outputs(legacy: LegacyGraph, built: Built) -> dict[str, str]:
    """Attribute -> endpoint of what a call gives: each tensor once, no placeholders, nothing that changes variables."""
    nodes = by_name(legacy.graph_def.node)
    changed = [name for name, node in nodes.items() if fits(node.op, CHANGING)]
    aside = dependents(nodes.values(), changed, lambda node: node.input)
    found: dict[str, str] = {}
    for path, each in built.held.items():
        if not isinstance(each, tf.Tensor) or is_variable(each) or each.name in found.values():
            continue
        if op_of(nodes, each.name) not in PLACEHOLDERS and node_of(each.name) not in aside:
            found[path] = each.name
    return found


def _inputs(legacy: LegacyGraph, built: Built, sources: Iterable[str]) -> dict[str, str]:
    """Name -> endpoint of what was given to the code, and of placeholders, and queues, behind the outputs."""
    given = {name: tensor.name for name, tensor in built.feeds.items()}
    attributes = {each.name: path for path, each in reversed(list(built.held.items())) if isinstance(each, tf.Tensor)}
    found = interface(legacy, None, list(sources)).inputs
    return given | {
        attributes.get(source, name): source for name, source in found.items() if source not in given.values()
    }
