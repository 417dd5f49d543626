"""How far two arrays lie apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tf2bridge.proof.numbers.distance import distance
from tf2bridge.proof.numbers.tolerance import EXACT, Tolerance, Verdict


def f32(*values: float) -> np.ndarray:
    return np.asarray(values, np.float32)


def test_equal_bits_are_equal() -> None:
    assert distance(f32(1, 2), f32(1, 2), EXACT).verdict is Verdict.EQUAL


def test_nan_equals_nan_and_infinity_itself() -> None:
    found = distance(f32(np.nan, np.inf, 1), np.asarray([np.nan, np.inf, 1 + 1e-7], np.float32), Tolerance())
    assert found.verdict is Verdict.CLOSE


@pytest.mark.parametrize("actual, expected", [(np.nan, 1.0), (1.0, np.nan), (np.inf, 1.0), (-np.inf, np.inf)])
def test_a_lone_nan_or_infinity_is_different(actual: float, expected: float) -> None:
    found = distance(f32(actual), f32(expected), Tolerance(rtol=1e9, atol=1e9))
    assert found.verdict is Verdict.DIFFERENT
    assert found.mismatches == 1


def test_the_worst_element_and_the_tolerance_it_needs() -> None:
    expected = np.asarray([[1.0, 2.0], [4.0, 8.0]])
    actual = np.asarray([[1.0, 2.5], [4.0, 8.0]])
    found = distance(actual, expected, Tolerance(rtol=0.1, atol=0.1))
    assert found.verdict is Verdict.DIFFERENT
    assert found.worst == (0, 1)
    assert found.max_abs == 0.5
    assert found.max_rel == 0.0625  # 0.5 / 8, the largest element
    assert found.needed_rtol == pytest.approx(0.2)  # (0.5 - atol) / 2
    assert (
        distance(actual, expected, Tolerance(rtol=found.needed_rtol * (1 + 1e-12), atol=0.1)).verdict is Verdict.CLOSE
    )


def test_integers_and_booleans_must_be_equal() -> None:
    assert distance(np.asarray([7]), np.asarray([8]), Tolerance(rtol=1)).verdict is Verdict.DIFFERENT
    assert distance(np.asarray([True]), np.asarray([False]), Tolerance(rtol=1)).verdict is Verdict.DIFFERENT


def test_shape_and_type_are_part_of_the_number() -> None:
    assert distance(f32(1, 2), f32(1), Tolerance()).verdict is Verdict.SHAPE
    assert distance(f32(1), np.asarray([1.0]), Tolerance()).verdict is Verdict.TYPE


def test_a_zero_that_became_one_is_told_without_a_warning() -> None:
    found = distance(f32(1), f32(0), Tolerance())
    assert found.needed_rtol == np.inf
    assert found.verdict is Verdict.DIFFERENT


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(0, 1), st.floats(0, 1))
def test_the_rule_is_torchs(a: float, b: float, rtol: float, atol: float) -> None:
    found = distance(np.asarray([a]), np.asarray([b]), Tolerance(rtol, atol))
    assert found.verdict.passed == (abs(a - b) <= atol + rtol * abs(b))
