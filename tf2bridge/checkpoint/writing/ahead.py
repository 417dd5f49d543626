"""Reads and computes the next pieces while the previous ones are written."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import TypeVar

Item = TypeVar("Item")

_PATIENCE = 0.05
"""Seconds after which the thread checks whether its results are still needed."""


def ahead(items: Iterable[Item], count: int) -> Generator[Item, None, None]:
    """Yields the items, made in a thread of their own, at most `count` of them before they are taken.

    Exceptions of the thread are raised here. Close the iterator to stop early; then no more items are made.
    """
    made: Queue[tuple[bool, Item | BaseException | None]] = Queue(count)
    left = Event()

    def put(more: bool, item: Item | BaseException | None) -> None:
        while not left.is_set():
            try:
                made.put((more, item), timeout=_PATIENCE)
                return
            except Full:
                continue

    def make() -> None:
        try:
            for item in items:
                put(True, item)
                if left.is_set():
                    return
            put(False, None)
        except BaseException as error:
            put(False, error)

    maker = Thread(target=make, daemon=True)
    maker.start()
    try:
        yield from _taken(made)
    finally:
        left.set()
        while maker.is_alive():
            try:
                made.get(timeout=_PATIENCE)
            except Empty:
                maker.join(_PATIENCE)


def _taken(made: Queue[tuple[bool, Item | BaseException | None]]) -> Iterator[Item]:
    while True:
        more, item = made.get()
        if more:
            yield item  # type: ignore[misc]  # only what ends is None or an error
        elif isinstance(item, BaseException):
            raise item
        else:
            return
