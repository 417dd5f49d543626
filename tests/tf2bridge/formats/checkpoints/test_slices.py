"""Slices are put together to what they were cut from, however they were cut, and what does not fit is said."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from tf2bridge.formats.checkpoints import slices
from tf2bridge.formats.checkpoints.slices import Part, gap, in_a_row, part_of, woven


def cut(content: Any, *at: list[int]) -> list[Part]:
    """The parts of an array that is cut at these places of each dimension; the source of each is its own array."""
    ranges = []
    for places, size in zip(at, content.shape, strict=True):
        ranges.append(list(zip([0, *places], [*places, size], strict=True)))
    result = []
    for place in product(*ranges):
        where = tuple((first, stop - first) for first, stop in place)
        part = content[tuple(slice(first, stop) for first, stop in place)]
        result.append(part_of(where, content.shape, np.ascontiguousarray(part).tobytes()))
    return result


def read(part: Part, offset: int, size: int) -> bytes:
    return bytes(part.source[offset : offset + size])


@pytest.mark.parametrize("piece", [8, 40, 100, 1 << 20])
@pytest.mark.parametrize(
    "at", [([], [2], []), ([1], [2, 3], [4]), ([], [], [1, 2, 3, 4]), ([1, 2], [], [])], ids=["b", "abc", "c", "a"]
)
def test_any_cut_in_pieces_of_any_size(at: Any, piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "PIECE", piece)
    array = np.arange(3 * 4 * 5, dtype=np.int32).reshape(3, 4, 5)
    parts = cut(array, *at)
    result = list(woven(array.shape, 4, parts[::-1], read))
    assert b"".join(result) == array.tobytes()
    assert max(map(len, result)) <= piece
    assert gap(array.shape, parts) == ""
    assert (in_a_row(array.shape, parts) is not None) == (not at[1] and not at[2])


def test_what_does_not_make_a_whole() -> None:
    rows, grid = cut(np.zeros((6, 2)), [2, 4], []), cut(np.zeros((6, 2)), [2, 4], [1])
    assert gap((6, 2), rows[:2]) == "4 of its 12 elements are in none of its 2 slices"
    assert gap((6, 2), grid[1:]) == "2 of its 12 elements are in none of its 5 slices"
    assert gap((6, 2), [rows[0], rows[0], rows[2]]) == "its slices at [0, 0] and at [0, 0] overlap"
    assert gap((6, 2), [*grid, rows[1]]) == "its slices at [2, 0] and at [2, 0] overlap"
    with pytest.raises(ValueError, match="leads out of a dimension of 6"):
        part_of(((5, 2), (0, -1)), (6, 2), None)
