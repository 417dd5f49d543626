"""Work done beside other work: the next pieces are read and computed while the last ones are written."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import TypeVar

Item = TypeVar("Item")

_PATIENCE = 0.05
"""Seconds after which a thread looks whether it is still needed."""


def ahead(items: Iterable[Item], count: int) -> Generator[Item, None, None]:
    """The items, made in a thread of their own, at most `count` before they are taken; what it raises is raised here.

    Close the iterator if it is left before its end: then nothing is made any more.
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
