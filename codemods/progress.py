"""A progress bar on stderr, if stderr is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar() -> Iterator[Callable[[int, int], None]]:
    """Yields a function of the numbers of done and of all steps, which draws the bar if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("codemods"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # the bar does not use stdout, because findings may go to a pipe
    with Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
    ) as progress:
        task = progress.add_task("codemods", total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
