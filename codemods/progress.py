"""A progress bar on stderr, if stderr is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn


@contextmanager
def bar() -> Iterator[Callable[[int, int], None]]:
    """Yields a function of the numbers of done and of all steps, which draws the bar if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("codemods"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with on_stderr(*columns) as progress:
        task = progress.add_task("codemods", total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def on_stderr(*columns: ProgressColumn, auto_refresh: bool = True) -> Progress:
    """Returns a display on stderr, for a with block. It does not use stdout, because results may go to a pipe."""
    from rich.console import Console
    from rich.progress import Progress

    return Progress(
        *columns,
        console=Console(stderr=True),
        auto_refresh=auto_refresh,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
