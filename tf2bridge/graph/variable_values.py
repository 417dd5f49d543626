"""Reads the values of a graph's variables from a checkpoint, or computes them with the graph's initializers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import tensorflow as tf

from tf2bridge.formats.checkpoints.names import modern, modern_names
from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
from tf2bridge.formats.checkpoints.slices import ranges
from tf2bridge.formats.checkpoints.stored import Checkpoint
from tf2bridge.formats.graphs.audit import harmless_part
from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.formats.graphs.nodes import HANDLES, Nodes, by_name, data_inputs, node_of, variable_nodes
from tf2bridge.graph import saver_computations
from tf2bridge.graph.called_nodes import with_called
from tf2bridge.graph.new_nodes import value_of
from tf2bridge.graph.passes.strip import without_shapes
from tf2bridge.graph.refusals import MissingValuesError, WrongSliceError
from tf2bridge.graph.session_variables import variable_values
from tf2bridge.graph.time_limit import Limit, bytes_of
from tf2bridge.internals.protos import variable_pb2

v1 = tf.compat.v1
_ASSIGN = ("Assign", "AssignVariableOp")
_RESTORE = ("Restore", "RestoreSlice", "RestoreV2")
_PASSED = ("Identity", "Reshape", "Squeeze", "ExpandDims", "Cast")


def from_checkpoint(graph: LegacyGraph, prefix: str | Path) -> dict[str, Any]:
    """Returns variable node name -> value, from a checkpoint of any format that TensorFlow reads.

    The graph's restore operations name the tensor of a variable. Without them, the slice information of the graph's
    collections names it, or it has the variable's name. If another release wrote the file, its names are translated.
    A part of a partitioned variable takes its slice. A variable that the Saver computes from other tensors, as for
    cuDNN, is computed. A variable that no Saver restores gets its initial value, if the graph has one.

    Raises what `open_checkpoint` raises, and MissingValuesError for all other variables that are not in the file.
    """
    with open_checkpoint(prefix) as stored:
        wanted = _found_in(saved_as(graph), stored)
        absent = [name for name, (key, _) in wanted.items() if key not in stored]
        computed = saver_computations.restored(graph.graph_def, absent, stored, stored.__getitem__) if absent else {}
        restored = _restored(graph.graph_def) if absent else {}
        left_out = {name for name in absent if restored and name not in restored and name not in computed}
        missing = [name for name in absent if name not in computed and name not in left_out]
        if missing:
            raise MissingValuesError(prefix, missing, stored)
        initial = from_initializers(graph.graph_def, sorted(left_out)) if left_out else {}
        return {
            name: computed[name] if name in computed else _part(stored[key], key, spec)
            for name, (key, spec) in wanted.items()
            if name not in left_out
        } | initial


def _found_in(wanted: dict[str, tuple[str, str]], stored: Checkpoint) -> dict[str, tuple[str, str]]:
    """Replaces names by the object paths of an object-based checkpoint, which stores the names of its variables."""
    times = Counter(info.full_name for info in stored.tensors.values())
    keys = {info.full_name: name for name, info in stored.tensors.items() if times[info.full_name] == 1}
    return _renamed({name: (keys.get(key, key), spec) for name, (key, spec) in wanted.items()}, stored)


def _renamed(wanted: dict[str, tuple[str, str]], stored: Checkpoint) -> dict[str, tuple[str, str]]:
    """Replaces names by those of an older release, if it wrote the checkpoint with other names of cell variables."""
    keys = {key for key, _ in wanted.values()}
    if keys <= stored.tensors.keys():
        return wanted
    today = {new: name for name, new in modern_names(stored).items() if name not in keys}
    renamed = {key: today[modern(key)] for key in keys if key not in stored and modern(key) in today}
    return {name: (renamed.get(key, key), spec) for name, (key, spec) in wanted.items()}


def saved_as(graph: LegacyGraph) -> dict[str, tuple[str, str]]:
    """Returns variable node name -> (name in a checkpoint, slice of that tensor or "")."""
    nodes = variable_nodes(graph.graph_def)
    parts = {name: part for name, part in _parts(graph).items() if name in nodes}
    return {name: (name, "") for name in nodes} | parts | _restored(graph.graph_def)


def _parts(graph: LegacyGraph) -> dict[str, tuple[str, str]]:
    """Returns name of a part -> (name of the partitioned variable, slice), from the collections of variables."""
    parts = {}
    for collection in ("variables", "trainable_variables", "local_variables"):
        for stored in graph.collections[collection].bytes_list.value if collection in graph.collections else ():
            variable = variable_pb2.VariableDef.FromString(stored)
            part = variable.save_slice_info_def
            if part.full_name:
                shape = " ".join(map(str, part.full_shape))
                places = zip(part.var_offset, part.var_shape, strict=True)
                spec = ":".join(f"{first},{size}" for first, size in places)
                parts[node_of(variable.variable_name)] = part.full_name, f"{shape} {spec}"
    return parts


def _restored(graph_def: Any) -> dict[str, tuple[str, str]]:
    """Returns variable node name -> (name in the checkpoint, slice), as the last of the graph's Savers restores it."""
    nodes = by_name(with_called(graph_def, _RESTORE).node)
    names_by_variable: dict[str, tuple[str, str]] = {}
    text = _Texts()
    for node in nodes.values():
        if node.op not in _ASSIGN:
            continue
        source = data_inputs(node)[1]
        while nodes[node_of(source)].op in _PASSED:
            source = data_inputs(nodes[node_of(source)])[0]
        restore = nodes[node_of(source)]
        variable = _variable(nodes, node)
        if variable is None:
            continue
        if restore.op == "RestoreV2":
            _, names, slices = (nodes[node_of(source)] for source in data_inputs(restore))
            place = int(source.rpartition(":")[2])
            if names.op == "Const" and slices.op == "Const":
                names_by_variable[variable] = text.at(names, place), text.at(slices, place)
        elif restore.op in ("Restore", "RestoreSlice"):
            key = nodes[node_of(data_inputs(restore)[1])]
            spec = nodes[node_of(data_inputs(restore)[2])] if restore.op == "RestoreSlice" else None
            names_by_variable[variable] = text.at(key, 0), text.at(spec, 0) if spec is not None else ""
    return names_by_variable


def _variable(nodes: Nodes, assign: Any) -> str | None:
    source, passed = data_inputs(assign)[0], set[str]()
    while (node := nodes[node_of(source)]).op not in HANDLES:
        if not node.input or node.name in passed:
            return None
        passed.add(node.name)
        source = data_inputs(node)[0]
    return str(node.name)


class _Texts:
    """Items of string constants. Each constant is decoded once: that of a Saver names all variables."""

    def __init__(self) -> None:
        self._items: dict[str, list[bytes]] = {}

    def at(self, node: Any, place: int) -> str:
        """Returns an item of a `Const`."""
        if node.name not in self._items:
            self._items[node.name] = value_of(node).ravel().tolist()
        return self._items[node.name][place].decode()


def text_at(node: Any, place: int) -> str:
    """Returns an item of a `Const` of strings."""
    return _Texts().at(node, place)


def _part(value: Any, name: str, spec: str) -> Any:
    """Returns a slice of a tensor. Raises WrongSliceError if the slice exceeds the tensor."""
    part = value
    for axis, start, stop in ranges(spec):
        if axis >= value.ndim or not 0 <= start <= stop <= value.shape[axis]:
            raise WrongSliceError(name, value.shape, spec)
        part = part[(slice(None),) * axis + (slice(start, stop),)]
    return part


def from_initializers(graph_def: Any, names: Sequence[str] | None = None) -> dict[str, Any]:
    """Returns variable node name -> initial value, as a TF 1.x session would compute it.

    Runs the initializers in a new session, except those that would touch files, processes or Python.

    Args:
        graph_def: the graph.
        names: the variables; by default all.

    Raises:
        EndlessError: the initializers take too long.
    """
    nodes = by_name(graph_def.node)
    wanted = list(variable_nodes(graph_def)) if names is None else list(names)
    initializers: dict[str, str] = {}
    for node in nodes.values():
        if node.op in _ASSIGN and (variable := _variable(nodes, node)) is not None:
            source = nodes[node_of(data_inputs(node)[1])]
            if not source.op.startswith("Restore"):
                initializers.setdefault(variable, node.name)
    return _run(graph_def, {name: initializers[name] for name in wanted if name in initializers})


def _run(graph_def: Any, initializers: Mapping[str, str]) -> dict[str, Any]:
    part = without_shapes(harmless_part(graph_def, ()))
    kept = {node.name for node in part.node}
    initializers = {name: op for name, op in initializers.items() if op in kept}
    if not initializers:
        return {}
    limit = Limit(bytes_of(node for node in part.node if node.name in initializers))
    with tf.Graph().as_default() as graph:
        tf.graph_util.import_graph_def(part, name="")
        with v1.Session(graph=graph, config=v1.ConfigProto(allow_soft_placement=True)) as session:
            pending = dict(initializers)
            while pending:  # an initial value may be computed from another variable
                failed = {}
                for name, op in pending.items():
                    try:
                        limit.run(session, graph.get_operation_by_name(op))
                    except tf.errors.FailedPreconditionError:
                        failed[name] = op
                if len(failed) == len(pending):
                    break
                pending = failed
            done = [name for name in initializers if name not in pending]
            return dict(zip(done, variable_values(session, done), strict=True))
