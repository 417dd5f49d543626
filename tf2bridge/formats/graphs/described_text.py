"""What a graph is, as tables for people: rich on a terminal, plain text elsewhere."""

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
"""How many kinds of operations are named."""

_PLAIN_WIDTH = 10_000
_LISTED = 40
"""How many rows of a table, or lines of a kind, are shown."""


def rich_text(facts: dict[str, Any]) -> RenderableType:
    """Returns what `description.described` found, to be printed by rich."""
    return Group(*_parts(facts, box.ROUNDED))


def print_text(facts: dict[str, Any], console: Console | None = None) -> None:
    """Prints it, on standard output; lines are not wrapped where that is no terminal."""
    console = console or OutputConsole(_PLAIN_WIDTH)
    frame = box.ROUNDED if console.is_terminal else None
    for part in _parts(facts, frame):
        console.print(part, soft_wrap=not isinstance(part, Table))


def _parts(facts: dict[str, Any], frame: box.Box | None) -> Iterator[RenderableType]:
    nodes = sum(facts["operations"].values())
    said = (
        f": {facts['kind']}, written by {facts['written by']} (GraphDef version {facts['producer']}), {nodes:,} nodes"
    )
    yield Text.assemble((printable(facts["path"]), "bold"), printable(said))
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
        total = sum(each["bytes"] or 0 for each in variables)
        trained = sum(each["trainable"] for each in variables)
        yield Text(f"{len(variables):,} variables, {trained:,} of them trainable, {total:,} bytes", style="bold")
        yield _variables(variables, frame)
    yield from _lines(facts)


def _lines(facts: dict[str, Any]) -> Iterator[Text]:
    counted = list(facts["operations"].items())
    rest = f", {len(counted) - _TOP} other kinds" if len(counted) > _TOP else ""
    yield _text("operations: " + ", ".join(f"{op} {count}" for op, count in counted[:_TOP]) + rest)
    for what in ("functions", "collections", "assets"):
        if held := facts[what]:
            said = [f"{key} {value}" for key, value in held.items()] if isinstance(held, dict) else held
            yield _text(f"{what}: {', '.join(_shortened(said))}")
    for line in _shortened(facts["unsupported"]):
        yield _text(f"not supported: {line}", style="red")
    for line in _shortened(facts["touches"]):
        yield _text(f"not run without permission: {line}", style="yellow")


def _shortened(lines: Sequence[str]) -> list[str]:
    left = len(lines) - _LISTED
    return [*lines[:_LISTED], *([f"and {left:,} more (--output-format json lists all)"] if left > 0 else [])]


def _of(method: str) -> str:
    return f" ({method})" if method else ""


def _ends(facts: dict[str, Any], frame: box.Box | None) -> Table:
    table = Table("", "name", "tensor", "dtype", "shape", box=frame)
    for what in ("inputs", "outputs"):
        for each in facts[what][:_LISTED]:
            shape = "unknown" if each["shape"] is None else _sizes(each["shape"])
            table.add_row(what[:-1], _text(each["name"]), _text(each["tensor"]), _text(each["dtype"]), _text(shape))
        if len(facts[what]) > _LISTED:
            table.add_row(what[:-1], f"and {len(facts[what]) - _LISTED:,} more")
    return table


def _variables(variables: list[dict[str, Any]], frame: box.Box | None) -> Table:
    table = Table("variable", "dtype", "shape", "bytes", "trainable", box=frame)
    for each in variables[:_LISTED]:
        shape = "unknown" if each["shape"] is None else _sizes(each["shape"])
        size = "unknown" if each["bytes"] is None else f"{each['bytes']:,}"
        table.add_row(_text(each["name"]), _text(each["dtype"]), _text(shape), size, "yes" if each["trainable"] else "")
    if len(variables) > _LISTED:
        table.add_row(f"and {len(variables) - _LISTED:,} more (--output-format json lists all)")
    return table


def _sizes(shape: Sequence[int | None]) -> str:
    return "[" + ", ".join("?" if size is None else str(size) for size in shape) + "]"


def _text(said: str, style: str = "") -> Text:
    """Text from outside, as any console may print it."""
    return Text(printable(said), style)
