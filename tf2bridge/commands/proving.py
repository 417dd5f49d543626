"""Shared parts of the commands that run programs: options of seeds and tolerances, and the progress bar."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from tf2bridge import systems
from tf2bridge.commands.output import say

seeds_option = click.option(
    "--seeds",
    type=click.Choice(["trace", "rule"]),
    help="Op seeds: from the trace by name where they differ, or all by the release's rule.  [default: trace]",
)
feeds_option = click.option(
    "--feeds",
    type=click.Choice(["program", "trace"]),
    help="Feed values: the program's own, or the recorded ones if it cannot feed them again.  [default: program]",
)
search_option = click.option("--no-search", is_flag=True, help="Do not search for the first op that differs.")
rounding_option = click.option(
    "--accept-rounding",
    is_flag=True,
    help="Exit with 0 also if rounding explains every difference. The verdict says so in any case.",
)
rtol_option = click.option("--rtol", type=click.FloatRange(min=0), help="Relative tolerance of fetches and variables.")
atol_option = click.option("--atol", type=click.FloatRange(min=0), help="Absolute tolerance of fetches and variables.")


def _choose_kernels(_context: click.Context, _option: click.Parameter, onednn: bool) -> bool:
    from tf2bridge import kernels

    kernels.choose(onednn=onednn)
    return onednn


onednn_option = click.option(
    "--onednn",
    is_flag=True,
    callback=_choose_kernels,
    expose_value=False,
    help="Compute with oneDNN, whose numbers depend on the processor. It is off by default, as in old releases.",
)


def tolerance_of(options: dict[str, Any], otherwise: Any = None) -> Any:
    """Returns the tolerance of the options rtol and atol, or else `otherwise` or the default."""
    from tf2bridge.proof.numbers.tolerance import DEFAULT

    given = {name: options[name] for name in ("rtol", "atol") if options[name] is not None}
    return dataclasses.replace(otherwise or DEFAULT, **given)


def say_what_runs(command: Sequence[str], where: str) -> None:
    """Prints which program is about to run, because a file that came with the program may name it."""
    say(f"tf2bridge: running in {where}: python {systems.joined(command)}")


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Shows a progress bar of calls or runs on standard error, if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        yield lambda calls, total: bar.update(task, completed=min(calls, total), total=total)
