"""Writes blocks as classes: blocks of equal code are instances of one class."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tf2bridge.decompile.blocks import LONGEST_NESTED
from tf2bridge.decompile.class_text import ClassWriter
from tf2bridge.decompile.ir import Function, Kind, Node, cloned
from tf2bridge.decompile.lines import Line, merged
from tf2bridge.decompile.model_attributes import Attributes, Contents
from tf2bridge.decompile.names import Names
from tf2bridge.decompile.structure.chains import unnumbered
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
        scopes: The name scopes that are instances of it.
    """

    name: str
    signature: Signature
    made: Sequence[Line]
    inputs: Sequence[str]
    lines: Sequence[Line]
    scopes: Sequence[str]


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
        code: dict[tuple[Node, bool], _Code] = {}
        groups = _paying(blocks, result, writer, code)
        while too_short := set(blocks).difference(block for group in groups for block, _ in group):
            dissolve(too_short)
            blocks = _of_height(result.function, height)
            groups = _paying(blocks, result, writer, code)
        for group in groups:
            _add_class(result, group, names)
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


class _Code(NamedTuple):
    store: Attributes
    inputs: Sequence[str]
    lines: Sequence[Line]
    key: tuple[object, ...]


_Group = list[tuple[Node, _Code]]
"""Blocks with equal code, apart from literals."""


def _paying(
    blocks: Sequence[Node], result: Structured, writer: ClassWriter, code: dict[tuple[Node, bool], _Code]
) -> list[_Group]:
    """Returns the groups of blocks for each of which a class makes the model shorter.

    Names have no numbers at their ends, if more blocks are alike without them.

    Args:
        blocks: The blocks.
        result: The classes of their inner blocks.
        writer: Writes the code of a block.
        code: The code of each block, with numbers and without. That of new blocks is added.
    """
    exact, loose = (_alike(blocks, result, writer, code, with_numbers) for with_numbers in (True, False))
    exact_group = {block: group for group in exact for block, _ in group}
    pairs = ((exact_group[group[0][0]], group) for group in loose)
    return [group for group in (min(pair, key=lambda group: -len(group)) for pair in pairs) if _pays(group)]


def _alike(
    blocks: Sequence[Node],
    result: Structured,
    writer: ClassWriter,
    code: dict[tuple[Node, bool], _Code],
    with_numbers: bool,
) -> list[_Group]:
    groups: dict[tuple[object, ...], _Group] = {}
    for block in blocks:
        if (block, with_numbers) not in code:
            with_ordered_inputs(block)
            scope = block.attributes["scope"]
            store, inputs, lines = writer.write(block.bodies[0], result.blocks, scope, with_numbers)
            key = skeleton(store.made, _known(result)), tuple(inputs), tuple(lines)
            code[block, with_numbers] = _Code(store, inputs, lines, key)
        part = code[block, with_numbers]
        groups.setdefault(part.key, []).append((block, part))
    return list(groups.values())


def _pays(group: _Group) -> bool:
    """Returns True if a class has no more lines than its blocks would have where they are called.

    A long result, which a class returns as it is, has a statement of its own there.
    """
    _, first = group[0]
    lines = len(first.store.made) + len(first.lines)
    elsewhere = lines + (len(str(first.lines[-1]).removeprefix("return ")) > LONGEST_NESTED)
    return _FRAME + lines + 2 * len(group) <= elsewhere * len(group)


def _add_class(result: Structured, members: _Group, names: Names) -> None:
    common = template([code.store.made for _, code in members], _known(result))
    scopes = [block.attributes["scope"] for block, _ in members]
    name = _class_name(scopes, names)
    first = members[0][1]
    made = merged(common.statements, [code.store.made for _, code in members])
    lines = merged(first.lines, [code.lines for _, code in members])
    result.classes.append(Class(name, common.signature, made, first.inputs, lines, scopes))
    for (block, code), arguments in zip(members, common.calls, strict=True):
        result.blocks[block] = f"{name}({arguments})", code.store.contents


def _known(result: Structured) -> dict[str, Signature]:
    return {part.name: part.signature for part in result.classes}


def _class_name(scopes: Iterable[str], names: Names) -> str:
    """Returns a new name after that which most of the scopes have, without its numbers."""
    words = Counter(unnumbered(scope.rpartition("/")[2]) for scope in scopes)
    parts = re.split(r"[\W_]+", words.most_common(1)[0][0])
    return names.new_class("".join(part[:1].upper() + part[1:] for part in parts if part) or "Block")
