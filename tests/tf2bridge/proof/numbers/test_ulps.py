"""How many numbers lie between two."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tf2bridge.proof.numbers.ulps import greatest_ulps


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@given(st.floats(-6e4, 6e4), st.integers(0, 40), st.booleans())
def test_a_step_is_numpys_nextafter(kind: Any, start: float, steps: int, up: bool) -> None:
    here = there = np.asarray([start]).astype(kind)
    for _ in range(steps):
        there = np.nextafter(there, np.asarray([6.5e4 if up else -6.5e4]).astype(kind))
    assert greatest_ulps(here, there) == greatest_ulps(there, here) == steps


def test_from_the_least_to_the_greatest_number_are_nearly_all() -> None:
    most = np.finfo(np.float64).max
    assert greatest_ulps(np.asarray([-most]), np.asarray([most])) == 2 * (0x7FEFFFFFFFFFFFFF)


def test_of_complex_numbers_the_part_that_is_further_off() -> None:
    one = np.asarray([1 + 1j], np.complex64)
    other = np.asarray([1 + 2**-23 + (1 + 3 * 2**-23) * 1j], np.complex64)
    assert greatest_ulps(one, other) == 3


def test_the_greatest_of_many_is_found() -> None:
    one = np.linspace(-1, 1, 5000, dtype=np.float32)
    other = one.copy()
    other[4321] = np.nextafter(np.nextafter(one[4321], np.float32(2)), np.float32(2))
    assert greatest_ulps(one, other) == 2


@pytest.mark.parametrize("scale", [1e-30, 1e-3, 1.0, 1e30])
def test_steps_across_zero_and_beside_it_are_told_apart(scale: float) -> None:
    values = np.random.default_rng(0)
    one, other = ((scale * values.standard_normal(1000)).astype(np.float32) for _ in range(2))

    def ordered(value: np.float32) -> int:
        bits = int(np.abs(value).view(np.int32))
        return -bits if value < 0 else bits

    steps = [abs(ordered(here) - ordered(there)) for here, there in zip(one, other, strict=True)]
    for count in (1, 2, 3, 10, 1000):
        assert greatest_ulps(one[:count], other[:count]) == max(steps[:count])
