"""What the commands that run programs share: options of seeds and tolerances, and progress."""

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
    help="Op seeds: take those that differ from the trace by name (the default), or leave all to the release's rule.",
)
feeds_option = click.option(
    "--feeds",
    type=click.Choice(["program", "trace"]),
    help="Feed what the program feeds (the default), or what it fed when it was recorded, where it cannot again.",
)
search_option = click.option(
    "--no-search", is_flag=True, help="Where tensors differ, do not search the first op that does."
)
rounding_option = click.option(
    "--accept-rounding",
    is_flag=True,
    help="Exit with 0, too, where rounding explains every difference; the verdict says so in either case.",
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
    help="Compute with oneDNN, whose numbers depend on the processor; by default it is off, as in old releases.",
)


def tolerance_of(options: dict[str, Any], otherwise: Any = None) -> Any:
    """The tolerance of the options rtol and atol, or else the other or the default one."""
    from tf2bridge.proof.numbers.tolerance import DEFAULT

    given = {name: options[name] for name in ("rtol", "atol") if options[name] is not None}
    return dataclasses.replace(otherwise or DEFAULT, **given)


def say_what_runs(command: Sequence[str], where: str) -> None:
    """Says which program is about to run, as it may have been named by a file that came with it."""
    say(f"tf2bridge: runs in {where}: python {systems.joined(command)}")


@contextmanager
def progress(said: str) -> Iterator[Callable[[int, int], None]]:
    """A bar of calls or runs on standard error; nothing where that is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(said), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        yield lambda calls, total: bar.update(task, completed=min(calls, total), total=total)
