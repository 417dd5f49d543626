"""The results of a run: one line for each item, in the order of the inventory, and a summary."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tf2bridge.fleet import inventory, store
from tf2bridge.fleet.doing import Do
from tf2bridge.fleet.inventory import Item
from tf2bridge.fleet.keys import key
from tf2bridge.fleet.outcome import Cause, Outcome, Verdict
from tf2bridge.fleet.refusals import OutputError
from tf2bridge.fleet.tasks import Setup
from tf2bridge.whole_file import written_whole

_REASONS = 1000
"""The most different reasons that are kept."""


@dataclass
class Reason:
    """Why some items failed or differ: the cause, or the verdict, their number, and the path of the first."""

    group: str
    count: int
    first: str


@dataclass
class Summary:
    """The results in numbers.

    Attributes:
        items: how many items there are.
        verdicts: verdict -> how many items have it.
        duplicates: how many items share the result of an equal one.
        causes: cause of failure -> how many items failed for it.
        reasons: what was said about items that failed or differ, without their paths -> how often, and the first path.
    """

    items: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    duplicates: int = 0
    causes: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, Reason] = field(default_factory=dict)

    @property
    def passes(self) -> bool:
        return all(Verdict(name).passes for name in self.verdicts)

    def add(self, row: dict[str, Any]) -> None:
        """Counts a line of the results."""
        self.items += 1
        self.verdicts[row["verdict"]] += 1
        self.duplicates += row["same_as"] is not None
        if row["cause"] is not None:
            self.causes[row["cause"]] += 1
        if not Verdict(row["verdict"]).passes:
            text = _without_path(row["error"] or "", row["path"])
            reason = self.reasons.get(text)
            if reason is not None:
                reason.count += 1
            elif len(self.reasons) < _REASONS:
                self.reasons[text] = Reason(row["cause"] or row["verdict"], 1, row["path"])


def _without_path(error: str, path: str) -> str:
    """Returns an error without the path of its item, so that equal errors of several items are one reason."""
    start, _, rest = error.partition(path)
    is_said = path in error and not start.rpartition(" ")[0]
    return f"{start}{rest.removeprefix(': ').removeprefix('/')}" if is_said else error


def may_change(outcome: Outcome, setup: Setup) -> bool:
    """Returns whether an item should be done again: it was killed, or may now take more time or memory."""
    if outcome.cause is Cause.TIME:
        return outcome.limit is not None and setup.seconds > outcome.limit
    if outcome.cause is Cause.MEMORY:
        return outcome.limit is not None and setup.megabytes > outcome.limit
    return outcome.cause is Cause.KILLED


def write(out: Path, do: Do, items: Path) -> Summary:
    """Writes `results.jsonl`, whole or not at all, and returns the summary.

    Nothing in it depends on the time, the machine, the number of workers, or on how often the run was interrupted.
    """
    summary = Summary()
    with written_whole(out / store.RESULTS) as file:
        for item in inventory.read(items):
            line = row(out, do, item)
            summary.add(line)
            file.write(inventory.ENCODER.encode(line).encode("ascii") + b"\n")
    return summary


def row(out: Path, do: Do, item: Item) -> dict[str, Any]:
    """Returns the line of an item."""
    facts: dict[str, Any] = {"path": item.path, "kind": item.kind.value, "key": None}
    if not do.takes(item):
        verdict = Verdict.NOT_FOR_THIS_KIND.value
        return facts | {"verdict": verdict, "cause": None, "error": None, "output": None, "files": {}, "same_as": None}
    its_key = key(do, item)
    outcome = store.outcome_of(out, its_key)
    if outcome is None:
        raise OutputError(out, f"the result of {item.path} is missing", "start the same command again")
    return facts | {
        "key": its_key,
        "verdict": outcome.verdict.value,
        "cause": outcome.cause and outcome.cause.value,
        "error": outcome.error,
        "output": store.folder_in_run(its_key),
        "files": dict(outcome.files),
        "same_as": None if outcome.path == item.path else outcome.path,
    }
