"""The trace of a native program, its calls paired with the recorded ones and named as these."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from codemods.native.native_map import Call
from tf2bridge.formats.graphs.nodes import node_of
from tf2bridge.native.counterparts import Counterparts, function_named
from tf2bridge.native.running.writing import MARK
from tf2bridge.native.summaries import summary_in
from tf2bridge.proof.comparing.aligning import paired
from tf2bridge.proof.traces.reader import Array, Trace
from tf2bridge.proof.traces.records import CallRecord, Leaf, Pair


class NativeTrace(Trace):
    """What a native program did, beside the trace that it is held against.

    Args:
        path: The trace that `running.writing` wrote.
        recorded: The trace of genuine TensorFlow.
        known: What stands for the recorded calls.
        in_graph: Whether the tensors of the calls have their names in the program's own graph, not the legacy names.

    Attributes:
        functions: The functions that were called -> how often.
        pairs: The calls that are compared, (now, recorded).
        unmapped: Calls of functions that the map does not name.
        summaries: Tag -> its values in the order in which they were written.
        checkpoints: The names of the checkpoints that were written.
        own: Name of a variable -> its value when it was made, and before the first call.
    """

    def __init__(self, path: Path, recorded: Trace, known: Counterparts, in_graph: bool = False) -> None:
        super().__init__(path)
        note = next(text for text in self.manifest["notes"] if text.startswith(MARK))
        self._facts: dict[str, Any] = json.loads(note.removeprefix(MARK))
        self._recorded, self._known, self._in_graph = recorded, known, in_graph
        self._converted: dict[int, Array] = {}
        self.own: Mapping[str, list[int | None]] = self._facts["own"]
        self.drawn = tuple((recorded, here) for recorded, here in self._facts["draws"])
        self.summaries: Mapping[str, list[int]] = self._facts["summaries"]
        self.checkpoints: Sequence[str] = self._facts["checkpoints"]
        self.elsewhere: int = self._facts["elsewhere"]
        called: dict[str, list[CallRecord]] = {}
        for call, name in zip(self.calls[1:], self._facts["functions"], strict=True):
            called.setdefault(function_named(name, list(known.by_function)) or name, []).append(call)
        self.functions = {name: len(calls) for name, calls in called.items()}
        self.unmapped = {name: len(calls) for name, calls in called.items() if name not in known.by_function}
        pairs = [pair for name in known.by_function for pair in self._paired(name, called.get(name, []))]
        self.pairs: tuple[Pair, ...] = tuple(_in_order(pairs))
        renamed = {ours.index: ours for ours, _ in self.pairs if ours is not None}
        self.calls = tuple(renamed.get(call.index, call) for call in self.calls)

    def value(self, ref: int) -> Array:
        return self._converted[ref] if ref in self._converted else super().value(ref)

    def _as_fed(self, mine: Leaf, other: Leaf) -> Leaf:
        """Returns a feed in the type of the placeholder, if that has a type of the same kind."""
        if mine.value is None or other.value is None:
            return mine
        value, dtype = self.value(mine.value), self._recorded.value(other.value).dtype
        if value.dtype == dtype or not np.can_cast(value.dtype, dtype, "same_kind"):
            return mine
        ref = -1 - len(self._converted)
        self._converted[ref] = value.astype(dtype)
        return Leaf(mine.name, ref)

    def _paired(self, function: str, ours: Sequence[CallRecord]) -> list[Pair]:
        """Returns the calls of a function in pairs with those that it stands for."""
        rows = self._known.by_function[function]
        theirs = [call for call, _ in rows]
        plain: list[Pair] = list(zip(ours, theirs, strict=False))
        if len(ours) != len(theirs):
            plain = self._aligned(ours, rows)
        row_of = {call.index: row for call, row in rows}
        last = rows[-1][1] if rows else None
        pairs: list[Pair] = []
        for mine, other in plain:
            row = row_of[other.index] if other is not None else last
            if row is None:
                continue
            used = None if other is None else self._without_unused(other, row)
            pairs.append((None if mine is None else self._named(mine, used, row), used))
        return pairs

    def _without_unused(self, call: CallRecord, row: Call) -> CallRecord:
        """Returns a recorded call without the values that nothing used; a graph runs the operations behind them."""
        leaves = [Leaf(node_of(leaf.name), None) if self._is_unused(leaf, row) else leaf for leaf in call.fetches]
        kept = [new for leaf, new in zip(call.fetches, leaves, strict=True) if self._in_graph or new is leaf]
        return replace(call, fetches=tuple(kept))

    def _is_unused(self, leaf: Leaf, row: Call) -> bool:
        """Returns whether nothing used a tensor, or only a writer of summaries, which have rows of their own."""
        if ":" not in leaf.name or leaf.name in row.fetches:
            return False
        return leaf.name in row.operations or bool(summary_in(self._recorded, leaf))

    def _aligned(self, ours: Sequence[CallRecord], rows: Sequence[tuple[CallRecord, Call]]) -> list[Pair]:
        """Pairs calls by the values that they feed, where there is one more or less."""
        asked = [replace(call, fetches=()) for call in ours]
        wanted = []
        for call, row in rows:
            values = {leaf.name: leaf.value for leaf in call.feeds}
            feeds = tuple(Leaf(str(place), values.get(name)) for place, name in enumerate(row.feeds))
            wanted.append(replace(call, feeds=feeds, fetches=()))
        back = {call.index: call for call in ours}, {call.index: call for call, _ in rows}
        return [
            (None if mine is None else back[0][mine.index], None if other is None else back[1][other.index])
            for mine, other in paired((self, asked), (self._recorded, wanted))
        ]

    def _named(self, mine: CallRecord, other: CallRecord | None, row: Call) -> CallRecord:
        body = self._facts["body_of"][mine.index - 1]
        places = self._facts["bodies"][body] if body is not None else {"feeds": {}, "fetches": {}, "run": ""}
        feeds = _named(mine.feeds, row.feeds)
        fetches = _named(mine.fetches, row.fetches)
        if other is not None:
            by_name = {leaf.name: leaf for leaf in fetches}
            fetches = [by_name.get(leaf.name, Leaf(leaf.name, None)) for leaf in other.fetches]
            fed = {leaf.name: leaf for leaf in other.feeds}
            feeds = [self._as_fed(leaf, fed[leaf.name]) if leaf.name in fed else leaf for leaf in feeds]
        feeds.sort(key=lambda leaf: leaf.name)
        where = other.where if other is not None else row.legacy
        named = replace(mine, feeds=tuple(feeds), fetches=tuple(fetches), where=where)
        return self._within_graph(named, row, places) if self._in_graph else named

    def _within_graph(self, call: CallRecord, row: Call, places: Mapping[str, Any]) -> CallRecord:
        """Returns a call with the names of its tensors in the program's own graph."""
        inside = {name: places["fetches"].get(str(place), "") for place, name in enumerate(row.fetches)}
        fetches, run = [], places["run"]
        for leaf in call.fetches:
            if ":" in leaf.name:
                fetches.append(replace(leaf, name=inside.get(leaf.name) or leaf.name))
            elif run:
                fetches.append(Leaf(run, None))
                run = ""
        return replace(call, fetches=(*fetches, *([Leaf(run, None)] if run else [])))


def _named(leaves: Sequence[Leaf], names: Sequence[str]) -> list[Leaf]:
    return [Leaf(name, leaf.value) for name, leaf in zip(names, leaves, strict=False) if name]


def _in_order(pairs: Sequence[Pair]) -> list[Pair]:
    """Returns pairs in the order of the recorded calls; a call that is only made now follows the one before it."""
    placed, last = [], -1
    for ours, theirs in pairs:
        last = theirs.index if theirs is not None else last
        placed.append((last, (ours, theirs)))
    return [pair for _, pair in sorted(placed, key=lambda item: item[0])]
