"""Known reasons why two ops differ, one per file; found by walking this package.

A cause is a module with `likely(evidence) -> str | None`: what it found, with its figures, or None where it is not
sure. Its docstring says what it is and what to do. `RANK` orders those that speak at once: the lowest is said.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any

from tf2bridge.proof.diverging.ops_seen import Evidence


def likely_cause(evidence: Evidence) -> str | None:
    """Returns "epsilon: ..." of the first cause that is sure enough, else None."""
    for name, module in _causes():
        said = module.likely(evidence)
        if said is not None:
            return f"{name}: {said}"
    return None


@cache
def _causes() -> tuple[tuple[str, Any], ...]:
    modules = [importlib.import_module(f"{__name__}.{each.name}") for each in pkgutil.iter_modules(__path__)]
    named = [(module.__name__.rpartition(".")[2].replace("_", " "), module) for module in modules]
    return tuple(sorted(named, key=lambda each: (each[1].RANK, each[0])))
