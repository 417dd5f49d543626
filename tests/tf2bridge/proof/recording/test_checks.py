"""The checks of what a recording writes while the program runs."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from tf2bridge.proof.recording.encoding import check_of

MANY = np.random.default_rng(0).integers(0, 256, 9003, np.uint8).tobytes()


def summed(data: bytes) -> int:
    filled = data + bytes(-len(data) % 8)
    return sum(int.from_bytes(filled[at : at + 8], "little") for at in range(0, len(filled), 8)) % 2**64


def test_few_bytes_have_the_crc_32_of_zip() -> None:
    assert check_of([MANY[:5000], MANY[5000:8192]]) == ("crc32", zlib.crc32(MANY[:8192]))


@pytest.mark.parametrize("cuts", [(), (64,), (64, 8192), (3, 100, 9001)], ids=str)
def test_many_bytes_have_the_sum_of_their_words_however_they_come(cuts: tuple[int, ...]) -> None:
    parts = [MANY[a:b] for a, b in zip((0, *cuts), (*cuts, len(MANY)), strict=True)]
    assert check_of(parts) == ("sum64", summed(MANY))


def test_each_flipped_bit_of_the_last_words_is_found() -> None:
    for place in range(len(MANY) - 20, len(MANY)):
        for bit in range(8):
            flipped = bytearray(MANY)
            flipped[place] ^= 1 << bit
            assert check_of([bytes(flipped)]) != check_of([MANY])
