"""The pipeline or the queue gives other elements: it maps, batches, shuffles or pads otherwise, or holds other data.

Look at the step that is named; where none is, at the data, at files and at what the program feeds.
"""

from __future__ import annotations

from tf2bridge.proof.comparing.changing import TAKES
from tf2bridge.proof.diverging.alike import plain
from tf2bridge.proof.diverging.bodies import FRAME, Body, unlike
from tf2bridge.proof.diverging.ops_seen import Evidence
from tf2bridge.proof.diverging.unequal import unequal_constants

RANK = 40


def likely(evidence: Evidence) -> str | None:
    """Speaks where both ops take the next element of a pipeline, or of a queue, and what makes these differs."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None or not TAKES.search(theirs.type) or not TAKES.search(ours.type):
        return None
    if unequal_constants(evidence):
        return None  # it takes them otherwise
    if not theirs.inner or not ours.inner:
        return None
    said = unlike(theirs.inner, ours.inner) or _another_order(_steps(theirs.inner), _steps(ours.inner))
    return f"in what gives {theirs.name} its elements, {said}" if said else None


def _steps(body: Body) -> list[str]:
    """The types of the datasets, in the order in which they were made."""
    return [plain(node.op) for node in body.values() if "Dataset" in node.op and plain(node.op) not in FRAME]


def _another_order(there: list[str], here: list[str]) -> str:
    if there == here or sorted(there) != sorted(here):
        return ""
    place = next(place for place, (old, new) in enumerate(zip(there, here, strict=True)) if old != new)
    return f"the step {there[place]} there comes where {here[place]} comes here"
