"""Decides which groups of a checkpoint can be which layers of a target, by roles and shapes, and makes the moves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from tf2bridge.checkpoint.layers.cells import layer_moves
from tf2bridge.checkpoint.moves import Move, Shape, TargetVariable
from tf2bridge.checkpoint.planning.groups import Group
from tf2bridge.checkpoint.planning.pools import Pool


class Fitting:
    """The moves between two kinds of groups, computed once for each pair of signatures."""

    def __init__(self, variables: Mapping[str, TargetVariable], forget_bias: float) -> None:
        self._variables = variables
        self._forget_bias = forget_bias
        self._known: dict[tuple[object, object], tuple[Move, ...] | None] = {}

    def moves(self, source: Group, target: Group) -> tuple[Move, ...] | None:
        """Returns the moves that make a layer from a group; None if the group cannot become the layer."""
        key = source.signature, target.signature
        if key not in self._known:
            self._known[key] = self._made(source, target)
        made = self._known[key]
        return None if made is None else tuple(_named(move, source, target) for move in made)

    def _made(self, source: Group, target: Group) -> tuple[Move, ...] | None:
        """Returns moves between roles; the caller replaces roles by the names of a group."""
        same = _same_roles(source.shapes, target.shapes)
        if same is not None:
            return tuple(Move(theirs, (mine,)) for theirs, mine in same.items())
        layer = [replace(self._variables[name], name=key, role=key) for key, name in target.names.items()]
        return layer_moves(source.name, source.shapes, layer, self._forget_bias)


def _same_roles(source: Mapping[str, Shape], target: Mapping[str, Shape]) -> dict[str, str] | None:
    """Returns role of the target -> role of the source, if roles and shapes are equal, or all shapes differ."""
    if source == target:
        return {role: role for role in target}
    by_shape = {shape: role for role, shape in source.items()}
    if len(source) > 1 and len(by_shape) == len(source) and sorted(by_shape) == sorted(target.values()):
        return {role: by_shape[shape] for role, shape in target.items()}
    return None


def _named(move: Move, source: Group, target: Group) -> Move:
    return replace(move, target=target.names[move.target], sources=tuple(source.names[role] for role in move.sources))


def pools(sources: Sequence[Group], targets: Sequence[Group], fitting: Fitting) -> list[Pool]:
    """Returns the pools of groups that can be paired.

    Two groups share a pool if a chain of fitting shapes connects them.
    """
    mine, theirs = _by_signature(sources), _by_signature(targets)
    parts: list[tuple[list[Group], list[Group]]] = []
    left = dict(theirs)
    for groups in mine.values():
        fitting_ones = [key for key, members in left.items() if fitting.moves(groups[0], members[0]) is not None]
        joined = [part for part in parts if any(fitting.moves(groups[0], members) is not None for members in part[1])]
        made: tuple[list[Group], list[Group]] = (
            list(groups),
            [key_members for key in fitting_ones for key_members in left.pop(key)],
        )
        for part in joined:
            parts.remove(part)
            made = part[0] + made[0], part[1] + made[1]
        if made[1]:
            parts.append(made)
    return [Pool(*_in_order(part)) for part in parts]


def _in_order(part: tuple[Iterable[Group], Iterable[Group]]) -> tuple[list[Group], list[Group]]:
    sources, targets = (sorted(side, key=lambda group: (group.order is None, group.order or 0)) for side in part)
    return sources, targets


def _by_signature(groups: Iterable[Group]) -> dict[object, list[Group]]:
    by_signature: dict[object, list[Group]] = defaultdict(list)
    for group in groups:
        by_signature[group.signature].append(group)
    return by_signature
