"""Where the time of a fleet goes on many workers: a simulation.

    python tests/benchmarks/fleet_plan.py [--items 1000000] [--fixed 0.004] [--per-gb 2.8]

Take the costs of an item from a run of `fleet run`: `--fixed` is the median of the seconds in `OUT/measured` for small
items, and `--per-gb` the processor's seconds for a large item by its gigabytes. Sizes are log-normal. All that is
assumed is an option, so that a plan for another store is one command.
"""

from __future__ import annotations

import argparse
import heapq
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields

REQUESTS = min(5500 / 4, 3500 / 3)
"""Items a second for one prefix of S3: 5,500 reads and 3,500 writes a second (docs.aws.amazon.com, "Best practices
design patterns"), and four reads and three writes for an item."""
SPEED = 90e6
"""Bytes a second for one connection, by the same page."""


@dataclass(frozen=True)
class Costs:
    """What an item, a worker and the store cost.

    Attributes:
        fixed, per_gb: the processor's seconds for an item, and for each gigabyte of it.
        deaths: how often a worker dies in an hour.
        bandwidth: bytes a second of the store, for all workers together.
        start: seconds until a worker is warm.
        slow, factor: the part of the workers that are slow, and how many times as long they compute.
    """

    fixed: float
    per_gb: float
    deaths: float
    bandwidth: float
    start: float = 8.0
    slow: float = 0.02
    factor: float = 3.0


@dataclass
class Spent:
    """Seconds of all workers by what they are spent on, and the seconds until the last item is done."""

    work: float = 0.0
    store: float = 0.0
    start: float = 0.0
    lost: float = 0.0
    slow: float = 0.0
    end: float = 0.0

    def shares(self, workers: int) -> Iterator[tuple[str, float]]:
        """Yields each use, and its part of all the time that the workers are there."""
        uses = {use.name: getattr(self, use.name) / (self.end * workers) for use in fields(self) if use.name != "end"}
        yield from uses.items()
        yield "idle", 1 - sum(uses.values())


@dataclass
class Fleet:
    """Workers that take the next item as soon as they are free: it is computed, then its bytes are moved.

    The store gives all transfers the same speed. So the bytes that one transfer would have had since the beginning
    (`moved`) tell when each of them is over, and a change of their number needs no look at the others.
    """

    costs: Costs
    workers: int
    spent: Spent = field(default_factory=Spent)
    chance: random.Random = field(default_factory=lambda: random.Random(0))
    now: float = 0.0
    moved: float = 0.0
    computing: list[tuple[float, int, float]] = field(default_factory=list)  # when it ends, worker, bytes to move
    moving: list[tuple[float, int, float]] = field(default_factory=list)  # bytes moved when it ends, worker, its start

    def run(self, sizes: Sequence[float]) -> Spent:
        """Returns where the time goes for items of these sizes, in bytes, in this order."""
        waiting = iter(sizes)
        slow = [self.chance.random() < self.costs.slow for _ in range(self.workers)]
        self.computing = [(self.costs.start, worker, -1.0) for worker in range(self.workers)]
        self.spent.start = self.costs.start * self.workers
        gate = 0.0
        while self.computing or self.moving:
            worker, size = self._next()
            if size > 0:
                heapq.heappush(self.moving, (self.moved + size, worker, self.now))
            elif (item := next(waiting, None)) is not None:
                gate = max(gate, self.now) + 1 / REQUESTS
                self.spent.store += gate - self.now
                end = gate + self._computed(item, slow[worker])
                heapq.heappush(self.computing, (end, worker, 2 * item))
            else:
                self.spent.end = self.now
        return self.spent

    def _next(self) -> tuple[int, float]:
        """Goes on to the next end of a computation or transfer; returns its worker, and the bytes to move now."""
        speed = min(SPEED, self.costs.bandwidth / max(1, len(self.moving)))
        over = self.now + (self.moving[0][0] - self.moved) / speed if self.moving else float("inf")
        if self.computing and self.computing[0][0] <= over:
            when, worker, size = heapq.heappop(self.computing)
            self.moved += (when - self.now) * speed
            self.now = when
            return worker, size
        self.moved, worker, begun = heapq.heappop(self.moving)
        self.now = over
        self.spent.store += over - begun
        return worker, 0.0

    def _computed(self, size: float, is_slow: bool) -> float:
        """Returns the seconds of an item's computation, with those that are lost when its worker dies."""
        costs = self.costs
        work = costs.fixed + costs.per_gb * size / 1e9
        late = work * (costs.factor - 1) if is_slow else 0.0
        lost = start = 0.0
        while costs.deaths and (died := self.chance.expovariate(costs.deaths / 3600)) < work + late + 2 * size / SPEED:
            lost, start = lost + died, start + costs.start
        for use, seconds in (("work", work), ("slow", late), ("lost", lost), ("start", start)):
            setattr(self.spent, use, getattr(self.spent, use) + seconds)
        return work + late + lost + start


def sizes_of(items: int, median: float, spread: float, largest: float) -> list[float]:
    """Returns log-normal sizes in bytes, none above the largest, in the order of an inventory: as good as by chance."""
    chance = random.Random(0)
    return [min(median * chance.lognormvariate(0, spread), largest) for _ in range(items)]


def main() -> None:
    """Prints where the time goes for each number of workers, with the items as listed and with the largest first."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbers = {"items": 1e6, "median": 5e6, "spread": 1.8, "largest": 50e9}
    for name, default in (numbers | {"fixed": 0.004, "per-gb": 2.8, "deaths": 0.02, "bandwidth": 10e9}).items():
        options.add_argument(f"--{name}", type=float, default=default)
    chosen = options.parse_args()
    costs = Costs(chosen.fixed, chosen.per_gb, chosen.deaths, chosen.bandwidth)
    sizes = sizes_of(int(chosen.items), chosen.median, chosen.spread, chosen.largest)
    print(f"{len(sizes):,} items, {sum(sizes) / 1e12:.1f} TB, the largest {max(sizes) / 1e9:.1f} GB")
    for order, ordered in (("as listed", sizes), ("largest first", sorted(sizes, reverse=True))):
        for workers in (10, 100, 1000):
            spent = Fleet(costs, workers).run(ordered)
            shares = ", ".join(f"{use} {share:.0%}" for use, share in spent.shares(workers))
            print(f"{order}, {workers:>5,} workers: {spent.end / 3600:6.2f} h: {shares}")


if __name__ == "__main__":
    main()
