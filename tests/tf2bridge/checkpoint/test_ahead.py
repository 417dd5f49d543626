"""Work done ahead comes in order, stops when it is not needed, and raises what it raised."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from tf2bridge.checkpoint.writing.ahead import ahead


def test_all_of_it_in_order() -> None:
    assert list(ahead(range(1000), 3)) == list(range(1000))


def test_what_it_raises_is_raised_after_what_came_before() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise ValueError("as it was made")

    taken = ahead(items(), 3)
    assert next(taken) == 1
    with pytest.raises(ValueError, match="as it was made"):
        next(taken)


def test_no_more_is_made_than_was_said_and_none_when_it_is_left() -> None:
    made: list[int] = []
    before = threading.active_count()
    with closing(ahead((made.append(index) or index for index in range(1000)), 3)) as taken:  # type: ignore[func-returns-value]
        assert next(taken) == 0
    assert threading.active_count() == before
    assert len(made) <= 1 + 3 + 2  # taken; waiting; one in hand, and one that made room for itself as this was closed
