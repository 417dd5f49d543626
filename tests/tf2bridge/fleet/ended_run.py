"""The folder of a run that has ended, as `fleet run` leaves it, with made-up results."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tf2bridge.fleet.outcome import Cause, Verdict


def result(path: str, verdict: Verdict = Verdict.RIGHT, **facts: Any) -> dict[str, Any]:
    """A line of results.jsonl. `facts`: cause, error, files, same_as, kind."""
    key = f"{abs(hash(path)):032x}"[:32]
    cause: Cause | None = facts.get("cause")
    return {
        "path": path,
        "kind": facts.get("kind", "checkpoint"),
        "key": key,
        "verdict": verdict.value,
        "cause": cause and cause.value,
        "error": facts.get("error"),
        "output": f"items/{key[:2]}/{key}",
        "files": facts.get("files", {}),
        "same_as": facts.get("same_as"),
    }


def ended_run(folder: Path, results: Iterable[dict[str, Any]], seconds: float = 0.25) -> Path:
    """A folder with these results, each measured with these seconds and one more than the one before."""
    (folder / "measured").mkdir(parents=True)
    with (
        (folder / "results.jsonl").open("w", encoding="ascii") as lines,
        (folder / "measured" / "a.jsonl").open("w") as times,
    ):
        for number, row in enumerate(results):
            lines.write(json.dumps(row) + "\n")
            times.write(json.dumps({"key": row["key"], "path": row["path"], "seconds": seconds + number}) + "\n")
    return folder
