"""Pairs the calls that modules of TensorFlow made for a program: Estimators, slim's loop, `fit` of Keras.

Steps change variables or take data. They are paired by their order in each graph, since the modules have other names
on both sides. If one side makes more steps, they are paired by their feeds and fetches. The other calls only look, such
as those of hooks. They are paired if they fetch the same after the same step, since threads decide how often a hook
looks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from tf2bridge.formats.checkpoints.names import modern
from tf2bridge.proof.comparing.aligning import MANAGER, namesake, paired
from tf2bridge.proof.comparing.calls import Calls, odd_call
from tf2bridge.proof.comparing.changing import CHANGES, TAKES, Changing
from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord, Pair

_READYING = ("saver", MANAGER)
"""They initialise, restore and save: what they hand over are names of files and variables; the values are compared."""
MAIN_THREAD = "MainThread"
"""What Python calls the main thread, in which a program itself runs."""


class ByModules:
    """The calls of this kind of two traces.

    Args:
        actual, recorded: the traces.
        graphs: (number of a recorded graph, number of the graph now, or None).
        calls: compares them.
    """

    def __init__(self, actual: Trace, recorded: Trace, graphs: Sequence[tuple[int, int | None]], calls: Calls) -> None:
        self._actual, self._recorded, self._graphs, self._calls = actual, recorded, graphs, calls
        self._is_part = bool(recorded.stopped) or not recorded.ended
        self._compared: Counter[str] = Counter()
        self._others: Counter[str] = Counter()
        self._sampled = 0
        self._giving = 0
        self._in_threads = sum(call.thread != MAIN_THREAD and bool(_values(call)) for call in recorded.calls)

    def rows(self) -> Iterator[tuple[int, Comparison]]:
        """Yields each row with the index of its recorded call; a call that was not recorded has an index beyond all."""
        left_out = {row["graph"] for row in self._recorded.manifest["left_out"]}
        for theirs, ours in self._graphs:
            old = _Side(self._recorded, theirs)
            if theirs in left_out:
                self._sampled += len(old.steps)
                continue
            yield from self._graph(old, _Side(self._actual, ours))

    def pairs(self) -> Iterator[Pair]:
        """Yields the steps of both sides, (now, recorded), then the calls that prepared their sessions."""
        for theirs, ours in self._graphs:
            old, new = _Side(self._recorded, theirs), _Side(self._actual, ours)
            yield from self._steps(old, new)
            for names, readying in old.readying.items():
                yield from zip(new.readying.get(names, ()), readying, strict=False)

    def looks(self) -> Iterator[Pair]:
        """Yields the calls of both sides that only look, (now, recorded)."""
        for theirs, ours in self._graphs:
            old, new = _Side(self._recorded, theirs), _Side(self._actual, ours)
            for key, looks in old.looks.items():
                yield from zip(new.looks_like(key), looks, strict=False)

    def _steps(self, old: _Side, new: _Side) -> list[Pair]:
        if len(old.steps) == len(new.steps):
            return list(zip(new.steps, old.steps, strict=True))
        return paired((self._actual, new.steps), (self._recorded, old.steps))

    @property
    def unproven(self) -> str:
        """Why variables alone prove nothing, if calls were made and none could be compared; else ""."""
        left = self._sampled + sum(self._others.values()) + self._in_threads
        return f"none of {left} recorded calls could be compared" if left and not self._compared else ""

    def notes(self) -> Iterator[str]:
        """Yields a line for each group of such calls: whether they are compared."""
        if self._compared:
            yield f"{_text(self._compared)} made by TensorFlow's own modules are compared, by their order"
        if self._others:
            yield f"{_text(self._others)} that only look are not, since the other side does not look then"
        if self._sampled:
            yield (
                f"{self._sampled} calls that TensorFlow's own modules made are not compared: --every left some out, "
                "and nothing says which these are"
            )
        if self._giving:
            yield f"{self._giving} calls that only give variables values were made on one side alone"
        if self._in_threads:
            yield f"{self._in_threads} calls in threads are not compared: they come in no order"

    def _graph(self, old: _Side, new: _Side) -> Iterator[tuple[int, Comparison]]:
        for ours, theirs in self._steps(old, new):
            if theirs is None and self._is_part:
                return
            if theirs is not None and ours is not None:
                self._compared[theirs.via] += 1
                yield from ((theirs.index, row) for row in self._calls.of_modules(ours, theirs))
            elif (theirs is None or old.only_gives(theirs)) and (ours is None or new.only_gives(ours)):
                self._giving += 1
            else:
                index = theirs.index if theirs is not None else len(self._recorded.calls)
                place = index if theirs is not None else (ours.index if ours is not None else 0)
                yield index, odd_call(ours, theirs, place, (theirs or ours or old.steps[0]).via)
        for key, looks in old.looks.items():
            for theirs, ours in zip_longest(looks, new.looks_like(key)[: len(looks)]):
                assert theirs is not None
                if ours is None:
                    self._others[theirs.via] += 1
                else:
                    self._compared[theirs.via] += 1
                    yield from ((theirs.index, row) for row in self._calls.of_modules(ours, theirs, is_look=True))


class _Side:
    """The calls of one graph by modules of TensorFlow in the program's main thread.

    Attributes:
        steps: those that change variables, take data or are fed, in order.
        looks: (number of steps before, the program's own included, names of what is fetched) -> the others that
            fetched a value.
        readying: names of what is fetched -> the calls that gave variables their first values.
    """

    def __init__(self, trace: Trace, number: int | None) -> None:
        self.steps: list[CallRecord] = []
        self.looks: dict[tuple[int, tuple[str, ...]], list[CallRecord]] = {}
        self.readying: dict[tuple[str, ...], list[CallRecord]] = {}
        if number is None:
            return
        mine = [call for call in trace.calls if call.graph == number and call.thread == MAIN_THREAD]
        for call in mine:
            if call.via == MANAGER:
                names = tuple(sorted(modern(leaf.name) for leaf in call.fetches))
                self.readying.setdefault(names, []).append(call)
        if all(call.via in ("", *_READYING) for call in mine):
            return
        self._changing = changing = Changing(trace, number, CHANGES, TAKES)
        before = 0
        for call in mine:
            if call.via in _READYING:
                continue
            is_step = bool(call.feeds) or changing.may(call)
            names = tuple(sorted(_values(call)))
            if is_step and call.via:
                self.steps.append(call)
            elif call.via and names:
                self.looks.setdefault((before, names), []).append(call)
            before += is_step

    def looks_like(self, key: tuple[int, tuple[str, ...]]) -> list[CallRecord]:
        """Returns the calls that fetch these tensors, or such names in further scopes, after as many steps."""
        if key in self.looks:
            return self.looks[key]
        before, names = key
        for (steps, further), looks in self.looks.items():
            if steps == before and len(further) == len(names) and all(namesake(name, further) for name in names):
                return looks
        return []

    def only_gives(self, call: CallRecord) -> bool:
        """Returns True if a step assigns its feeds to variables, and does nothing else."""
        return self._changing.only_gives(call)


def _values(call: CallRecord) -> set[str]:
    """Returns the modern names of what a call fetched."""
    return {modern(leaf.name) for leaf in call.fetches if leaf.value is not None}


def _text(calls: Counter[str]) -> str:
    by = ", ".join(f"{via} {times}" for via, times in calls.most_common())
    return f"{sum(calls.values())} calls ({by})"
