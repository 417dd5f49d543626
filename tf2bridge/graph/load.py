"""`load`: read a graph file of TF 0.12 to 1.15 as a live module."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.formats.graphs.failures import sound
from tf2bridge.formats.graphs.interface import has_default, interface
from tf2bridge.formats.graphs.legacy import TRAINABLE, LegacyGraph
from tf2bridge.formats.graphs.nodes import variable_nodes
from tf2bridge.formats.graphs.refusals import NoDefaultSignatureError
from tf2bridge.formats.graphs.vocabularies import Vocabularies
from tf2bridge.graph import variable_values
from tf2bridge.graph.graph_module import GraphModule
from tf2bridge.graph.op_checks import check_versions
from tf2bridge.graph.python_functions import PythonFunctions
from tf2bridge.graph.read_runnable import read_runnable
from tf2bridge.graph.refusals import NotEagerError, ShardedVariableError
from tf2bridge.graph.tables.live_tables import LookupTables
from tf2bridge.graph.trial_import import verdict_on
from tf2bridge.internals.distribution import ShardedVariableMixin

BESIDE = "beside"
_SAVER = "__inference__traced_restore"
"""The beginning of the name of the function that restores variables (tensorflow/python/saved_model/save.py)."""


def load(
    path: str | Path,
    outputs: Sequence[str] | None = None,
    inputs: Sequence[str] | None = None,
    checkpoint: str | Path | None = BESIDE,
    allow_ops: Collection[str] = (),
    tags: Collection[str] | None = None,
    exact: bool = False,
    assets: Mapping[str, str | Path] | None = None,
    py_funcs: Mapping[str, Callable[..., Any]] | None = None,
    signature: str | None = None,
) -> GraphModule:
    """Returns the graph in a file or directory as a live module.

    Args:
        path: a .pb or .pbtxt, a .meta, a checkpoint with its .meta, a SavedModel or hub directory, or an event file.
            The content decides, not the name.
        outputs: names of tensors, or patterns. By default those of the serving signature; without a signature, the
            tensors that no other operation uses.
        inputs: names of tensors, or patterns. By default those of the serving signature, or the placeholders that the
            outputs need.
        checkpoint: the checkpoint of the variables, by default beside the graph. With None, or if there is no
            checkpoint beside the graph, the graph's initializers give the values.
        allow_ops: patterns of operation types that do more than compute (see `tf2bridge audit`) and may run.
        tags: the tags of a graph in a SavedModel.
        exact: whether to run the graph as it is written, without fusions that change numbers. This is slower.
        assets: name of a vocabulary file in the graph -> the file to read. By default an asset of the SavedModel, or a
            file of that name beside the graph.
        py_funcs: name of a node that calls Python, or its token ("pyfunc_0") -> the function to call.
        signature: the key of a signature, if the graph has several.

    Raises NoGraphError, DamagedGraphError, ChecksumError, NewerGraphError, TagsError, UnknownNameError,
    MissingValuesError, UnfedPlaceholderError, UnsupportedOpsError, TableContentError, NoVocabularyError, NotEagerError,
    NoDefaultSignatureError.
    """
    tensorflow()
    if not tf.executing_eagerly():
        raise NotEagerError()
    graph = read_runnable(path, tags)
    check_versions(graph.path, graph.graph_def.versions)
    if outputs is None and signature is None and _is_of_objects(graph) and not has_default(graph):
        raise NoDefaultSignatureError(graph.path, sorted(graph.signatures))
    values_file = graph.checkpoint if checkpoint == BESIDE else checkpoint
    with sound(graph.path, graph.graph_def, verdict_on(graph.graph_def, is_own=False)):
        ends = interface(graph, inputs, outputs, signature)
        live = live_variables(graph, values_of(graph, values_file))
        tables = LookupTables(graph, Vocabularies(assets or {}), allow_ops, values_file)
        python = PythonFunctions(py_funcs)
        name = _name(graph.path)
        return GraphModule(graph, live, ends, None, allow_ops, name, exact, tables, python)


def values_of(graph: LegacyGraph, checkpoint: str | Path | None) -> dict[str, Any]:
    """Returns variable node name -> value, from a checkpoint or the graph's initializers."""
    if not variable_nodes(graph.graph_def):
        return {}
    if checkpoint is None:
        return variable_values.from_initializers(graph.graph_def)
    return variable_values.from_checkpoint(graph, checkpoint)


def live_variables(graph: LegacyGraph, values: Mapping[str, Any]) -> dict[str, tf.Variable]:
    """Returns variable node name -> new `tf.Variable` of that name.

    Variables of the graph's collection of trainable variables are trainable. Raises ShardedVariableError.
    """
    trainable = {name.removesuffix(":0") for name in graph.names(TRAINABLE)}
    variables = {}
    for name, node in variable_nodes(graph.graph_def).items():
        if name in values:
            shape = tf.TensorShape(node.attr["shape"].shape)
            dtype = tf.as_dtype(node.attr["dtype"].type)
            variables[name] = tf.Variable(
                values[name],
                name in trainable,
                name=name,
                dtype=dtype,
                shape=_fitting(shape, values[name]),
            )
            if isinstance(variables[name], ShardedVariableMixin):
                raise ShardedVariableError(name)
    return variables


def _is_of_objects(graph: LegacyGraph) -> bool:
    """Returns True for a SavedModel of `tf.saved_model.save`: its graph has signatures and Savers alone."""
    return any(function.signature.name.startswith(_SAVER) for function in graph.graph_def.library.function)


def _fitting(shape: tf.TensorShape, value: Any) -> tf.TensorShape:
    """Returns the static shape, or an unknown one if it contradicts the value: 0.x wrote unknown shapes as empty."""
    own = tf.TensorShape(getattr(value, "shape", ()))
    return shape if shape.is_compatible_with(own) else tf.TensorShape(None)


def _name(path: Path) -> str:
    name = path.parent.name if path.name.startswith("saved_model.") else path.name
    return (
        "".join(character if character.isalnum() else "_" for character in name).lstrip("_0123456789") or "graph_module"
    )
