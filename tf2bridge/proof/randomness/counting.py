"""Counts draws: in Python, or in variables after a tf.function has drawn, because the function itself counts there."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tf2bridge.proof.randomness.draws import Draw
from tf2bridge.proof.randomness.keys import renamed, seed_of

LISTED = 1 << 16
"""The most draws that are listed, and the most places in functions that are distinguished."""


@dataclass
class Site:
    """One place that draws: an op of a graph or function, or one call of eager code; the op says what it drew."""

    index: int
    key: str
    slot: int | None
    name: str
    where: str
    kind: str = "seed"
    shape: tuple[int | None, ...] | None = None
    dtype: str = ""


@dataclass(frozen=True)
class _Row:
    site: int
    run: int
    elements: int


class Counting:
    """Gives each execution of a random op its number and its seed.

    By order, the seed follows from the number; without `fresh` from the number of the slot's first execution. By name
    it follows from the key and from how often that was drawn before; without `fresh` from the key alone.
    """

    def __init__(self, seed: int, by: str, fresh: bool, names: dict[str, str]) -> None:
        self.by = by
        self._seed, self._fresh, self._names = seed, fresh, names
        self._sites: list[Site] = []
        self._slots: dict[Any, int] = {}
        self._kept: list[Any] = []  # objects that slots are told apart by: their ids must not be given to others
        self._number = 0
        self._runs: dict[int, int] = {}
        self._rows: dict[int, _Row] = {}
        self._state: _State | None = None

    def site(self, key: str, identity: Any, name: str, where: str) -> Site:
        """Returns a new place that draws; those of one `identity`, which is any object, are one op drawn again."""
        key = renamed(key, self._names)
        if self.by == "name":
            identity = key
        slot = None if identity is None else self.slot(identity)
        site = Site(len(self._sites), key, slot, name, where)
        self._sites.append(site)
        return site

    def name_site(self, site: Site, key: str) -> None:
        """Renames a place by a name that is known only from the finished graph."""
        if renamed(key, self._names) != site.key:
            site.key = renamed(key, self._names)
            site.slot = self.slot(site.key)

    def slot(self, identity: Any) -> int:
        """Returns the number of an object."""
        mark = identity if isinstance(identity, str) else id(identity)
        if mark not in self._slots:
            self._kept.append(identity)
            self._slots[mark] = len(self._slots) % LISTED
        return self._slots[mark]

    def take(self, site: Site) -> tuple[int, int]:
        """Counts one execution now, and returns its two seeds."""
        if self._state is not None:
            self._from_state()
        number, self._number = self._number, self._number + 1
        run = self._run(site, number)
        if number < LISTED:
            self._rows[number] = _Row(site.index, run if self.by == "name" else 0, -1)
        if self._state is not None:
            self._to_state()
        first, second = self._base(site)
        return first, second + run

    def take_later(self, site: Site) -> tuple[Any, Any]:
        """Within the trace of a tf.function: the op that counts each execution; returns its seeds and its number."""
        if self._state is None:
            self._state = _State()
            self._to_state()
        number, run = self._state.take(site, self.by, self._fresh)
        first, second = self._base(site)
        return self._state.seeds(first, second, run), number

    def sized(self, number: Any, elements: Any) -> None:
        """Within the trace of a tf.function: notes how many elements a draw had whose shape the trace does not know."""
        assert self._state is not None
        self._state.note_elements(number, elements)

    @property
    def total(self) -> int:
        """The number of all draws so far."""
        if self._state is not None:
            self._from_state()
        return self._number

    def draws(self) -> tuple[Draw, ...]:
        """Returns the draws so far, at most the first 65,536."""
        rows = dict(self._rows)
        if self._state is not None:
            logged = self._state.logged(min(self.total, LISTED))
            rows.update({n: _Row(int(s), int(r), int(e)) for n, (s, r, e) in enumerate(logged) if n not in rows})
        return tuple(self._draw(number, row) for number, row in sorted(rows.items()) if number < self.total)

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        """Leaves draws within the block out of the count."""
        if self._state is not None:
            self._from_state()
        number, runs, rows = self._number, dict(self._runs), dict(self._rows)
        try:
            yield
        finally:
            self._number, self._runs, self._rows = number, runs, rows
            if self._state is not None:
                self._to_state()

    def _run(self, site: Site, number: int) -> int:
        if self.by == "name":
            assert site.slot is not None
            run = self._runs.get(site.slot, 0)
            self._runs[site.slot] = run + 1
            return run if self._fresh else 0
        if self._fresh or site.slot is None:
            return number
        return self._runs.setdefault(site.slot, number + 1) - 1

    def _base(self, site: Site) -> tuple[int, int]:
        return seed_of(self._seed, f"name {site.key}" if self.by == "name" else "order")

    def _draw(self, number: int, row: _Row) -> Draw:
        site = self._sites[row.site]
        key = site.key if self.by == "name" else str(number)
        shape = _completed(site.shape, row.elements)
        return Draw(number, key, row.run, site.kind, shape, site.dtype, site.name, site.where)

    def _from_state(self) -> None:
        assert self._state is not None
        self._number, runs = self._state.read()
        self._runs = {slot: int(runs[slot]) for slot in self._slots.values() if runs[slot]}

    def _to_state(self) -> None:
        assert self._state is not None
        self._state.write(self._number, self._runs)


class _State:
    """The counts as variables of the eager process."""

    def __init__(self) -> None:
        import tensorflow as tf

        from tf2bridge.internals.eager import context

        self._tf, self._eager = tf, context.eager_mode
        with tf.init_scope(), tf.device("CPU:0"):
            self._number = tf.Variable(0, trainable=False, dtype=tf.int32, name="controlled_random/number")
            self._runs = tf.Variable(tf.zeros([LISTED], tf.int32), trainable=False, name="controlled_random/runs")
            self._log = tf.Variable(tf.zeros([LISTED + 1, 3], tf.int32), trainable=False, name="controlled_random/log")

    def take(self, site: Site, by: str, fresh: bool) -> tuple[Any, Any]:
        tf = self._tf
        number = self._number.assign_add(1) - 1
        run = number
        if by == "name" or (not fresh and site.slot is not None):
            runs = self._runs[site.slot]
            run = runs if by == "name" else tf.where(runs > 0, runs - 1, number)
            self._runs.scatter_nd_update([[site.slot]], [run + 1])
            run = run if by == "order" or fresh else tf.zeros_like(run)
        row = tf.stack([site.index, run if by == "name" else 0, -1])
        self._log.scatter_nd_update([[tf.minimum(number, LISTED)]], [row])
        return number, run

    def seeds(self, first: int, second: int, run: Any) -> Any:
        return self._tf.stack([self._tf.constant(first), second + run])

    def note_elements(self, number: Any, elements: Any) -> None:
        self._log.scatter_nd_update([[self._tf.minimum(number, LISTED), 2]], [elements])

    def read(self) -> tuple[int, Any]:
        with self._eager():
            return int(self._number.numpy()), self._runs.numpy()

    def write(self, number: int, runs: dict[int, int]) -> None:
        with self._eager():
            self._number.assign(number)
            numbers = self._tf.zeros([LISTED], self._tf.int32).numpy()
            for slot, run in runs.items():
                numbers[slot] = run
            self._runs.assign(numbers)

    def logged(self, count: int) -> Any:
        with self._eager():
            return self._log[:count].numpy()


def _completed(shape: tuple[int | None, ...] | None, elements: int) -> tuple[int | None, ...] | None:
    """Returns the shape with its one unknown size computed from the number of elements."""
    if shape is None or shape.count(None) != 1 or elements < 0:
        return shape
    known = 1
    for size in shape:
        known *= 1 if size is None else size
    return tuple(elements // known if size is None and known else size for size in shape)
