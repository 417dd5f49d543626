"""The values of a graph's variables: from a checkpoint, by the names that its Saver gave them, or from initializers."""

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
from tf2bridge.graph.new_nodes import value_of
from tf2bridge.graph.passes.strip import without_shapes
from tf2bridge.graph.refusals import MissingValuesError, WrongSliceError
from tf2bridge.graph.session_variables import variable_values
from tf2bridge.graph.time_limit import Limit, bytes_of
from tf2bridge.internals.protos import variable_pb2

v1 = tf.compat.v1
_ASSIGN = ("Assign", "AssignVariableOp")
_PASSED = ("Identity", "Reshape", "Squeeze", "ExpandDims", "Cast")


def from_checkpoint(graph: LegacyGraph, prefix: str | Path) -> dict[str, Any]:
    """Returns name of a variable's node -> value, read from a checkpoint of any format that TensorFlow reads.

    Which tensor of the file a variable takes is what the graph's own restore operations say; where it has none, what
    its collections say of slices, or the one of its name; where another release wrote the file, what that called it.
    A part of a partitioned variable takes its slice; one that the Saver computes from other tensors, as it stores what
    cuDNN keeps in one vector, is computed. One that no Saver of the graph restores has its initial value, or none where
    the graph gives none. Raises what `checkpoint.open` does, and MissingValuesError for all other variables that the
    file does not hold.
    """
    with open_checkpoint(prefix) as held:
        wanted = _found_in(saved_as(graph), held)
        absent = [name for name, (key, _) in wanted.items() if key not in held]
        computed = saver_computations.restored(graph.graph_def, absent, held, held.__getitem__) if absent else {}
        restored = _restored(by_name(graph.graph_def.node)) if absent else {}
        left_out = {name for name in absent if restored and name not in restored and name not in computed}
        missing = [name for name in absent if name not in computed and name not in left_out]
        if missing:
            raise MissingValuesError(prefix, missing, held)
        initial = from_initializers(graph.graph_def, sorted(left_out)) if left_out else {}
        return {
            name: computed[name] if name in computed else _part(held[key], key, spec)
            for name, (key, spec) in wanted.items()
            if name not in left_out
        } | initial


def _found_in(wanted: dict[str, tuple[str, str]], held: Checkpoint) -> dict[str, tuple[str, str]]:
    """The same where the names of a checkpoint are paths of objects: each says what its variable is called."""
    times = Counter(info.full_name for info in held.tensors.values())
    keys = {info.full_name: name for name, info in held.tensors.items() if times[info.full_name] == 1}
    return _renamed({name: (keys.get(key, key), spec) for name, (key, spec) in wanted.items()}, held)


def _renamed(wanted: dict[str, tuple[str, str]], held: Checkpoint) -> dict[str, tuple[str, str]]:
    """The same where another release wrote the checkpoint, which called the variables of its cells otherwise."""
    keys = {key for key, _ in wanted.values()}
    if keys <= held.tensors.keys():
        return wanted
    today = {new: name for name, new in modern_names(held).items() if name not in keys}
    found = {key: today[modern(key)] for key in keys if key not in held and modern(key) in today}
    return {name: (found.get(key, key), spec) for name, (key, spec) in wanted.items()}


def saved_as(graph: LegacyGraph) -> dict[str, tuple[str, str]]:
    """Name of a variable's node -> its name in a checkpoint, and the slice of that tensor which it is, or ""."""
    nodes = variable_nodes(graph.graph_def)
    parts = {name: part for name, part in _parts(graph).items() if name in nodes}
    return {name: (name, "") for name in nodes} | parts | _restored(by_name(graph.graph_def.node))


def _parts(graph: LegacyGraph) -> dict[str, tuple[str, str]]:
    """Name of a partitioned variable's part -> (name of the whole, slice), as the collections of variables say it."""
    found = {}
    for collection in ("variables", "trainable_variables", "local_variables"):
        for stored in graph.collections[collection].bytes_list.value if collection in graph.collections else ():
            variable = variable_pb2.VariableDef.FromString(stored)
            part = variable.save_slice_info_def
            if part.full_name:
                shape = " ".join(map(str, part.full_shape))
                places = zip(part.var_offset, part.var_shape, strict=True)
                spec = ":".join(f"{first},{size}" for first, size in places)
                found[node_of(variable.variable_name)] = part.full_name, f"{shape} {spec}"
    return found


def _restored(nodes: Nodes) -> dict[str, tuple[str, str]]:
    """Name of a variable's node -> (name in the file, slice), as the graph's Savers restore it: the last one wins."""
    found: dict[str, tuple[str, str]] = {}
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
            _, names, slices = (nodes[node_of(each)] for each in data_inputs(restore))
            place = int(source.rpartition(":")[2])
            if names.op == "Const" and slices.op == "Const":
                found[variable] = text.at(names, place), text.at(slices, place)
        elif restore.op in ("Restore", "RestoreSlice"):
            key = nodes[node_of(data_inputs(restore)[1])]
            spec = nodes[node_of(data_inputs(restore)[2])] if restore.op == "RestoreSlice" else None
            found[variable] = text.at(key, 0), text.at(spec, 0) if spec is not None else ""
    return found


def _variable(nodes: Nodes, assign: Any) -> str | None:
    source, passed = data_inputs(assign)[0], set[str]()
    while (node := nodes[node_of(source)]).op not in HANDLES:
        if not node.input or node.name in passed:
            return None
        passed.add(node.name)
        source = data_inputs(node)[0]
    return str(node.name)


class _Texts:
    """Items of constants of texts; each constant is read once, since one of a Saver names all variables."""

    def __init__(self) -> None:
        self._held: dict[str, list[bytes]] = {}

    def at(self, node: Any, place: int) -> str:
        """An item of a `Const`."""
        if node.name not in self._held:
            self._held[node.name] = value_of(node).ravel().tolist()
        return self._held[node.name][place].decode()


def text_at(node: Any, place: int) -> str:
    """An item of a `Const` of texts."""
    return _Texts().at(node, place)


def _part(value: Any, name: str, spec: str) -> Any:
    """The part of a tensor that a slice says. Raises WrongSliceError for one that leads out of it."""
    part = value
    for axis, start, stop in ranges(spec):
        if axis >= value.ndim or not 0 <= start <= stop <= value.shape[axis]:
            raise WrongSliceError(name, value.shape, spec)
        part = part[(slice(None),) * axis + (slice(start, stop),)]
    return part


def from_initializers(graph_def: Any, names: Sequence[str] | None = None) -> dict[str, Any]:
    """Returns name of a variable's node -> initial value, as a TF 1.x session would give it.

    Runs the assignment that each variable's own initializer is, in a session of its own; not those that would touch
    files, processes or Python. Raises EndlessError where one does not come to its end.
    """
    nodes = by_name(graph_def.node)
    wanted = list(variable_nodes(graph_def)) if names is None else list(names)
    first: dict[str, str] = {}
    for node in nodes.values():
        if node.op in _ASSIGN and (variable := _variable(nodes, node)) is not None:
            source = nodes[node_of(data_inputs(node)[1])]
            if not source.op.startswith("Restore"):
                first.setdefault(variable, node.name)
    return _run(graph_def, {name: first[name] for name in wanted if name in first})


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
                left = {}
                for name, op in pending.items():
                    try:
                        limit.run(session, graph.get_operation_by_name(op))
                    except tf.errors.FailedPreconditionError:
                        left[name] = op
                if len(left) == len(pending):
                    break
                pending = left
            done = [name for name in initializers if name not in pending]
            return dict(zip(done, variable_values(session, done), strict=True))
