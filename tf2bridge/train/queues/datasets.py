"""`dataset_from_queues`: what queue runners gave to a program of TensorFlow 1.x, as a tf.data pipeline."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from typing import Any, Literal

import tensorflow as tf

from tf2bridge.audit import fits
from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.graph.built import Built, legacy_graph, values_of
from tf2bridge.graph.interface import Interface
from tf2bridge.graph.load import live_variables
from tf2bridge.graph.module import GraphModule
from tf2bridge.graph.refusals import NotEagerError
from tf2bridge.internals.framework import EagerTensor
from tf2bridge.train.queues.building import built_as_in
from tf2bridge.train.queues.pipeline import Pipeline
from tf2bridge.train.queues.refusals import NoTensorsError, PipelineError, UndeterminedOrderError
from tf2bridge.train.queues.wiring import Wiring, stateful_twice

_FILES = ("ReadFile", "MatchingFiles")
"""What an input of files is for; the program itself names them."""

_RANDOM = (
    "Random*", "TruncatedNormal", "ParameterizedTruncatedNormal", "Multinomial", "SampleDistortedBoundingBox*",
    "StatelessRandom*",
)  # fmt: skip


def dataset_from_queues(
    inputs: Any, order: Literal["same", "any"] = "same", allow_ops: Collection[str] = (), api: str = "1.15"
) -> tf.data.Dataset:
    """Returns the tf.data pipeline with the elements, order and batches of input that queue runners filled.

    inputs: the tensors of a tf.Graph that the legacy input code returned, in any nest, as what `tf.train.batch` gives;
    or the function of no arguments that builds and returns them, untouched, which runs once in a graph of its own, with
    the op seeds of the release `api` where it sets a graph's seed; no other thread may build a graph meanwhile. An
    element of the data set is what one `session.run` of them gave; where that raised OutOfRangeError, it ends. Each
    iterator begins anew, as a session did after its initializers: `num_epochs` and random numbers of a seed too.
    Lists come as tuples. allow_ops: patterns of operation types that touch files or Python and may run; reading
    files, and Python functions of this process, may always.

    TensorFlow 1.x does not determine an order where several threads fill a queue, several take from one, or steps take
    from a RandomShuffleQueue (`shuffle_batch`): what they get depends on how full it is, with a seed too (16 orders in
    20 runs of one program on 1.15.5; 1 where its steps waited for a full queue). This is an error, save with
    order="any". Then threads take turns, and a RandomShuffleQueue is full, or closed, whenever a step takes from it:
    with a seed, and one thread, the order is that of a TensorFlow 1.x program whose steps wait for that.

    The queues are gone: nothing is read ahead until `prefetch` asks for it, and an error in an example is that of the
    step that needs it, where TensorFlow 1.x raised OutOfRangeError there and the error itself in `Coordinator.join`.
    A FixedLengthRecordReader's file is held in memory as a whole while its records are read.

    Raises PipelineError, which lists all that is not understood, UndeterminedOrderError, NoTensorsError,
    NotEagerError, ValueError for another order, and what the function raises.
    """
    if not tf.executing_eagerly():
        raise NotEagerError()
    if order not in ("same", "any"):
        raise ValueError(f"order is 'same' or 'any', not {order!r}")
    built = built_as_in(api, inputs) if callable(inputs) else _given(inputs)
    flat = tf.nest.flatten(built.found, expand_composites=True)
    if not flat or not all(tf.is_tensor(each) and _graph_of(each) is built.graph for each in flat):
        raise NoTensorsError(built.found)
    allowed = (*built.own_ops, *_FILES, *allow_ops)
    values = values_of(built, allowed)
    graph = legacy_graph(built.graph)
    wiring = Wiring(graph, [each.name for each in flat])
    if wiring.is_shared():
        _agree(graph)
    _name_maps(graph)
    module = GraphModule(graph, live_variables(graph, values), Interface({}, {}, "as built"), None, allowed)
    module.kept = built.functions
    pipeline = Pipeline(module, wiring, lambda name: int(values[name]))
    elements = tf.autograph.experimental.do_not_convert(pipeline.wanted)()
    if pipeline.problems:
        raise PipelineError(pipeline.problems)
    twice = [f"{name} is run by several steps" for name in stateful_twice(wiring, _RANDOM)]
    if order != "any" and (pipeline.undetermined or twice):
        raise UndeterminedOrderError([*pipeline.undetermined, *twice])
    pack = tf.autograph.experimental.do_not_convert(lambda *tensors: _packed(built.found, flat, tensors))
    found = elements.map(pack)
    found._tf2bridge_module = module  # a data set holds the handles of variables and tables, and does not keep these
    return found


def _given(inputs: Any) -> Built:
    """The graph of tensors that were given, as if it had been built here."""
    graphs = list(filter(None, map(_graph_of, tf.nest.flatten(inputs, expand_composites=True))))
    if not graphs:
        raise NoTensorsError(inputs)
    functions = getattr(graphs[0], "_py_funcs_used_in_graph", ())  # whoever built it keeps those of its branches
    return Built(graphs[0], inputs, {}, {}, tuple(functions))


def _graph_of(found: Any) -> Any:
    """The graph of a tensor; None for an eager one, and for what is none."""
    return None if isinstance(found, EagerTensor) else getattr(found, "graph", None)


def _packed(structure: Any, said: Sequence[tf.Tensor], tensors: Sequence[tf.Tensor]) -> Any:
    """The tensors in the structure that the code returned, with the shapes that it said; tuples in place of lists."""
    for own, tensor in zip(said, tensors, strict=True):
        tensor.set_shape(own.shape)
    return _without_lists(tf.nest.pack_sequence_as(structure, tensors, expand_composites=True))


def _without_lists(nest: Any) -> Any:
    """tf.data would make one tensor of a list."""
    if isinstance(nest, dict):
        return type(nest)((key, _without_lists(each)) for key, each in nest.items())
    if isinstance(nest, tuple) and hasattr(nest, "_fields"):
        return type(nest)(*map(_without_lists, nest))
    return tuple(map(_without_lists, nest)) if isinstance(nest, list | tuple) else nest


def _agree(graph: LegacyGraph) -> None:
    """Gives random operations without seeds some: each of those who share a queue computes its elements again."""
    for node in graph.graph_def.node:
        if fits(node.op, (*_RANDOM, "RandomShuffleQueue*")) and not (node.attr["seed"].i or node.attr["seed2"].i):
            node.attr["seed"].i, node.attr["seed2"].i = secrets.randbits(31), secrets.randbits(31) | 1


def _name_maps(graph: LegacyGraph) -> None:
    """Names the maps that hold sparse tensors on their way through a queue: the steps are functions of their own."""
    own = secrets.token_hex(8)
    for node in graph.graph_def.node:
        if fits(node.op, ("Add*SparseToTensorsMap", "TakeManySparseFromTensorsMap")):
            said = node.attr["shared_name"].s.decode() or node.name
            node.attr["shared_name"].s = f"{said}/{own}".encode()
