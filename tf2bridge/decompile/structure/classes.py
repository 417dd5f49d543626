"""Writes blocks as classes: blocks of equal code are instances of one class."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tf2bridge.decompile.class_text import ClassWriter
from tf2bridge.decompile.ir import Function, Kind, Node, cloned
from tf2bridge.decompile.model_attributes import Attributes, Contents
from tf2bridge.decompile.names import Names
from tf2bridge.decompile.structure.scope_blocks import dissolve, with_blocks, with_ordered_inputs
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
    result = Structured(with_blocks(cloned(function)))
    names = Names()
    names.new_class("Model")
    height = 0
    while blocks := _of_height(result.function, height):
        code: dict[Node, _Code] = {}
        groups = _paying(blocks, result, writer, code)
        while too_short := set(blocks).difference(*groups):
            dissolve(too_short)
            blocks = _of_height(result.function, height)
            groups = _paying(blocks, result, writer, code)
        for group in groups:
            _add_class(result, [(block, code[block]) for block in group], names)
        height += 1
    return result


def _of_height(function: Function, height: int) -> list[Node]:
    """Returns the blocks of a height: 0 for those without inner blocks, else one more than the highest inner one."""
    blocks: list[Node] = []

    def height_of(part: Function) -> int:
        inner = [-1]
        for node in part.nodes():
            if node.op == Kind.BLOCK:
                inner.append(height_of(node.bodies[0]))
                if inner[-1] == height:
                    blocks.append(node)
        return 1 + max(inner)

    height_of(function)
    return blocks


def _paying(
    blocks: Sequence[Node], result: Structured, writer: ClassWriter, code: dict[Node, _Code]
) -> list[list[Node]]:
    """Returns groups of blocks for each of which a class makes the model shorter. Sets the code of blocks in `code`.

    Blocks that are alike only without the numbers in the names of attributes are written without them.
    """
    alike = _alike(blocks, result, writer, code, with_numbers=True)
    rest = [block for group in alike if not _pays(group, code) for block in group]
    alike = [group for group in alike if _pays(group, code)]
    return alike + [group for group in _alike(rest, result, writer, code, with_numbers=False) if _pays(group, code)]


def _alike(
    blocks: Sequence[Node], result: Structured, writer: ClassWriter, code: dict[Node, _Code], with_numbers: bool
) -> list[list[Node]]:
    """Returns the blocks with equal code, apart from literals. Sets their code in `code`."""
    groups: dict[tuple[object, ...], list[Node]] = {}
    for block in blocks:
        if block not in code or code[block].with_numbers > with_numbers:
            with_ordered_inputs(block)
            inner, scope = result.blocks, block.attributes["scope"]
            store, inputs, lines = writer.write(block.bodies[0], inner, scope, with_numbers)
            key = skeleton(store.made, _known(result)), tuple(inputs), tuple(lines)
            code[block] = _Code(store, inputs, lines, key, with_numbers)
        groups.setdefault(code[block].key, []).append(block)
    return list(groups.values())


class _Code(NamedTuple):
    store: Attributes
    inputs: Sequence[str]
    lines: Sequence[str]
    key: tuple[object, ...]
    with_numbers: bool


def _pays(blocks: Sequence[Node], code: Mapping[Node, _Code]) -> bool:
    """Returns True if a class has no more lines than its blocks would have where they are called."""
    first = code[blocks[0]]
    lines = len(first.store.made) + len(first.lines)
    return _FRAME + lines + 2 * len(blocks) <= lines * len(blocks)


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
