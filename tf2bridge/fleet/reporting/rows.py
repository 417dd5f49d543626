"""The rows of a report: the results of a run with what was measured, and with the facts of its inventory."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tf2bridge import regular_files
from tf2bridge.fleet import inventory, store
from tf2bridge.fleet.outcome import Cause, Verdict
from tf2bridge.fleet.refusals import OutputError

_LONGEST = 64 << 20
"""The most bytes of a line; those of `fleet run` have some hundred, and more if many files were written."""
_PAGES = (".html", ".htm")


@dataclass(frozen=True, slots=True)
class Row:
    """An item of a report.

    Attributes:
        path, kind: the item's.
        verdict: what the command said about it.
        cause, error: why it failed or differs.
        key: the key of its result; "" if nothing was done for it.
        report: its own report, relative to the run's folder; "" if nothing was done for it.
        written: the bytes that were written for it.
        seconds: how long it took; None if that was not measured.
        same_as: the equal item that was worked on in its place.
        size: its bytes, if the inventory is known.
    """

    path: str
    kind: str
    verdict: Verdict
    cause: Cause | None
    error: str
    key: str
    report: str
    written: int
    seconds: float | None
    same_as: str | None
    size: int | None

    @property
    def needs_a_person(self) -> bool:
        """Whether it differs, or failed in a way that more time or memory, or another attempt, does not mend."""
        again = self.cause is not None and (self.cause.may_pass or self.cause is Cause.MEMORY)
        return not self.verdict.passes and not again


def rows(out: Path, items: Path | None) -> Iterator[Row]:
    """Yields the rows of a run, in the order of its inventory.

    Args:
        out: the folder of the run.
        items: its inventory, for the sizes of the items.

    Raises:
        OutputError: the folder holds no results, or they are damaged, or are those of another inventory.
        InventoryError: a line of the inventory is no item.
    """
    path = out / store.RESULTS
    if not path.is_file():
        raise OutputError(out, f"there is no {store.RESULTS}", "start the same `fleet run` again, until it ends")
    seconds = {line["key"]: float(line["seconds"]) for line in store.measured(out) if "seconds" in line}
    sizes = inventory.read(items) if items is not None else None
    with regular_files.opened(path) as raw, open(raw.fileno(), "rb", closefd=False) as file:
        for number, line in enumerate(iter(lambda: file.readline(_LONGEST), b""), 1):
            try:
                row = _row(json.loads(line), seconds)
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                raise OutputError(path, f"line {number} is no result ({error})", "start `fleet run` again") from error
            yield row if sizes is None else _sized(row, next(sizes, None), path)


def _row(stored: dict[str, Any], seconds: dict[str, float]) -> Row:
    files: dict[str, int] = stored["files"]
    own = next((name for name in sorted(files) if name.endswith(_PAGES)), store.OUTCOME)
    return Row(
        path=str(stored["path"]),
        kind=str(stored["kind"]),
        verdict=Verdict(stored["verdict"]),
        cause=None if stored["cause"] is None else Cause(stored["cause"]),
        error=stored["error"] or "",
        key=stored["key"] or "",
        report="" if stored["output"] is None else f"{stored['output']}/{own}",
        written=sum(files.values()),
        seconds=seconds.get(stored["key"]) if stored["same_as"] is None else None,
        same_as=stored["same_as"],
        size=None,
    )


def _sized(row: Row, item: inventory.Item | None, path: Path) -> Row:
    if item is None or item.path != row.path:
        raise OutputError(path, "it holds the results of another inventory", "name the inventory of this run")
    return dataclasses.replace(row, size=item.bytes)
