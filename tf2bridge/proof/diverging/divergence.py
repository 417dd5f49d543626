"""The result of a search: the first op that differs, and its text for people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tf2bridge.proof.diverging.ops_seen import CONSTANT, Evidence, InputSeen, OpSeen
from tf2bridge.proof.numbers.distance import Distance
from tf2bridge.proof.numbers.tolerance import Verdict
from tf2bridge.proof.replaying.playing import Array

_SHOWN = 4


@dataclass(frozen=True)
class Divergence:
    """The first op whose inputs agree and whose output does not.

    Attributes:
        call: the call in which it shows: the number of the program's, from 0, or the index of a module's. via: the
        module of TensorFlow that made the call; empty for the program itself. op, type: of the recorded graph; empty
        where only the new graph has the op. our_op, our_type: of the new graph; empty where only the recorded one has
        it. inputs: name there, name here ("" where nothing stands against it), distance (None where a value is not
        known). output: how far the outputs are apart; None where one side has none. local: how far the new op is from
        the recorded one on the same inputs; None where that was not tried. where, our_where: the lines that made them,
        "model.py:45"; empty if unknown. cause: "epsilon: ...", or None if no known cause is certain enough. evidence:
        the facts about both ops.
    """

    call: int
    op: str
    type: str
    our_op: str
    our_type: str
    inputs: tuple[tuple[str, str, Distance | None], ...]
    output: Distance | None
    local: Distance | None
    where: str
    our_where: str
    cause: str | None
    evidence: Evidence
    via: str = ""

    @property
    def text(self) -> str:
        """A few lines for people."""
        return "\n".join(_lines(self))


def _lines(divergence: Divergence) -> Iterator[str]:
    evidence = divergence.evidence
    by = f" by {divergence.via}" if divergence.via else ""
    yield f"the first op that differs, in call {divergence.call}{by}: {_named(evidence.theirs)}"
    if evidence.added is not None:
        yield f"  only the new graph has {_named(evidence.added)} on the way to {_named(evidence.ours)}"
    elif evidence.ours is None:
        yield "  nothing in the new graph stands against it"
    else:
        yield f"  in the new graph: {_named(evidence.ours)}"
    for old, new, distance in divergence.inputs:
        yield f"  input {old}{f' -> {new}' if new and new != old else ''}: {_far(distance)}"
    if divergence.output is not None:
        yield f"  output: {_far(divergence.output)}"
    if divergence.local is not None:
        yield f"  the new op, given the recorded inputs: {_far(divergence.local)}"
    yield f"  likely cause: {divergence.cause}" if divergence.cause else "  likely cause: not one that is known"


def _named(op: OpSeen | None) -> str:
    if op is None:
        return "none"
    kind = f"the loop {op.loop}" if op.loop else op.type
    return f"{op.name} ({kind}){f' of {op.where}' if op.where else ''}"


def _far(distance: Distance | None) -> str:
    if distance is None:
        return "no value to compare"
    if distance.verdict in (Verdict.EQUAL, Verdict.CLOSE):
        return str(distance.verdict.value)
    figures = f"max|a-b| {distance.max_abs:.2g}, relative {distance.max_rel:.2g}"
    return f"{distance.verdict.value} ({distance.note or figures})"


def shown(value: Array | None) -> str:
    """Returns a value in a few characters: "0.001", "[2 3 ...]"."""
    if value is None:
        return "?"
    flat = np.asarray(value).ravel()
    texts = [f"{number:.6g}" if np.asarray(number).dtype.kind == "f" else str(number) for number in flat[:_SHOWN]]
    return texts[0] if flat.size == 1 else f"[{' '.join(texts)}{' ...' if flat.size > _SHOWN else ''}]"


def constants(op: OpSeen | None) -> list[InputSeen]:
    """Returns the constant inputs of an operation."""
    return [operand for operand in op.inputs if operand.kind == CONSTANT] if op is not None else []
