"""Which groups of a checkpoint can be which layers of a target, by roles and shapes, and the moves that make them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from tf2bridge.checkpoint.layers.cells import layer_moves
from tf2bridge.checkpoint.moves import Move, Shape, TargetVariable
from tf2bridge.checkpoint.planning.groups import Group
from tf2bridge.checkpoint.planning.pools import Pool


class Fitting:
    """The moves between groups of two kinds, computed once for each two signatures."""

    def __init__(self, variables: Mapping[str, TargetVariable], forget_bias: float) -> None:
        self._variables = variables
        self._forget_bias = forget_bias
        self._known: dict[tuple[object, object], tuple[Move, ...] | None] = {}

    def moves(self, source: Group, target: Group) -> tuple[Move, ...] | None:
        """Returns what makes the layer of the group, named; None where it cannot be made of it."""
        key = source.signature, target.signature
        if key not in self._known:
            self._known[key] = self._made(source, target)
        made = self._known[key]
        return None if made is None else tuple(_named(each, source, target) for each in made)

    def _made(self, source: Group, target: Group) -> tuple[Move, ...] | None:
        """Moves between roles: what they are called is put in for each group."""
        same = _same_roles(source.shapes, target.shapes)
        if same is not None:
            return tuple(Move(theirs, (mine,)) for theirs, mine in same.items())
        layer = [replace(self._variables[name], name=key, role=key) for key, name in target.names.items()]
        return layer_moves(source.name, source.shapes, layer, self._forget_bias)


def _same_roles(source: Mapping[str, Shape], target: Mapping[str, Shape]) -> dict[str, str] | None:
    """Role of the target -> role of the source, where roles and shapes are equal, or each shape is the only one."""
    if source == target:
        return {each: each for each in target}
    by_shape = {shape: each for each, shape in source.items()}
    if len(source) > 1 and len(by_shape) == len(source) and sorted(by_shape) == sorted(target.values()):
        return {each: by_shape[shape] for each, shape in target.items()}
    return None


def _named(move: Move, source: Group, target: Group) -> Move:
    return replace(move, target=target.names[move.target], sources=tuple(source.names[each] for each in move.sources))


def pools(sources: Sequence[Group], targets: Sequence[Group], fitting: Fitting) -> list[Pool]:
    """Puts together what can be paired: groups are in one pool if their shapes fit, or those of groups between them."""
    mine, theirs = _by_signature(sources), _by_signature(targets)
    parts: list[tuple[list[Group], list[Group]]] = []
    left = dict(theirs)
    for groups in mine.values():
        fitting_ones = [key for key, each in left.items() if fitting.moves(groups[0], each[0]) is not None]
        joined = [part for part in parts if any(fitting.moves(groups[0], each) is not None for each in part[1])]
        made: tuple[list[Group], list[Group]] = (list(groups), [each for key in fitting_ones for each in left.pop(key)])
        for part in joined:
            parts.remove(part)
            made = part[0] + made[0], part[1] + made[1]
        if made[1]:
            parts.append(made)
    return [Pool(*_in_order(part)) for part in parts]


def _in_order(part: tuple[Iterable[Group], Iterable[Group]]) -> tuple[list[Group], list[Group]]:
    one, other = (sorted(each, key=lambda group: (group.order is None, group.order or 0)) for each in part)
    return one, other


def _by_signature(groups: Iterable[Group]) -> dict[object, list[Group]]:
    found: dict[object, list[Group]] = defaultdict(list)
    for each in groups:
        found[each.signature].append(each)
    return found
