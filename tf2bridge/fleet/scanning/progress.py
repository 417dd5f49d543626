"""The progress of a scan: one line on stderr, if stderr is a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from codemods.progress import on_stderr
from tf2bridge.fleet.scanning.scan import Summary

_SECONDS = 0.2
"""The shortest time between two lines."""


@contextmanager
def line() -> Iterator[Callable[[Summary], None]]:
    """Yields a function that draws the numbers of a scan, if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _summary: None
        return
    from rich.progress import TextColumn

    start, last = time.monotonic(), 0.0
    # no thread refreshes it, because processes are forked
    with on_stderr(TextColumn("{task.description}"), auto_refresh=False) as progress:
        task = progress.add_task("scan")

        def draw(summary: Summary) -> None:
            nonlocal last
            now = time.monotonic()
            if now - last >= _SECONDS:
                last = now
                progress.update(task, description=text(summary, now - start), refresh=True)

        yield draw


def text(summary: Summary, seconds: float) -> str:
    """Returns the numbers of a scan that has run for so long: files looked at, found, rate, and the time that is left.

    The time is known as soon as all files are found.
    """
    rate = summary.done / seconds if seconds else 0.0
    shown = f"scan: {summary.done:,} of {summary.groups:,}{'' if summary.walked else '+'} files, {rate:,.0f}/s"
    if summary.walked and rate:
        left = round((summary.groups - summary.done) / rate)
        shown += f", {left // 60}:{left % 60:02d} left"
    return shown
