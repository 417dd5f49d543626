"""The options that choose rules and files, for `codemods check` and `tf2bridge migrate`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from codemods.settings import MAX_MEGABYTES, MOST_MEGABYTES, TARGETS, codes

_Function = TypeVar("_Function", bound=Callable[..., Any])
_NAMES = ("target", "from_version", "select", "extend_select", "ignore", "unsafe_fixes", "max_size", "idiomatic")


def _codes(_context: click.Context, _parameter: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the codes of repeated options, which may also be separated by commas."""
    return tuple(code for item in value for code in codes(item))


def _number(_context: click.Context, _parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and math.isnan(value):  # click's ranges accept nan
        raise click.BadParameter("nan is not a number of megabytes.")
    return value


_OPTIONS = (
    click.option(
        "--target",
        type=click.Choice(TARGETS),
        help="What to write: names of tf.compat.v1, imports of tf2bridge.v1, or functions without sessions.",
    ),
    click.option(
        "--from-version", metavar="VERSION", help="The release that the code was written for: auto, 0.12, 1.4, ..."
    ),
    click.option(
        "--select", multiple=True, callback=_codes, metavar="CODES", help="Run only rules with these codes or prefixes."
    ),
    click.option(
        "--extend-select", multiple=True, callback=_codes, metavar="CODES", help="Run these rules too, such as TFS."
    ),
    click.option(
        "--ignore", multiple=True, callback=_codes, metavar="CODES", help="Run no rules with these codes or prefixes."
    ),
    click.option("--unsafe-fixes", is_flag=True, default=None, help="Also make edits that may change results."),
    click.option(
        "--idiomatic/--exact",
        default=None,
        help="With --target native: optimizers of Keras where it has them, or the same numbers.  [default: exact]",
    ),
    click.option(
        "--max-size",
        type=click.FloatRange(min=0, min_open=True, max=MOST_MEGABYTES),
        callback=_number,
        metavar="MB",
        help=f"Skip files larger than this.  [default: {MAX_MEGABYTES:g}]",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(min=1),
        metavar="N",
        help="Number of processes.  [default: by size, up to one for each core]",
    ),
)


def rule_options(command: _Function) -> _Function:
    """Adds these options to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options that `config.settings` needs."""
    return {name: options[name] for name in _NAMES}
