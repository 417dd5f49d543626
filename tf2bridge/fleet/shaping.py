"""Gives an outcome the form in which it stays: without what depends on earlier attempts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tf2bridge.fleet.doing import Do
from tf2bridge.fleet.inventory import Item
from tf2bridge.fleet.outcome import Outcome


def shaped(do: Do, outcome: Outcome, item: Item, folder: str) -> Outcome:
    """Returns the outcome of an item whose files are in `folder`."""
    shape = _SHAPES.get(do.name)
    return outcome if shape is None or outcome.report is None else shape(outcome, item, folder)


def _of_seal(outcome: Outcome, _item: Item, _folder: str) -> Outcome:
    """Says "sealed" also if an attempt that was ended has written the seal, so that another attempt found it."""
    rows: list[dict[str, Any]] = outcome.report
    report = [{**row, "is": "sealed"} if row["is"] == "unchanged" else row for row in rows]
    return replace(outcome, report=report)


_SHAPES: dict[str, Callable[[Outcome, Item, str], Outcome]] = {"seal": _of_seal}
