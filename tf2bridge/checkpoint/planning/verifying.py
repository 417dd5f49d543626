"""Verifies a plan against the legacy graph: settles open questions by the layers' results, and compares the outputs."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf
from numpy.typing import NDArray

from tf2bridge.checkpoint.mapping import Plan
from tf2bridge.checkpoint.moves import Move
from tf2bridge.checkpoint.planning.applying import source_of, value
from tf2bridge.checkpoint.planning.legacy_run import LegacyRun, Spec, run
from tf2bridge.checkpoint.planning.refusals import NotComparableError, NotVerifiedError
from tf2bridge.formats.checkpoints.stored import Checkpoint

RTOL, ATOL = 1e-4, 1e-5
"""|target - legacy| <= ATOL + RTOL * |legacy|, for float32 through many layers. The plan notes the differences."""
_MOST = 2000
"""The most combinations of candidates that are tried for one layer."""


@dataclass(frozen=True)
class Called:
    """A call of a layer: its arguments, and the values of its results."""

    layer: Any
    arguments: tuple[Any, ...]
    options: Mapping[str, Any]
    results: tuple[NDArray[Any], ...]


def verified(plan: Plan, model: Any, meta: Path) -> Plan:
    """Returns the plan with the questions that the legacy graph in `meta` settles.

    Model and graph run on the same random input. A layer with open questions gets the candidates with which it computes
    a tensor of the legacy graph, if only one choice does. Then the outputs of the model must be tensors of the graph.
    The model has the checkpoint's values afterwards.

    Raises:
        NotComparableError: The two sides cannot be run on the same input.
        NotVerifiedError: The outputs of a complete plan are not the graph's. The error names the first layer that
            computes no tensor of the graph.
    """
    source = source_of(plan, None)
    legacy = run(meta, plan.source, inputs_of(model))
    _assign(plan, plan.moves, source)
    settled = _settled(plan, model, legacy, source)
    if not settled.complete:
        return settled
    return _confirmed(settled, model, legacy)


def inputs_of(model: Any) -> list[Spec]:
    """Returns the inputs of a model; integers are below the sizes of its embeddings."""
    if not getattr(model, "inputs", None):
        raise NotComparableError("the target is no Keras model that knows its inputs: build it with keras.Input")
    sizes = [layer.input_dim for layer in model._flatten_layers() if type(layer).__name__ == "Embedding"]
    specs = []
    for tensor in model.inputs:
        is_integer = "int" in str(tensor.dtype) or (bool(sizes) and _feeds_embedding(model, tensor))
        specs.append(
            Spec(tensor.name, tuple(tensor.shape), str(tensor.dtype), min(sizes, default=2) if is_integer else 0)
        )
    return specs


def _feeds_embedding(model: Any, tensor: Any) -> bool:
    """Returns whether an input goes into an Embedding, which takes integers of any type."""
    embeddings = [layer for layer in model._flatten_layers() if type(layer).__name__ == "Embedding"]
    nodes = [node for layer in embeddings for node in layer._inbound_nodes]
    return any(layer_input is tensor for node in nodes for layer_input in node.input_tensors)


def _settled(plan: Plan, model: Any, legacy: LegacyRun, source: Checkpoint) -> Plan:
    """Returns the plan with each open layer settled if possible, in the order in which the layers compute."""
    given_up: set[int] = set()
    while open_names := [question.name for question in plan.questions if question.about == "variable"]:
        calls = calls_of(model, legacy.inputs)
        called = next(
            (call for call in calls if id(call.layer) not in given_up and _open(call.layer, plan, open_names)), None
        )
        if called is None:
            return plan
        chosen = _chosen(called, _open(called.layer, plan, open_names), plan, legacy, source)
        if chosen is None:
            given_up.add(id(called.layer))
        else:
            plan = _with(plan, chosen)
    return plan


def _open(layer: Any, plan: Plan, names: Iterable[str]) -> list[str]:
    """Returns the open variables of a layer, including those of the layers within it."""
    mine = {id(variable) for variable in layer.variables}
    return [name for name in names if id(plan.live[name]) in mine]


def _chosen(
    called: Called, names: Sequence[str], plan: Plan, legacy: LegacyRun, source: Checkpoint
) -> list[Move] | None:
    """Returns the moves with which the layer computes a tensor of the graph.

    None if no choice or several choices do.
    """
    tensors = [question.name for question in plan.questions if question.about == "tensor"]
    choices = [[t for t in tensors if source.tensors[t].shape == plan.variables[name].shape] for name in names]
    candidates: list[list[Move]] = []
    for choice in itertools.islice(itertools.product(*choices), _MOST):
        if len(set(choice)) < len(choice):
            continue
        moves = [Move(name, (tensor,)) for name, tensor in zip(names, choice, strict=True)]
        _assign(plan, moves, source)
        if (same := counterpart(_results(called.layer(*called.arguments, **called.options)), legacy)) is not None:
            why = f"with it {called.layer.name} computes {same[0]} of the legacy graph, to {same[1]:.1g}"
            candidates.append([replace(move, reason=why) for move in moves])
    different = {tuple(source[move.sources[0]].tobytes() for move in moves) for moves in candidates}
    if len(different) != 1:
        return None
    _assign(plan, candidates[0], source)
    return candidates[0]


def _assign(plan: Plan, moves: Iterable[Move], source: Checkpoint) -> None:
    for move in moves:
        plan.live[move.target].assign(value(move, source, plan.variables[move.target]))


def _with(plan: Plan, moves: Sequence[Move]) -> Plan:
    answered = {move.target for move in moves} | {move.sources[0] for move in moves}
    left = tuple(question for question in plan.questions if question.name not in answered)
    order = list(plan.variables)
    return replace(
        plan, moves=tuple(sorted((*plan.moves, *moves), key=lambda move: order.index(move.target))), questions=left
    )


def _confirmed(plan: Plan, model: Any, legacy: LegacyRun) -> Plan:
    """Returns the complete plan with the moves of matching layers marked as certain. Raises NotVerifiedError."""
    calls = calls_of(model, legacy.inputs)
    outputs = _counterparts(_results(model(*_packed(legacy.inputs), training=False)), legacy)
    alike = {id(call): counterpart(call.results, legacy) for call in calls}
    if not outputs or any(output is None for output in outputs):
        first = next((call.layer.name for call in calls if alike[id(call)] is None and call.layer.variables), "")
        raise NotVerifiedError(plan.target, first)
    sure = {id(v) for call in calls if alike[id(call)] is not None for v in call.layer.variables}
    moves = tuple(replace(m, certain=m.certain or id(plan.live[m.target]) in sure) for m in plan.moves)
    differences = ", ".join(f"{output[0]} to {output[1]:.1g}" for output in outputs if output)
    return replace(plan, moves=moves, notes=(*plan.notes, f"verified: on random input the outputs are {differences}"))


def _packed(inputs: Sequence[NDArray[Any]]) -> list[Any]:
    return [inputs[0] if len(inputs) == 1 else list(inputs)]


def calls_of(model: Any, inputs: Sequence[NDArray[Any]]) -> list[Called]:
    """Runs the model, and returns the calls of its layers that gave values, innermost first."""
    calls: list[Called] = []
    with _watched(list(model._flatten_layers(include_self=False)), calls):
        model(*_packed(inputs), training=False)
    return calls


@contextmanager
def _watched(layers: Sequence[Any], calls: list[Called]) -> Iterator[None]:
    """Notes each call of a layer within the block, by a `call` attribute in front of its class's method."""

    def watching(layer: Any, call: Any) -> Any:
        def watched(*arguments: Any, **options: Any) -> Any:
            results = call(*arguments, **options)
            values = _results(results)
            if values:
                calls.append(Called(layer, arguments, options, values))
            return results

        return watched

    for layer in layers:
        object.__setattr__(layer, "call", watching(layer, layer.call))
    try:
        yield
    finally:
        for layer in layers:
            object.__delattr__(layer, "call")


def _results(given: Any) -> tuple[NDArray[Any], ...]:
    """Returns the values of tensors; none for symbolic tensors, as in a loop of a graph."""
    flat = tf.nest.flatten(given)
    return tuple(np.asarray(tensor) for tensor in flat) if all(hasattr(tensor, "numpy") for tensor in flat) else ()


def counterpart(results: Sequence[NDArray[Any]], legacy: LegacyRun) -> tuple[str, float] | None:
    """Returns the tensor of the graph that equals the first result, and the greatest difference; None without one."""
    return _counterparts(results[:1], legacy)[0] if results else None


def _counterparts(results: Sequence[NDArray[Any]], legacy: LegacyRun) -> list[tuple[str, float] | None]:
    return [next(_alike(result, legacy), None) for result in results]


def _alike(result: NDArray[Any], legacy: LegacyRun) -> Iterator[tuple[str, float]]:
    """Yields the tensors of the graph with these values, and the greatest difference.

    A constant result yields none, because many tensors would equal it.
    """
    if result.size < 2 or not np.ptp(result):
        return
    for name, other in legacy.tensors.items():
        if other.size == result.size and [n for n in other.shape if n > 1] == [n for n in result.shape if n > 1]:
            given = np.asarray(other, np.float64).reshape(result.shape)
            apart = np.abs(np.asarray(result, np.float64) - given)
            if np.all(apart <= ATOL + RTOL * np.abs(given)):
                yield name, float(apart.max())
