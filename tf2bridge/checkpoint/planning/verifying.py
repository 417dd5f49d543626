"""A plan held against the legacy graph: open questions settled by what layers compute, and the outputs compared."""

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
"""|target - legacy| <= ATOL + RTOL * |legacy|, for float32 through many layers; the differences found are said."""
_MOST = 2000
"""So many combinations of candidates are tried for one layer."""


@dataclass(frozen=True)
class Called:
    """A layer as it was called: what with, and the tensors that it gave."""

    layer: Any
    arguments: tuple[Any, ...]
    options: Mapping[str, Any]
    results: tuple[NDArray[Any], ...]


def verified(plan: Plan, model: Any, meta: Path) -> Plan:
    """Returns the plan with what the legacy graph in `meta` settles: both sides run on the same random input.

    A layer with open questions gets those candidates with which it computes a tensor of the legacy graph, if only one
    choice does. Then the outputs of the model must be tensors of the graph. `model` holds the checkpoint's values
    afterwards. Raises NotComparableError where the two cannot be run alike, NotVerifiedError where the outputs of a
    complete plan are not the graph's, naming the first layer that computes nothing the graph does.
    """
    source = source_of(plan, None)
    legacy = run(meta, plan.source, inputs_of(model))
    _assign(plan, plan.moves, source)
    settled = _settled(plan, model, legacy, source)
    if not settled.complete:
        return settled
    return _confirmed(settled, model, legacy)


def inputs_of(model: Any) -> list[Spec]:
    """The inputs of a model, whole numbers below the sizes of its embeddings."""
    if not getattr(model, "inputs", None):
        raise NotComparableError("the target is no Keras model that knows its inputs: build it with keras.Input")
    sizes = [each.input_dim for each in model._flatten_layers() if type(each).__name__ == "Embedding"]
    found = []
    for each in model.inputs:
        whole = "int" in str(each.dtype) or (bool(sizes) and _feeds_embedding(model, each))
        found.append(Spec(each.name, tuple(each.shape), str(each.dtype), min(sizes, default=2) if whole else 0))
    return found


def _feeds_embedding(model: Any, tensor: Any) -> bool:
    """Whether an input goes into an Embedding, which takes whole numbers of any type."""
    embeddings = [each for each in model._flatten_layers() if type(each).__name__ == "Embedding"]
    nodes = [node for each in embeddings for node in each._inbound_nodes]
    return any(each is tensor for node in nodes for each in node.input_tensors)


def _settled(plan: Plan, model: Any, legacy: LegacyRun, source: Checkpoint) -> Plan:
    """The plan with each open layer settled that can be, in the order in which the layers compute."""
    given_up: set[int] = set()
    while open_names := [each.name for each in plan.questions if each.about == "variable"]:
        calls = calls_of(model, legacy.inputs)
        called = next(
            (each for each in calls if id(each.layer) not in given_up and _open(each.layer, plan, open_names)), None
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
    """The open variables of a layer, or of what is within it."""
    mine = {id(each) for each in layer.variables}
    return [name for name in names if id(plan.live[name]) in mine]


def _chosen(
    called: Called, names: Sequence[str], plan: Plan, legacy: LegacyRun, source: Checkpoint
) -> list[Move] | None:
    """The moves with which the layer computes what the graph does; None where none or several do."""
    tensors = [each.name for each in plan.questions if each.about == "tensor"]
    choices = [[t for t in tensors if source.tensors[t].shape == plan.variables[name].shape] for name in names]
    found: list[list[Move]] = []
    for choice in itertools.islice(itertools.product(*choices), _MOST):
        if len(set(choice)) < len(choice):
            continue
        moves = [Move(name, (tensor,)) for name, tensor in zip(names, choice, strict=True)]
        _assign(plan, moves, source)
        if (same := counterpart(_results(called.layer(*called.arguments, **called.options)), legacy)) is not None:
            why = f"with it {called.layer.name} computes {same[0]} of the legacy graph, to {same[1]:.1g}"
            found.append([replace(move, reason=why) for move in moves])
    different = {tuple(source[move.sources[0]].tobytes() for move in moves) for moves in found}
    if len(different) != 1:
        return None
    _assign(plan, found[0], source)
    return found[0]


def _assign(plan: Plan, moves: Iterable[Move], source: Checkpoint) -> None:
    for move in moves:
        plan.live[move.target].assign(value(move, source, plan.variables[move.target]))


def _with(plan: Plan, moves: Sequence[Move]) -> Plan:
    answered = {move.target for move in moves} | {move.sources[0] for move in moves}
    left = tuple(each for each in plan.questions if each.name not in answered)
    order = list(plan.variables)
    return replace(
        plan, moves=tuple(sorted((*plan.moves, *moves), key=lambda move: order.index(move.target))), questions=left
    )


def _confirmed(plan: Plan, model: Any, legacy: LegacyRun) -> Plan:
    """The complete plan, its moves certain whose layers compute what the graph does. Raises NotVerifiedError."""
    calls = calls_of(model, legacy.inputs)
    outputs = _counterparts(_results(model(*_packed(legacy.inputs), training=False)), legacy)
    alike = {id(each): counterpart(each.results, legacy) for each in calls}
    if not outputs or any(each is None for each in outputs):
        first = next((each.layer.name for each in calls if alike[id(each)] is None and each.layer.variables), "")
        raise NotVerifiedError(plan.target, first)
    sure = {id(v) for each in calls if alike[id(each)] is not None for v in each.layer.variables}
    moves = tuple(replace(m, certain=m.certain or id(plan.live[m.target]) in sure) for m in plan.moves)
    said = ", ".join(f"{each[0]} to {each[1]:.1g}" for each in outputs if each)
    return replace(plan, moves=moves, notes=(*plan.notes, f"verified: on random input the outputs are {said}"))


def _packed(inputs: Sequence[NDArray[Any]]) -> list[Any]:
    return [inputs[0] if len(inputs) == 1 else list(inputs)]


def calls_of(model: Any, inputs: Sequence[NDArray[Any]]) -> list[Called]:
    """Runs the model, and returns the calls of its layers that gave values, innermost first."""
    found: list[Called] = []
    with _watched(list(model._flatten_layers(include_self=False)), found):
        model(*_packed(inputs), training=False)
    return found


@contextmanager
def _watched(layers: Sequence[Any], found: list[Called]) -> Iterator[None]:
    """Notes each call of a layer, by a `call` of its own in front of that of its class."""

    def watching(layer: Any, call: Any) -> Any:
        def watched(*arguments: Any, **options: Any) -> Any:
            results = call(*arguments, **options)
            values = _results(results)
            if values:
                found.append(Called(layer, arguments, options, values))
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
    """The values of tensors; none of those that stand for values, as in a loop of a graph."""
    flat = tf.nest.flatten(given)
    return tuple(np.asarray(each) for each in flat) if all(hasattr(each, "numpy") for each in flat) else ()


def counterpart(results: Sequence[NDArray[Any]], legacy: LegacyRun) -> tuple[str, float] | None:
    """The tensor of the graph that the first result is, and the greatest difference."""
    return _counterparts(results[:1], legacy)[0] if results else None


def _counterparts(results: Sequence[NDArray[Any]], legacy: LegacyRun) -> list[tuple[str, float] | None]:
    return [next(_alike(each, legacy), None) for each in results]


def _alike(result: NDArray[Any], legacy: LegacyRun) -> Iterator[tuple[str, float]]:
    """Tensors of the graph with these values; none for a result whose values are all the same, which many are."""
    if result.size < 2 or not np.ptp(result):
        return
    for name, other in legacy.tensors.items():
        if other.size == result.size and [n for n in other.shape if n > 1] == [n for n in result.shape if n > 1]:
            given = np.asarray(other, np.float64).reshape(result.shape)
            apart = np.abs(np.asarray(result, np.float64) - given)
            if np.all(apart <= ATOL + RTOL * np.abs(given)):
                yield name, float(apart.max())
