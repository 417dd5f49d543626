"""Writes blocks as classes: blocks of equal code are instances of one class."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tf2bridge.decompile.class_text import ClassWriter
from tf2bridge.decompile.ir import Function, Kind, Node, all_nodes, cloned
from tf2bridge.decompile.model_attributes import Attributes, Contents
from tf2bridge.decompile.names import Names
from tf2bridge.decompile.structure.scopes import with_blocks
from tf2bridge.decompile.structure.templates import Signature, skeleton, template

_FRAME = 4
"""Lines of a class beside the statements of its constructor and its call."""


@dataclass(frozen=True)
class Class:
    """A class of layers.

    Attributes:
        name: Its name.
        signature: The arguments of its constructor.
        made: The statements of its constructor.
        inputs: The names of the inputs of its call.
        lines: The statements of its call.
    """

    name: str
    signature: Signature
    made: Sequence[str]
    inputs: Sequence[str]
    lines: Sequence[str]


@dataclass
class Structured:
    """A function with blocks, and their classes.

    Attributes:
        function: The function.
        classes: The classes, each after those that it uses.
        blocks: Block -> the expression that makes it, and what is filled into it.
    """

    function: Function
    classes: list[Class] = field(default_factory=list)
    blocks: dict[Node, tuple[str, Contents]] = field(default_factory=dict)


def structured(function: Function, writer: ClassWriter) -> Structured:
    """Returns a copy of a function in which scopes of equal contents are blocks, and the classes of these.

    Args:
        function: The function.
        writer: Writes the code of a block.
    """
    without: set[str] = set()
    while True:
        result = Structured(with_blocks(cloned(function), without))
        too_short = _add_classes(result, writer)
        if not too_short:
            return result
        without |= too_short


def _add_classes(result: Structured, writer: ClassWriter) -> set[str]:
    """Adds the classes of all blocks; or returns the scopes of the innermost ones that make no model shorter."""
    without: set[str] = set()
    names = Names()
    names.new_class("Model")
    for blocks in _by_height(result.function):
        alike: dict[tuple[object, ...], list[tuple[Node, _Code]]] = {}
        for block in blocks:
            store, inputs, lines = writer.write(block.bodies[0], result.blocks, block.attributes["scope"])
            key = skeleton(store.made, _known(result)), tuple(inputs), tuple(lines)
            alike.setdefault(key, []).append((block, _Code(store, inputs, lines)))
        for members in alike.values():
            if not _pays(members):
                without |= {block.attributes["scope"] for block, _ in members}
            _add_class(result, members, names)
        if without:
            break
    return without


def _by_height(function: Function) -> list[list[Node]]:
    """Returns the blocks without inner blocks, then those whose inner blocks are among these, and so on."""
    heights: dict[Node, int] = {}

    def height(block: Node) -> int:
        if block not in heights:
            inner = [height(node) for node in all_nodes(block.bodies[0]) if node.op == Kind.BLOCK]
            heights[block] = 1 + max(inner, default=-1)
        return heights[block]

    blocks = [node for node in all_nodes(function) if node.op == Kind.BLOCK]
    ordered = sorted(blocks, key=height)
    return [list(level) for _, level in itertools.groupby(ordered, key=height)]


class _Code(NamedTuple):
    store: Attributes
    inputs: Sequence[str]
    lines: Sequence[str]


def _pays(members: Sequence[tuple[Node, _Code]]) -> bool:
    """Returns True if a class has no more lines than its blocks would have where they are called."""
    code = members[0][1]
    lines = len(code.store.made) + len(code.lines)
    return _FRAME + lines + 2 * len(members) <= lines * len(members)


def _add_class(result: Structured, members: Sequence[tuple[Node, _Code]], names: Names) -> None:
    common = template([code.store.made for _, code in members], _known(result))
    name = _class_name((block.attributes["scope"] for block, _ in members), names)
    first = members[0][1]
    result.classes.append(Class(name, common.signature, common.statements, first.inputs, first.lines))
    for (block, code), arguments in zip(members, common.calls, strict=True):
        result.blocks[block] = f"{name}({arguments})", code.store.contents


def _known(result: Structured) -> dict[str, Signature]:
    return {part.name: part.signature for part in result.classes}


def _class_name(scopes: Iterable[str], names: Names) -> str:
    """Returns a new name after that which most of the scopes have, without its numbers."""
    last = (scope.rpartition("/")[2] for scope in scopes)
    words = Counter(re.sub(r"(?<!_v)(_?\d+[a-z]?)+(_\dx\d)?$", "", word) for word in last)
    parts = re.split(r"[\W_]+", words.most_common(1)[0][0])
    return names.new_class("".join(part[:1].upper() + part[1:] for part in parts if part) or "Block")
