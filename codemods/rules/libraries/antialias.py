"""LIB009: PIL.Image.ANTIALIAS and other old names of Pillow's filters."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.removed.of_libraries import PILLOW
from codemods.rule import Example, Hit, Rule, Safety, Use

_NEW = {name.removeprefix("PIL.Image."): row.new.removeprefix("PIL.Image.") for name, row in PILLOW.items()}


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """Yields a hit on an old name of a filter."""
    head, _, last = (context.qualified(node) or "").rpartition(".")
    if head in ("PIL.Image", "Image") and last in _NEW and isinstance(node, ast.Attribute):
        text = f"{context.source(node.value)}.{_NEW[last]}"
        yield Hit(node, f"Pillow 10 removed Image.{last}, another name of Image.{_NEW[last]}", rewrite=text)


rule = Rule(
    code="LIB009",
    name="antialias",
    summary="Image.ANTIALIAS -> Image.LANCZOS",
    why="Pillow 10 removed the second names of its filters. The filters are the same.",
    safety=Safety.SAFE,
    on=(Use,),
    packages=("PIL", "Image"),
    find=find,
    examples=(
        Example(
            "from PIL import Image\ny = x.resize((8, 8), Image.ANTIALIAS)\n",
            "from PIL import Image\ny = x.resize((8, 8), Image.LANCZOS)\n",
        ),
        Example("from PIL import Image\ny = x.resize((8, 8), Image.NEAREST)\n"),
    ),
)
