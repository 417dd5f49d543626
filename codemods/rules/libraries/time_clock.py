"""LIB007: time.clock, which Python 3.8 removed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.removed.of_python import CLOCK
from codemods.rule import Example, Hit, Rule, Safety, Use


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """Yields a hit on time.clock."""
    if context.qualified(node) == "time.clock" and isinstance(node, ast.Attribute):
        new = CLOCK["time.clock"].new
        message = f"Python 3.8 removed time.clock; on Unix it was the processor time, which is {new}"
        yield Hit(node, message, rewrite=f"{context.source(node.value)}.{new.removeprefix('time.')}")


rule = Rule(
    code="LIB007",
    name="time-clock",
    summary="time.clock() -> time.process_time()",
    why="Python 3.8 removed time.clock. On Unix it measured the processor time, as process_time does.",
    safety=Safety.SAFE,
    on=(Use,),
    packages=("time",),
    find=find,
    examples=(
        Example("import time\nt = time.clock()\n", "import time\nt = time.process_time()\n"),
        Example("import time\nt = time.time()\n"),
    ),
)
