"""The options that say which rules run and on what: those of `codemods check`, and of `tf2bridge migrate`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from codemods.settings import MAX_MEGABYTES, MOST_MEGABYTES, TARGETS, codes

_Function = TypeVar("_Function", bound=Callable[..., Any])
_NAMES = ("target", "from_version", "select", "extend_select", "ignore", "unsafe_fixes", "max_size")


def _codes(_context: click.Context, _parameter: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Codes may be repeated options or separated by commas."""
    return tuple(code for item in value for code in codes(item))


def _number(_context: click.Context, _parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and math.isnan(value):  # is in every range
        raise click.BadParameter("nan is not a number of megabytes.")
    return value


_OPTIONS = (
    click.option("--target", type=click.Choice(TARGETS), help="What to write: tf.compat.v1 names, or tf2bridge.v1."),
    click.option("--from-version", metavar="VERSION", help="The release the code is for: auto, 0.12, 1.4, ..."),
    click.option(
        "--select", multiple=True, callback=_codes, metavar="CODES", help="Only rules with these codes or prefixes."
    ),
    click.option(
        "--extend-select", multiple=True, callback=_codes, metavar="CODES", help="These rules too, such as TFS."
    ),
    click.option(
        "--ignore", multiple=True, callback=_codes, metavar="CODES", help="No rules with these codes or prefixes."
    ),
    click.option("--unsafe-fixes", is_flag=True, default=None, help="Make edits too that may change what is computed."),
    click.option(
        "--max-size",
        type=click.FloatRange(min=0, min_open=True, max=MOST_MEGABYTES),
        callback=_number,
        metavar="MB",
        help=f"Skip files above this size.  [default: {MAX_MEGABYTES:g}]",
    ),
    click.option(
        "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes.  [default: by size, up to one a core]"
    ),
)


def rule_options(command: _Function) -> _Function:
    """Gives a command these options."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Those of a command's options that `config.settings` asks for."""
    return {name: options[name] for name in _NAMES}
