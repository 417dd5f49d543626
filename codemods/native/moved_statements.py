"""Statements whose kind follows from what uses them: containers of tensors, and draws of first values."""

from __future__ import annotations

from codemods.native.items import Body
from codemods.native.kinds import OF_VARIABLES, Kind
from codemods.native.refusals import NotNativeError


def move_containers(body: Body) -> None:
    """Moves `outputs = []` with the statements that put tensors into it."""
    changing = True
    while changing:
        changing = False
        for item in body.items:
            for place in item.mutated if item.moves else ():
                for other in body.items[: item.index]:
                    if place in other.writes and other.kind in (Kind.PYTHON, Kind.CONSTANT) and not other.effects.runs:
                        other.kind, changing = Kind.TENSOR, True


def keep_draws(body: Body) -> None:
    """Leaves `first = tf.random_normal([2])` where it is, if it only gives variables their first values.

    Raises:
        NotNativeError: Something else reads it, which TensorFlow 1 drew anew at each run.
    """
    for item in body.items:
        if item.kind not in OF_VARIABLES:
            continue
        for place in sorted(item.reads):
            made = body.definition(place, item.index)
            if made is None or made.kind is not Kind.TENSOR:
                continue
            readers = [other for other in body.items if place in other.reads and other is not item]
            if any(other.kind not in OF_VARIABLES for other in readers) or len(body.definitions(place)) > 1:
                message = f"the first value of this variable depends on {place}, {made.kind.value}"
                raise NotNativeError(item.node, "NAT008", f"{message}; make it a Python value")
            made.kind = Kind.CONSTANT
