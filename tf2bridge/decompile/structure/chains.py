"""Finds blocks that are called one after another, each with the result of the one before: a list and a loop."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tf2bridge.decompile.ir import Function, Kind, Node, Value, uses

_SHORTEST = 4
"""Blocks in a list: the loop over fewer is longer than their calls."""


@dataclass(frozen=True, eq=False)
class Chain:
    """Blocks in a row.

    Attributes:
        blocks: The blocks, each of which takes what the one before it gives.
        place: Which input of each block that is; the others are the same for all of them.
    """

    blocks: tuple[Node, ...]
    place: int


def unnumbered(name: str) -> str:
    """Returns a name without the number at its end, such as 2, _2a or _2a_3x3; that of a version, _v2, stays."""
    return re.sub(r"(?<!_v)(_?\d+[a-z]?)+(_\dx\d)?$", "", name)


def chains(function: Function) -> Mapping[Node, Chain]:
    """Returns each block that belongs to a chain -> its chain."""
    users = uses(function)
    following: dict[Node, tuple[Node, int]] = {}
    for node in function.nodes():
        if node.op == Kind.BLOCK and (after := _following(node, users.get(Value(node, 0), []))):
            following[node] = after
    continued = {after for after, _ in following.values()}
    chain_of: dict[Node, Chain] = {}
    for node in function.nodes():
        if node in following and node not in continued:
            chain_of |= _of(node, following)
    return chain_of


def _of(first: Node, following: Mapping[Node, tuple[Node, int]]) -> dict[Node, Chain]:
    """Returns the chains of the blocks from the first one on; a chain ends where the place of the input changes."""
    rows: list[tuple[list[Node], int]] = []
    node = first
    while node in following:
        after, place = following[node]
        if rows and rows[-1][1] == place:
            rows[-1][0].append(after)
        else:
            rows.append(([node, after] if not rows else [after], place))
        node = after
    long = [Chain(tuple(blocks), place) for blocks, place in rows if len(blocks) >= _SHORTEST]
    return {block: chain for chain in long for block in chain.blocks}


def _following(block: Node, users: list[Node | None]) -> tuple[Node, int] | None:
    """Returns the block that takes the result of a block, and which input that is, if both can be in one chain."""
    if len(block.outputs) != 1 or len(users) != 1 or (after := users[0]) is None:
        return None
    if after.op != Kind.BLOCK or after.owner is not block.owner or len(after.outputs) != 1:
        return None
    scopes = (part.attributes["scope"].rpartition("/")[2] for part in (block, after))
    if len({unnumbered(scope) for scope in scopes}) > 1:
        return None
    place = after.inputs.index(Value(block, 0))
    others = [value for number, value in enumerate(after.inputs) if number != place]
    given = [value for number, value in enumerate(block.inputs) if number != place]
    return (after, place) if len(block.inputs) == len(after.inputs) and others == given else None
