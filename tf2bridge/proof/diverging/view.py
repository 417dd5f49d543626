"""One side of the call that differs: its structure, its values, and its operations as causes see them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tf2bridge.formats.graphs.nodes import data_inputs, node_of
from tf2bridge.proof.diverging.ops_seen import CONSTANT, FEED, TENSOR, VARIABLE, InputSeen, OpSeen
from tf2bridge.proof.diverging.structure import Structure
from tf2bridge.proof.replaying.playing import Array

_PLAIN = {"s", "i", "f", "b", "type"}


@dataclass(frozen=True)
class View:
    """`values`: point -> value in the call. `agreeing`: point -> its counterpart. `where`: node -> its line.

    `passing`: points without a counterpart that are passed over: they give what agrees unchanged, or are not at fault.
    `unused`: points of `passing` that the other graph has, and its call does not run.
    """

    structure: Structure
    values: Mapping[str, Array | None]
    agreeing: Mapping[str, str]
    where: Callable[[str], str]
    passing: set[str] = field(default_factory=set)
    unused: set[str] = field(default_factory=set)

    def agrees(self, point: str) -> bool:
        """Returns True if a point has a counterpart, is passed over, or follows from constants alone."""
        return point in self.agreeing or point in self.structure.constant or point in self.passing

    def open_points(self, ends: list[str]) -> list[str]:
        """Returns the points that do not agree, up to `ends`, in the order in which they are computed."""
        open_points: set[str] = set()
        pending = [point for point in ends if point in self.structure.known]
        while pending:
            point = pending.pop()
            if point not in open_points and not self.agrees(point):
                open_points.add(point)
                pending += self.structure.sources(point)
        return sorted(open_points, key=self.structure.order.__getitem__)

    def heads(self, points: list[str]) -> list[str]:
        """Returns the points whose inputs all agree."""
        return [point for point in points if all(map(self.agrees, self.structure.sources(point)))]

    @property
    def random(self) -> tuple[str, ...]:
        """The names of the random ops that the call runs."""
        return tuple(name for name, node in self.structure.nodes.items() if "seed2" in node.attr)

    def seen(self, point: str) -> OpSeen:
        """Returns the operation behind a point."""
        node = self.structure.nodes[node_of(point)]
        groups = self.structure.inputs(point)
        named = _names_of(node, groups)
        loop = self.structure.loop_of(point)
        return OpSeen(
            name=node.name,
            type=node.op,
            point=point,
            inputs=tuple(self._input(name, group) for name, group in zip(named, groups, strict=True)),
            read=partial(self.values.get, point),
            attributes=attributes(node),
            where=self.where(node.name),
            loop=loop,
            changes=self.structure.updates.get(node.name, ""),
            inner=self.structure.inner(point),
        )

    def _input(self, name: str, group: tuple[str, ...]) -> InputSeen:
        """Returns one input. If it follows from several points, it has no value, and agrees if all of them agree."""
        if len(group) != 1:
            agree = bool(group) and all(map(self.agrees, group))
            return InputSeen(name, TENSOR, _none, ", ".join(group) if agree else "", "")
        point = group[0]
        structure = self.structure
        kind = (
            CONSTANT if point in structure.constant
            else VARIABLE if structure.is_variable(point)
            else FEED if point in structure.fed
            else TENSOR
        )  # fmt: skip
        return InputSeen(
            point,
            kind,
            partial(self.values.get, point),
            self.agreeing.get(point, ""),
            structure.op(point),
            structure.updates.get(node_of(point), ""),
            point in self.unused,
        )


def _none() -> None:
    """Returns the value of an input that has none."""


def _names_of(node: Any, groups: list[tuple[str, ...]]) -> list[str]:
    """Returns the names of the groups of inputs; the variable of an assignment is left out, since its value is not
    read.
    """
    sources = data_inputs(node)
    first = node.op in ("Assign", "AssignVariableOp")
    return (sources[first:] + ["earlier changes"] * len(groups))[: len(groups)]


def attributes(node: Any) -> dict[str, Any]:
    """Returns the attributes of a node as plain values: bytes as text, lists of numbers, types as their numbers."""
    values: dict[str, Any] = {}
    for name, value in node.attr.items():
        kind = value.WhichOneof("value")
        if kind in _PLAIN:
            plain = getattr(value, kind)
            values[name] = plain.decode("utf-8", "replace") if isinstance(plain, bytes) else plain
        elif kind == "list" and not name.startswith("_"):
            values[name] = [*value.list.i, *value.list.f, *(text.decode() for text in value.list.s), *value.list.b]
    return values
