"""How far two arrays lie apart."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tf2bridge.proof.numbers.distance import Distance, distance
from tf2bridge.proof.numbers.pieces import BLOCK, Lazy
from tf2bridge.proof.numbers.tolerance import EXACT, Tolerance, Verdict


def f32(*values: float) -> np.ndarray:
    return np.asarray(values, np.float32)


def test_equal_bits_are_equal() -> None:
    assert distance(f32(1, 2), f32(1, 2), EXACT).verdict is Verdict.EQUAL


def test_zeros_of_two_signs_are_close_but_not_bit_for_bit() -> None:
    result = distance(f32(0.0), f32(-0.0), EXACT)
    assert (result.verdict, result.max_abs, result.ulps) == (Verdict.CLOSE, 0.0, 0)


def test_nan_equals_nan_and_infinity_itself() -> None:
    result = distance(f32(np.nan, np.inf, 1), np.asarray([np.nan, np.inf, 1 + 1e-7], np.float32), Tolerance())
    assert result.verdict is Verdict.CLOSE
    assert (result.nans, result.infinities) == ((1, 1), (1, 1))


def test_nan_may_differ_from_itself_where_its_bits_are_the_same() -> None:
    result = distance(f32(1, np.nan), f32(1, np.nan), Tolerance(nan_equal=False))
    assert (result.verdict, result.mismatches, result.worst) == (Verdict.DIFFERENT, 1, (1,))


@pytest.mark.parametrize("actual, expected", [(np.nan, 1.0), (1.0, np.nan), (np.inf, 1.0), (-np.inf, np.inf)])
@pytest.mark.parametrize("limit", [1e9, 1e308])
def test_a_lone_nan_or_infinity_is_different(actual: float, expected: float, limit: float) -> None:
    result = distance(f32(actual), f32(expected), Tolerance(rtol=limit, atol=limit))
    assert result.verdict is Verdict.DIFFERENT
    assert (result.mismatches, result.needed_rtol, result.needed_atol) == (1, math.inf, math.inf)


def test_the_worst_element_and_the_tolerance_it_needs() -> None:
    expected = np.asarray([[1.0, 2.0], [4.0, 8.0]])
    actual = np.asarray([[1.0, 2.5], [4.0, 8.0]])
    result = distance(actual, expected, Tolerance(rtol=0.1, atol=0.1))
    assert result.verdict is Verdict.DIFFERENT
    assert (result.worst, result.values) == ((0, 1), (2.5, 2.0))
    assert result.max_abs == 0.5
    assert result.max_rel == 0.0625  # 0.5 / 8, the largest element
    assert result.needed_rtol == pytest.approx(0.2)  # (0.5 - atol) / 2
    assert (
        distance(actual, expected, Tolerance(rtol=result.needed_rtol * (1 + 1e-12), atol=0.1)).verdict is Verdict.CLOSE
    )
    assert distance(actual, expected, Tolerance(rtol=0, atol=result.needed_atol)).verdict is Verdict.CLOSE
    assert distance(actual, expected, Tolerance(rtol=0, atol=0.499)).verdict is Verdict.DIFFERENT


def test_integers_and_booleans_must_be_equal() -> None:
    assert distance(np.asarray([7]), np.asarray([8]), Tolerance(rtol=1)).verdict is Verdict.DIFFERENT
    assert distance(np.asarray([True]), np.asarray([False]), Tolerance(rtol=1)).verdict is Verdict.DIFFERENT


def test_integers_that_float64_does_not_tell_apart_differ() -> None:
    result = distance(np.asarray([2**62 + 1]), np.asarray([2**62]), EXACT)
    assert (result.verdict, result.max_abs, result.values) == (Verdict.DIFFERENT, 1.0, (2**62 + 1, 2**62))


def test_integers_with_and_without_a_sign() -> None:
    one, other = np.asarray([-1, 5]), np.asarray([2**64 - 1, 5], np.uint64)
    assert distance(one, other, Tolerance()).verdict is Verdict.TYPE
    result = distance(one, other, Tolerance(check_dtype=False))
    assert (result.verdict, result.mismatches, result.max_abs) == (Verdict.DIFFERENT, 1, 2.0**64)
    assert distance(one[1:], other[1:], Tolerance(check_dtype=False)).verdict is Verdict.CLOSE


def test_shape_and_type_are_part_of_the_number() -> None:
    assert distance(f32(1, 2), f32(1), Tolerance()).verdict is Verdict.SHAPE
    result = distance(f32(1, 2.5), np.asarray([1.0, 2.0]), Tolerance())
    assert (result.verdict, result.note) == (Verdict.TYPE, "float32, expected float64")
    assert (result.max_abs, result.mismatches, result.ulps) == (0.5, 1, None)


def test_types_may_differ_if_asked_for() -> None:
    """By the larger tolerance of both, as torch.testing.assert_close does with check_dtype=False."""
    half, single = np.asarray([1.0], np.float16), f32(1.0009)
    assert distance(half, single, Tolerance(check_dtype=False)).verdict is Verdict.CLOSE
    assert distance(half.astype(np.float32), single, Tolerance()).verdict is Verdict.DIFFERENT


def test_a_zero_that_became_one_is_told_without_a_warning() -> None:
    result = distance(f32(1), f32(0), Tolerance())
    assert result.needed_rtol == np.inf
    assert result.verdict is Verdict.DIFFERENT


@pytest.mark.parametrize(
    "kind, step, passes, fails",
    [
        # Beside 1, where a number of the type is `step` from the next; those of float16 and bfloat16 are torch's.
        (np.float16, 2**-10, 1, 2),
        (ml_dtypes.bfloat16, 2**-7, 2, 3),
        (np.float32, 2**-23, 92, 93),  # 1e-5 + 1e-6 of 1.19e-7
        (np.float64, 2**-52, 4_508_103, 4_508_104),  # 1e-9 + 1e-12 of 2.2e-16
        (np.complex64, 2**-23, 92, 93),
        (np.complex128, 2**-52, 4_508_103, 4_508_104),
        (ml_dtypes.float8_e4m3fn, 2**-3, 1, 2),
        (ml_dtypes.float8_e5m2, 2**-2, 1, 2),
    ],
)
def test_each_type_has_its_own_tolerance(kind: Any, step: float, passes: int, fails: int) -> None:
    one = np.asarray([1]).astype(kind)
    near, far = (np.asarray([1 + count * step]).astype(kind) for count in (passes, fails))
    assert distance(near, one, Tolerance()).verdict is Verdict.CLOSE
    assert distance(far, one, Tolerance()).verdict is Verdict.DIFFERENT
    assert (distance(near, one, EXACT).ulps, distance(far, one, EXACT).ulps) == (passes, fails)


def test_no_elements_are_equal() -> None:
    assert distance(np.empty((0, 3)), np.empty((0, 3)), EXACT).verdict is Verdict.EQUAL
    assert distance(np.empty((0, 3), np.int64), np.empty((0, 3), np.int64), EXACT).verdict is Verdict.EQUAL


def test_a_scalar_has_no_index() -> None:
    result = distance(np.asarray(2.0), np.asarray(1.0), EXACT)
    assert (result.verdict, result.worst, result.values, result.elements) == (Verdict.DIFFERENT, (), (2.0, 1.0), 1)


def test_four_bits_are_whole_numbers() -> None:
    one, other = (np.asarray([-8, at]).astype(ml_dtypes.int4) for at in (7, 6))
    assert distance(one, one, EXACT).verdict is Verdict.EQUAL
    assert distance(one, other, EXACT).max_abs == 1


def test_quantiles_are_numpys() -> None:
    gaps = np.random.default_rng(0).permutation(np.arange(1000.0))
    result = distance(gaps, np.zeros(1000), EXACT)
    shares = (0.5, 0.9, 0.99, 1)
    assert result.quantiles == tuple(np.quantile(gaps, shares, method="inverted_cdf"))
    assert not result.sampled


def test_quantiles_of_a_large_array_are_near_and_the_greatest_is_exact() -> None:
    gaps = np.random.default_rng(0).random(300_000)
    result = distance(gaps, np.zeros(300_000), EXACT)
    assert result.sampled
    assert result.quantiles == pytest.approx((0.5, 0.9, 0.99, gaps.max()), abs=0.02)
    assert result.quantiles[-1] == gaps.max()


def test_the_cosine_is_that_of_the_angle() -> None:
    assert distance(f32(1, 0), f32(0, 1), EXACT).cosine == 0
    assert distance(f32(-2, -4), f32(1, 2), EXACT).cosine == pytest.approx(-1)
    near = distance(f32(1, 1e-4), f32(1, 0), EXACT)
    assert 1 - near.cosine == pytest.approx(5e-9, rel=1e-6)  # half the square of the angle


def test_numbers_whose_squares_float32_does_not_hold_have_a_cosine() -> None:
    for size in (1e-30, 1e30):
        assert distance(f32(size, 0), f32(size, size), EXACT).cosine == pytest.approx(2**-0.5)


def test_differences_that_float32_does_not_hold_are_finite() -> None:
    result = distance(f32(3e38, 1), f32(-3e38, 1), EXACT)
    assert result.max_abs == 2 * float(np.float32(3e38))


def slowly(actual: np.ndarray, expected: np.ndarray, rtol: float, atol: float) -> tuple[int, float, float]:
    """Mismatches, greatest difference and rtol needed, element by element in Python's own numbers."""
    kind = complex if actual.dtype.kind == "c" else float
    mismatches, greatest, needed = 0, 0.0, 0.0
    for a, b in zip(map(kind, actual.ravel()), map(kind, expected.ravel()), strict=True):
        if a == b or (a != a and b != b):
            continue
        gap = abs(a - b)
        if not math.isfinite(gap):
            mismatches, greatest, needed = mismatches + 1, math.inf, math.inf
            continue
        mismatches += gap > atol + rtol * abs(b)
        greatest = max(greatest, gap)
        if gap > atol:
            needed = max(needed, (gap - atol) / abs(b) if b else math.inf)
    return mismatches, greatest, needed


KINDS = (np.float16, np.float32, np.float64, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, np.complex64, np.complex128)


@given(st.data(), st.sampled_from(KINDS), st.sampled_from([0.0, 1e-6, 1e-3, 0.5]), st.sampled_from([0.0, 1e-6, 0.1]))
def test_the_rule_is_torchs_for_every_type(data: st.DataObject, kind: Any, rtol: float, atol: float) -> None:
    wide = np.complex128 if np.dtype(kind).kind == "c" else np.float64
    few = data.draw(st.integers(1, 12))
    expected = data.draw(arrays.arrays(wide, few, elements={"max_magnitude": 1e3} if wide is np.complex128 else None))
    factor = data.draw(arrays.arrays(np.float64, few, elements=st.sampled_from([1, 1, 1 + 1e-6, 1 + 1e-3, 1.5, -1])))
    with np.errstate(all="ignore"):
        expected = expected.astype(kind)
        actual = (expected.astype(wide) * factor).astype(kind)
        result = distance(actual, expected, Tolerance(rtol, atol))
        mismatches, greatest, needed = slowly(actual, expected, rtol, atol)
    assert (result.mismatches, result.max_abs) == (mismatches, pytest.approx(greatest, rel=1e-15))
    assert result.needed_rtol == pytest.approx(needed, rel=1e-14)
    assert result.verdict.passed == (not mismatches)


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(0, 1), st.floats(0, 1))
def test_the_rule_is_torchs(a: float, b: float, rtol: float, atol: float) -> None:
    result = distance(np.asarray([a]), np.asarray([b]), Tolerance(rtol, atol))
    assert result.verdict.passed == (abs(a - b) <= atol + rtol * abs(b))


def lazy(array: np.ndarray, sizes: list[int]) -> Lazy:
    """An array in pieces of these sizes, over and over."""

    def pieces() -> Any:
        flat, at, turn = array.reshape(-1), 0, 0
        while at < len(flat):
            size = sizes[turn % len(sizes)]
            yield flat[at : at + size]
            at, turn = at + size, turn + 1

    return Lazy(array.shape, array.dtype, pieces)


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32, ml_dtypes.bfloat16])
@pytest.mark.parametrize("sizes", [[1000], [BLOCK], [3 * BLOCK + 1, 7, 1], [10**9]])
def test_how_arrays_are_cut_changes_nothing(kind: Any, sizes: list[int]) -> None:
    drawn = np.random.default_rng(3).standard_normal((300, 401)) * 100
    expected = drawn.astype(kind)
    actual = expected.copy()
    actual[1::7] = (drawn[1::7] * 1.01).astype(kind)
    actual[250, 17] += np.asarray(50).astype(kind)
    result = distance(actual, expected, Tolerance())
    cut = distance(lazy(actual, sizes), lazy(expected, [4099, 64]), Tolerance())
    assert exact_figures(cut) == exact_figures(result)
    assert cut.cosine == pytest.approx(result.cosine, abs=1e-9)
    assert result.max_abs == np.abs(actual.astype(np.float64) - expected.astype(np.float64)).max()


def exact_figures(actual: Distance) -> tuple[Any, ...]:
    return (
        *(actual.verdict, actual.max_abs, actual.max_rel, actual.needed_rtol, actual.mismatches, actual.worst),
        *(actual.values, actual.ulps, actual.elements),
    )


def test_what_is_wrong_with_a_file_is_met_while_it_is_judged() -> None:
    """A checksum is compared before the last piece is given, or after it."""

    def damaged() -> Any:
        yield f32(1, 2)
        raise OSError("damaged")

    with pytest.raises(OSError, match="damaged"):
        distance(Lazy((2,), np.dtype(np.float32), damaged), f32(1, 2), Tolerance())


def test_an_array_that_lies_otherwise_in_memory_is_the_same() -> None:
    array = np.random.default_rng(0).standard_normal((300, 500)).astype(np.float32)
    turned = np.asfortranarray(array)
    assert distance(turned, array, EXACT).verdict is Verdict.EQUAL
    turned[299, 499] += 1
    assert distance(turned, array, EXACT).worst == (299, 499)


def test_a_million_numbers_are_judged_in_little_memory() -> None:
    import tracemalloc

    one = Lazy((16 << 20,), np.dtype(np.float32), lambda: (np.full(1 << 20, at, np.float32) for at in range(16)))
    other = Lazy((16 << 20,), np.dtype(np.float32), lambda: (np.full(1 << 20, at + 1, np.float32) for at in range(16)))
    tracemalloc.start()
    result = distance(one, other, Tolerance())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (result.mismatches, result.max_abs) == (16 << 20, 1.0)
    assert most < 24 << 20  # of 2 x 64 MB


def test_float64_that_went_through_float32_does_not_pass() -> None:
    values = np.random.RandomState(0).rand(8)
    assert distance(values.astype(np.float32).astype(np.float64), values, Tolerance()).verdict is Verdict.DIFFERENT
