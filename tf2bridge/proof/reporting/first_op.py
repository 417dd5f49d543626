"""The first op that differs, as plain JSON values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tf2bridge.proof.diverging.divergence import Divergence


def divergence_as_json(divergence: Divergence) -> dict[str, Any]:
    """Returns names, types, lines, the cause, and the text for people, without values."""
    names = ("call", "op", "type", "our_op", "our_type", "where", "our_where", "cause", "text")
    inputs = [
        {"recorded": old, "now": new, "verdict": None if apart is None else apart.verdict.name.lower()}
        for old, new, apart in divergence.inputs
    ]
    return {name: getattr(divergence, name) for name in names} | {"inputs": inputs}
