"""A bar on stderr while a run goes on, where somebody looks at it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar() -> Iterator[Callable[[int, int], None]]:
    """Gives a function to be told how many steps are done, of how many; it draws only if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("codemods"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # stdout is no business of the bar: findings may go to a pipe meanwhile
    with Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
    ) as progress:
        task = progress.add_task("codemods", total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
