"""Gives an outcome the form in which it stays: without what depends on earlier attempts."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tf2bridge.fleet.doing import Do
from tf2bridge.fleet.inventory import Item
from tf2bridge.fleet.outcome import Outcome, Verdict

_TREE = "tree"
_FINGERPRINT = "/fingerprint.pb"


def shaped(do: Do, outcome: Outcome, item: Item, folder: str) -> Outcome:
    """Returns the outcome of an item whose files are in `folder`."""
    shape = _SHAPES.get(do.name)
    is_ended = outcome.verdict in (Verdict.RIGHT, Verdict.DIFFERENT)
    return outcome if shape is None or not is_ended else shape(outcome, item, folder)


def _of_seal(outcome: Outcome, _item: Item, _folder: str) -> Outcome:
    """Says "sealed" also if an attempt that was ended has written the seal, so that another attempt found it."""
    rows: list[dict[str, Any]] = outcome.report
    report = [{**row, "is": "sealed"} if row["is"] == "unchanged" else row for row in rows]
    return replace(outcome, report=report)


def _of_audit(outcome: Outcome, _item: Item, _folder: str) -> Outcome:
    """Says which types of operations do more than compute."""
    types = sorted({operation["op"] for operation in outcome.report})
    return replace(outcome, error=", ".join(types)) if types else outcome


def _of_migration(outcome: Outcome, _item: Item, folder: str) -> Outcome:
    """Leaves the patch and the reports; the new tree is the old one with the patch."""
    shutil.rmtree(Path(folder, _TREE), ignore_errors=True)
    files = {name: size for name, size in outcome.files.items() if not name.startswith(f"{_TREE}/")}
    report = outcome.report
    left = len(report["findings"])
    proof = "proven" if report["proven"] else f"not proven: {report['unproven'] or 'the numbers differ'}"
    error = None if outcome.verdict is Verdict.RIGHT else f"{proof}; {left} findings need a person"
    return replace(outcome, files=files, error=error)


def _of_export(outcome: Outcome, _item: Item, folder: str) -> Outcome:
    """Removes the fingerprint of a SavedModel, which has a random number. TensorFlow loads a SavedModel without it."""
    for name in outcome.files:
        if name.endswith(_FINGERPRINT):
            Path(folder, name).unlink()
    return replace(
        outcome, files={name: size for name, size in outcome.files.items() if not name.endswith(_FINGERPRINT)}
    )


_SHAPES: dict[str, Callable[[Outcome, Item, str], Outcome]] = {
    "seal": _of_seal,
    "audit": _of_audit,
    "migrate": _of_migration,
    "export": _of_export,
}
