"""Prints the description of a graph as tables: with rich on a terminal, as plain text elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from codemods.printable import printable
from tf2bridge.printing import OutputConsole

_TOP = 12
"""The number of operation types that are named."""

_PLAIN_WIDTH = 10_000
_LISTED = 40
"""The number of rows of a table, or lines of a section, that are shown."""


def rich_text(facts: dict[str, Any]) -> RenderableType:
    """Returns the facts of `described.described` in a form that rich prints."""
    return Group(*_parts(facts, box.ROUNDED))


def print_text(facts: dict[str, Any], console: Console | None = None) -> None:
    """Prints the facts, by default on standard output. Lines are wrapped only on a terminal."""
    console = console or OutputConsole(_PLAIN_WIDTH)
    frame = box.ROUNDED if console.is_terminal else None
    for part in _parts(facts, frame):
        console.print(part, soft_wrap=not isinstance(part, Table))


def _parts(facts: dict[str, Any], frame: box.Box | None) -> Iterator[RenderableType]:
    nodes = sum(facts["operations"].values())
    summary = (
        f": {facts['kind']}, written by {facts['written by']} (GraphDef version {facts['producer']}), {nodes:,} nodes"
    )
    yield Text.assemble((printable(facts["path"]), "bold"), printable(summary))
    if facts["tags"]:
        yield _text(f"tags: {', '.join(facts['tags'])}")
    if facts["checkpoint"]:
        yield _text(f"variables lie in {facts['checkpoint']}")
    yield Text(f"inputs and outputs ({facts['found by']})", style="bold")
    yield _ends(facts, frame)
    for name, signature in facts["signatures"].items():
        yield _text(f"signature {name}{_of(signature['method'])}", style="bold")
        yield _ends(signature, frame)
    if variables := facts["variables"]:
        total = sum(variable["bytes"] or 0 for variable in variables)
        trained = sum(variable["trainable"] for variable in variables)
        yield Text(f"{len(variables):,} variables, {trained:,} of them trainable, {total:,} bytes", style="bold")
        yield _variables(variables, frame)
    yield from _lines(facts)


def _lines(facts: dict[str, Any]) -> Iterator[Text]:
    counted = list(facts["operations"].items())
    rest = f", {len(counted) - _TOP} other kinds" if len(counted) > _TOP else ""
    yield _text("operations: " + ", ".join(f"{op} {count}" for op, count in counted[:_TOP]) + rest)
    for section in ("functions", "collections", "assets"):
        if values := facts[section]:
            lines = [f"{key} {value}" for key, value in values.items()] if isinstance(values, dict) else values
            yield _text(f"{section}: {', '.join(_shortened(lines))}")
    for line in _shortened(facts["unsupported"]):
        yield _text(f"not supported: {line}", style="red")
    for line in _shortened(facts["touches"]):
        yield _text(f"not run without permission: {line}", style="yellow")


def _shortened(lines: Sequence[str]) -> list[str]:
    omitted = len(lines) - _LISTED
    return [*lines[:_LISTED], *([f"and {omitted:,} more (--output-format json lists all)"] if omitted > 0 else [])]


def _of(method: str) -> str:
    return f" ({method})" if method else ""


def _ends(facts: dict[str, Any], frame: box.Box | None) -> Table:
    table = Table("", "name", "tensor", "dtype", "shape", box=frame)
    for role in ("inputs", "outputs"):
        for tensor in facts[role][:_LISTED]:
            shape = "unknown" if tensor["shape"] is None else _sizes(tensor["shape"])
            table.add_row(
                role[:-1], _text(tensor["name"]), _text(tensor["tensor"]), _text(tensor["dtype"]), _text(shape)
            )
        if len(facts[role]) > _LISTED:
            table.add_row(role[:-1], f"and {len(facts[role]) - _LISTED:,} more")
    return table


def _variables(variables: list[dict[str, Any]], frame: box.Box | None) -> Table:
    table = Table("variable", "dtype", "shape", "bytes", "trainable", box=frame)
    for variable in variables[:_LISTED]:
        shape = "unknown" if variable["shape"] is None else _sizes(variable["shape"])
        size = "unknown" if variable["bytes"] is None else f"{variable['bytes']:,}"
        table.add_row(
            _text(variable["name"]),
            _text(variable["dtype"]),
            _text(shape),
            size,
            "yes" if variable["trainable"] else "",
        )
    if len(variables) > _LISTED:
        table.add_row(f"and {len(variables) - _LISTED:,} more (--output-format json lists all)")
    return table


def _sizes(shape: Sequence[int | None]) -> str:
    return "[" + ", ".join("?" if size is None else str(size) for size in shape) + "]"


def _text(text: str, style: str = "") -> Text:
    """Returns text from a file in a form that is safe to print on any console."""
    return Text(printable(text), style)
