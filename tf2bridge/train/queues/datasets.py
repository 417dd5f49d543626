"""`dataset_from_queues`: turns an input that queue runners filled in TensorFlow 1.x into a tf.data pipeline."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from typing import Any, Literal

import tensorflow as tf

from tf2bridge.formats.graphs.audit import fits
from tf2bridge.formats.graphs.interface import Interface
from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.graph.code_graph import Built, legacy_graph, values_of
from tf2bridge.graph.graph_module import GraphModule
from tf2bridge.graph.load import live_variables
from tf2bridge.graph.refusals import NotEagerError
from tf2bridge.internals.framework import EagerTensor
from tf2bridge.train.queues.building import built_as_in
from tf2bridge.train.queues.pipeline import Pipeline
from tf2bridge.train.queues.refusals import NoTensorsError, PipelineError, UndeterminedOrderError
from tf2bridge.train.queues.wiring import Wiring, stateful_twice

_FILES = ("ReadFile", "MatchingFiles")
"""Operations that an input of files needs. The program itself names the files."""

_RANDOM = (
    "Random*", "TruncatedNormal", "ParameterizedTruncatedNormal", "Multinomial", "SampleDistortedBoundingBox*",
    "StatelessRandom*",
)  # fmt: skip


def dataset_from_queues(
    inputs: Any, order: Literal["same", "any"] = "same", allow_ops: Collection[str] = (), api: str = "1.15"
) -> tf.data.Dataset:
    """Returns the tf.data pipeline with the elements, order and batches of an input that queue runners filled.

    An element of the data set is what one `session.run` of the tensors gave. The data set ends where `session.run`
    raised OutOfRangeError. Each iterator begins anew, as a session did after its initializers; this includes
    `num_epochs` and seeded random numbers. Lists become tuples.

    TensorFlow 1.x does not determine an order if several threads fill a queue, if several steps take from a queue, or
    if steps take from a RandomShuffleQueue (`shuffle_batch`). What they get then depends on how full the queue is, with
    a seed too: 16 orders in 20 runs of one program on 1.15.5, and 1 order where its steps waited for a full queue. Such
    an input is an error unless order="any". With order="any", threads take turns, and a RandomShuffleQueue is full, or
    closed, whenever a step takes from it. With a seed and one thread, this is the order of a TensorFlow 1.x program
    whose steps wait for a full queue.

    There are no queues any more: nothing is read ahead until `prefetch` asks for it. An error in an example appears at
    the step that needs the example; TensorFlow 1.x raised OutOfRangeError there, and the error itself in
    `Coordinator.join`. The whole file of a FixedLengthRecordReader is in memory while its records are read.

    Args:
        inputs: The tensors of a tf.Graph that the legacy input code returned, in any nest, such as the result of
            `tf.train.batch`. Or the function without arguments that builds and returns them, unchanged. The function
            runs once, in a graph of its own; no other thread may build a graph meanwhile.
        order: "same" for the order of TensorFlow 1.x, "any" for one of the orders that TensorFlow 1.x can give.
        allow_ops: Patterns of operation types that touch files or Python and may run. Operations that read files, and
            Python functions of this process, may always run.
        api: The release whose op seeds `inputs` gets where it sets the seed of a graph.

    Raises:
        PipelineError: The graph has parts that are not understood; the message lists all of them.
        UndeterminedOrderError: TensorFlow 1.x does not determine the order.
        NoTensorsError: There are no tensors of one graph.
        NotEagerError: This is not eager code.
        ValueError: There is no such order. What the function raises is raised, too.
    """
    if not tf.executing_eagerly():
        raise NotEagerError()
    if order not in ("same", "any"):
        raise ValueError(f"order is 'same' or 'any', not {order!r}")
    built = built_as_in(api, inputs) if callable(inputs) else _given(inputs)
    flat = tf.nest.flatten(built.result, expand_composites=True)
    if not flat or not all(tf.is_tensor(tensor) and _graph_of(tensor) is built.graph for tensor in flat):
        raise NoTensorsError(built.result)
    allowed = (*built.own_ops, *_FILES, *allow_ops)
    values = values_of(built, allowed)
    graph = legacy_graph(built.graph)
    wiring = Wiring(graph, [tensor.name for tensor in flat])
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
    pack = tf.autograph.experimental.do_not_convert(lambda *tensors: _packed(built.result, flat, tensors))
    dataset = elements.map(pack)
    dataset._tf2bridge_module = module  # a data set has only the handles of variables and tables: keep them alive
    return dataset


def _given(inputs: Any) -> Built:
    """Returns the graph of tensors that were given, as if this module had built it."""
    graphs = list(filter(None, map(_graph_of, tf.nest.flatten(inputs, expand_composites=True))))
    if not graphs:
        raise NoTensorsError(inputs)
    functions = getattr(graphs[0], "_py_funcs_used_in_graph", ())  # the builder keeps those of the graph's branches
    return Built(graphs[0], inputs, {}, {}, tuple(functions))


def _graph_of(value: Any) -> Any:
    """Returns the graph of a tensor; None for an eager tensor, and for a value that is no tensor."""
    return None if isinstance(value, EagerTensor) else getattr(value, "graph", None)


def _packed(structure: Any, symbolic: Sequence[tf.Tensor], tensors: Sequence[tf.Tensor]) -> Any:
    """Returns the tensors in the structure and with the static shapes that the code returned.

    Tuples in place of lists.
    """
    for template, tensor in zip(symbolic, tensors, strict=True):
        tensor.set_shape(template.shape)
    return _without_lists(tf.nest.pack_sequence_as(structure, tensors, expand_composites=True))


def _without_lists(nest: Any) -> Any:
    """Returns the nest with tuples in place of lists: tf.data makes one tensor of a list."""
    if isinstance(nest, dict):
        return type(nest)((key, _without_lists(value)) for key, value in nest.items())
    if isinstance(nest, tuple) and hasattr(nest, "_fields"):
        return type(nest)(*map(_without_lists, nest))
    return tuple(map(_without_lists, nest)) if isinstance(nest, list | tuple) else nest


def _agree(graph: LegacyGraph) -> None:
    """Gives seeds to random operations without seeds: each taker of a shared queue computes its elements."""
    for node in graph.graph_def.node:
        if fits(node.op, (*_RANDOM, "RandomShuffleQueue*")) and not (node.attr["seed"].i or node.attr["seed2"].i):
            node.attr["seed"].i, node.attr["seed2"].i = secrets.randbits(31), secrets.randbits(31) | 1


def _name_maps(graph: LegacyGraph) -> None:
    """Gives names to the maps that hold sparse tensors in a queue, because the steps become separate functions."""
    own = secrets.token_hex(8)
    for node in graph.graph_def.node:
        if fits(node.op, ("Add*SparseToTensorsMap", "TakeManySparseFromTensorsMap")):
            name = node.attr["shared_name"].s.decode() or node.name
            node.attr["shared_name"].s = f"{name}/{own}".encode()
