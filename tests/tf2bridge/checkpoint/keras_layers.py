"""Layers of Keras 3 filled by moves, as a plan fills them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tf2bridge.checkpoint.moves import Move, TargetVariable
from tf2bridge.formats.checkpoints.names import modern_names, role


def variables_of(layer: Any) -> list[TargetVariable]:
    """What the trainable and moving variables of a built layer are to a plan."""
    owner = getattr(layer, "cell", layer)
    return [
        TargetVariable(weight.path, tuple(weight.shape), weight.dtype, owner.path, type(owner).__name__, weight.name)
        for weight in owner.weights
    ]


def scopes_of(names: Sequence[str], cell: str) -> dict[str, dict[str, str]]:
    """Scope whose last part is `cell` -> role there -> name in the file."""
    result: dict[str, dict[str, str]] = {}
    for name, modern in modern_names(names).items():
        before, between, rest = f"/{modern}".partition(f"/{cell}/")
        if between:
            scope, _, leaf = rest.rpartition("/")
            message = role(leaf) or leaf
            result.setdefault(f"{before[1:]}/{cell}", {})[f"{scope}/{message}" if scope else message] = name
    return result


def moved(move: Move, arrays: Mapping[str, Any]) -> Any:
    """What a move makes of arrays by the names of its sources, its shape as its steps foretell it."""
    result = [arrays[source] for source in move.sources]
    for step in move.steps:
        shape = step.shape(*(np.shape(item) for item in result))
        result = [step(*result)]
        assert result[0].shape == shape
    return result[0]


def fill(layer: Any, moves: Sequence[Move], arrays: Mapping[str, Any]) -> None:
    """Gives a layer all its variables by moves."""
    owner = getattr(layer, "cell", layer)
    made = {move.target: moved(move, arrays) for move in moves}
    assert set(made) == {weight.path for weight in owner.weights}
    for weight in owner.weights:
        weight.assign(made[weight.path])
