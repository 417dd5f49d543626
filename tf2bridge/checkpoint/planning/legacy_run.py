"""Runs the legacy graph on made-up inputs, and keeps every tensor for comparison with a target."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf
from numpy.typing import NDArray

from tf2bridge.checkpoint.planning.refusals import NotComparableError
from tf2bridge.formats.graphs.interface import BACKWARD
from tf2bridge.formats.graphs.nodes import by_name, node_of
from tf2bridge.graph.example_inputs import for_inference, made_up
from tf2bridge.graph.fetchable import always_run
from tf2bridge.graph.load import load

_CHANGING = re.compile(r"Assign|Apply|Scatter(Add|Sub|Update|Mul|Div|Nd)|Save|Restore|Summary|Queue|Print|Assert")


@dataclass(frozen=True)
class Spec:
    """An input of the target.

    Attributes:
        name: The name of the input.
        shape: The shape; None for any size.
        dtype: The name of the dtype.
        limit: Integers must be below this number; 0 for no limit.
    """

    name: str
    shape: tuple[int | None, ...]
    dtype: str
    limit: int = 0


@dataclass(frozen=True)
class LegacyRun:
    """The inputs of the target in their order, and name -> value of all tensors that depend on the inputs."""

    inputs: list[NDArray[Any]]
    tensors: Mapping[str, NDArray[Any]]


def run(meta: Path, checkpoint: str, specs: Sequence[Spec], seed: int = 0) -> LegacyRun:
    """Runs the graph in `meta` with the values of `checkpoint` and random inputs of the target's kinds.

    Other placeholders get what inference needs: False, a keep probability of 1, a rate of 0. Tensors that depend on
    further placeholders, such as labels, are left out.

    Raises:
        NotComparableError: The inputs cannot be told apart. What `tf2bridge.load` raises is raised, too.
    """
    module = load(meta, checkpoint=checkpoint)
    with module.session() as session:
        placeholders = [op for op in session.graph.get_operations() if op.type in ("Placeholder", "PlaceholderV2")]
        behind = {node_of(endpoint) for endpoint in module.ends.inputs.values()}
        fed = _fed([op for op in placeholders if op.name in behind] or placeholders, specs)
        made = {op: _made(spec, op.outputs[0].shape, seed + at) for at, (spec, op) in enumerate(fed)}
        constants = {op: value for op in placeholders if op not in made and (value := _for_inference(op)) is not None}
        closed = {op for op in placeholders if op not in made and op not in constants}
        had = always_run(by_name(module.graph.graph_def.node))
        tensors = [tensor for tensor in following(set(made), closed) if tensor.op.name in had]
        wanted = sorted(tensors, key=lambda tensor: str(tensor.name))
        feeds = {op.outputs[0]: value for op, value in (made | constants).items()}
        values = session.run(wanted, feeds)
    return LegacyRun(list(made.values()), {tensor.name: value for tensor, value in zip(wanted, values, strict=True)})


def _fed(placeholders: Sequence[Any], specs: Sequence[Spec]) -> list[tuple[Spec, Any]]:
    """Returns the placeholder of each input: the only one with its type and shape, otherwise the one with its name."""
    fed: list[tuple[Spec, Any]] = []
    for spec in specs:
        fitting = [op for op in placeholders if _fits(spec, op) and all(op is not taken for _, taken in fed)]
        named = [op for op in fitting if op.name.rpartition("/")[2].lower() == spec.name.lower()]
        if len(fitting) != 1 and len(named) != 1:
            names = ", ".join(op.name for op in fitting) or "none"
            raise NotComparableError(f"the input {spec.name!r} may be several placeholders of the graph ({names})")
        fed.append((spec, (named if len(named) == 1 else fitting)[0]))
    return fed


def _fits(spec: Spec, op: Any) -> bool:
    shape = op.outputs[0].shape
    kind = "iu" if np.dtype(spec.dtype).kind in "iu" else np.dtype(spec.dtype).kind
    if op.outputs[0].dtype.as_numpy_dtype is object or np.dtype(op.outputs[0].dtype.as_numpy_dtype).kind not in kind:
        return spec.limit > 0 and op.outputs[0].dtype.is_integer  # Keras gives token ids as floats, too
    if shape.rank is None:
        return True
    return shape.rank == len(spec.shape) and all(
        size is None or known_size is None or size == known_size
        for size, known_size in zip(spec.shape, shape.as_list(), strict=True)
    )


def _made(spec: Spec, shape: Any, seed: int) -> NDArray[Any]:
    known = shape.as_list() if shape.rank is not None else [None] * len(spec.shape)
    sizes = [size or known_size for size, known_size in zip(spec.shape, known, strict=True)]
    is_integer = spec.limit or np.dtype(spec.dtype).kind in "iu"
    return made_up("int32" if is_integer else spec.dtype, sizes, seed, spec.limit)


def _for_inference(op: Any) -> Any:
    """Returns the value of another placeholder for inference; None if it is not known."""
    dtype, shape = op.outputs[0].dtype, op.outputs[0].shape
    return for_inference(op.name, dtype.name, None if dtype == tf.bool or shape.rank is None else shape.as_list())


def following(sources: set[Any], closed: set[Any]) -> set[Any]:
    """Returns the floating tensors that depend on inputs and can be fetched, without those of training.

    Args:
        sources: The placeholders that are fed.
        closed: The placeholders that are not fed; tensors that depend on them are left out.
    """
    forward, barred = _reached(sources), _reached(closed)
    return {
        tensor
        for op in forward - barred - sources
        if not BACKWARD.search(op.name) and not _CHANGING.search(op.type) and op.graph.is_fetchable(op)
        for tensor in op.outputs
        if tensor.dtype.is_floating
    }


def _reached(sources: set[Any]) -> set[Any]:
    reached, left = set(sources), list(sources)
    while left:
        op = left.pop()
        for consumer in {consumer for tensor in op.outputs for consumer in tensor.consumers()} - reached:
            reached.add(consumer)
            left.append(consumer)
    return reached
