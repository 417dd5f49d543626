"""How far a run is, on standard error: a bar on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from codemods.progress import on_stderr
from tf2bridge.fleet.running import Counts, Tell

_EVERY_S = 30.0
"""Seconds between two lines where there is no terminal."""


@contextmanager
def shown(name: str) -> Iterator[Tell]:
    """Yields a function of the counts, which shows them."""
    if not sys.stderr.isatty():
        yield _Lines(name).tell
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    facts = TextColumn("{task.fields[facts]}")
    columns = (TextColumn(name), BarColumn(), MofNCompleteColumn(), facts, TimeRemainingColumn())
    start = time.monotonic()
    with on_stderr(*columns) as progress:
        task = progress.add_task(name, total=None, facts="")

        def tell(counts: Counts) -> None:
            progress.update(
                task,
                completed=counts.done,
                total=counts.total - counts.before,
                facts=_facts(counts, time.monotonic() - start),
            )

        yield tell


class _Lines:
    def __init__(self, name: str) -> None:
        self._name, self._start, self._last = name, time.monotonic(), time.monotonic()

    def tell(self, counts: Counts) -> None:
        """Prints a line if the last one is long ago."""
        now = time.monotonic()
        if now - self._last < _EVERY_S:
            return
        self._last = now
        seconds = now - self._start
        left = counts.total - counts.before - counts.done
        remaining = f", about {left * seconds / counts.done:.0f} s left" if counts.done else ""
        total = counts.total - counts.before
        print(f"{self._name}: {counts.done} of {total}, {_facts(counts, seconds)}{remaining}", file=sys.stderr)


def _facts(counts: Counts, seconds: float) -> str:
    retried = f", {counts.retried} tried again" if counts.retried else ""
    return f"{counts.done / max(seconds, 0.001):.1f}/s, {counts.failed} failed or differ{retried}"
