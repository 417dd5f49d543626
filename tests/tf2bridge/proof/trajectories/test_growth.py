"""How a difference grows: programs of known growth, computed in float32 beside float64."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.numbers.distance import Distance
from tf2bridge.proof.numbers.tolerance import Verdict
from tf2bridge.proof.trajectories.control import control, disturbed
from tf2bridge.proof.trajectories.growth import Form, Growth, Reading, growth
from tf2bridge.proof.trajectories.series import Series, gap, of_gaps, of_rows


def of_values(name: str, ours: Mapping[int, Any], theirs: Mapping[int, Any]) -> Series:
    """The series of a quantity that is known at the same steps on both sides: step -> value."""
    steps = sorted(set(ours) & set(theirs))
    return of_gaps(name, tuple(steps), [gap(ours[step], theirs[step]) for step in steps])


def iterated(step: Callable[[Any, int], Any], start: Any, count: int) -> dict[int, Any]:
    values = {0: start}
    for number in range(1, count):
        values[number] = step(values[number - 1], number)
    return values


def of_both(step: Callable[[Any, int], Any], start: Any, count: int) -> Growth:
    """The growth of the difference of one program in float32 and in float64."""
    single, double = (iterated(step, np.asarray(start, dtype), count) for dtype in (np.float32, np.float64))
    return growth(of_values("x", single, double))


def test_the_logistic_map_is_chaos_of_its_known_exponent() -> None:
    # The Lyapunov exponent of x -> 4 x (1 - x) is ln 2 (Ott, Chaos in Dynamical Systems, sect. 2.2); of many starts the
    # rates average to it.
    starts = np.random.default_rng(0).uniform(0.1, 0.9, 24)
    growths = [of_both(lambda x, _: x.dtype.type(4) * x * (1 - x), start, 40) for start in starts]
    assert {growth.form for growth in growths} == {Form.EXPONENTIAL}
    assert {growth.reading for growth in growths} == {Reading.CHAOS}
    assert np.mean([growth.rate for growth in growths]) == pytest.approx(math.log(2), rel=0.1)
    assert np.mean([math.log(2) / growth.rate for growth in growths]) == pytest.approx(1, rel=0.15)


def test_sums_add_rounding_up_as_a_power() -> None:
    draws = np.random.default_rng(0).random(5_000)
    result = of_both(lambda x, number: x + x.dtype.type(draws[number]), 0.0, 5_000)
    assert result.reading is Reading.ROUNDING
    assert result.form is Form.POWER
    assert 0 < result.rate < 2


def test_a_descent_that_converges_stays_level() -> None:
    result = of_both(lambda x, _: x - x.dtype.type(0.1) * (x - x.dtype.type(3)), 10.0, 300)
    assert result.reading is Reading.ROUNDING
    assert result.series.relative[-1] < 1e-6


@pytest.mark.parametrize("at", [1, 30])
def test_a_changed_step_is_a_fault_where_it_was_changed(at: int) -> None:
    def descent(rate: float, x: Any) -> Any:
        return x - x.dtype.type(rate) * x * x.dtype.type(0.01)

    start = np.float32(1.0)
    ours = iterated(lambda x, number: descent(0.2 if number >= at else 0.1, x), start, 60)
    theirs = iterated(lambda x, _: descent(0.1, x), np.float64(1.0), 60)
    result = growth(of_values("x", ours, theirs))
    assert (result.reading, result.step) == (Reading.FAULT, at)
    assert f"at {at}" in result.why


def test_a_fault_of_a_chaotic_program_is_not_taken_for_its_chaos() -> None:
    def run(start: Any, changed: float) -> dict[int, Any]:
        return iterated(lambda x, n: x.dtype.type(changed if n == 8 else 4) * x * (1 - x), start, 40)

    starts = np.linspace(0.1, 0.9, 50, dtype=np.float32)
    result = growth(of_values("x", run(starts, 3.99), run(starts.astype(np.float64), 4)))
    assert (result.reading, result.step) == (Reading.OPEN, 8)
    assert "unlike the others" in result.why
    assert growth(of_values("x", run(starts, 4), run(starts.astype(np.float64), 4))).reading is Reading.CHAOS


def test_nothing_is_said_of_equal_runs_and_of_too_few_steps() -> None:
    equal = growth(of_values("x", {0: 1.0, 1: 2.0}, {0: 1.0, 1: 2.0, 2: 3.0}))
    assert (equal.reading, equal.form, equal.series.steps) == (Reading.EQUAL, Form.NONE, (0, 1))
    few = growth(Series("x", (0, 1), (1e-4, 2e-4)))
    assert few.reading is Reading.FAULT  # 1e-4 at the first step is 1,600 roundings
    assert growth(Series("x", (0, 1), (2e-5, 4e-5))).reading is Reading.OPEN


def test_an_infinite_difference_is_a_fault() -> None:
    assert growth(of_values("x", {0: 1.0, 1: np.nan}, {0: 1.0, 1: 2.0})).reading is Reading.FAULT
    assert of_values("x", {0: np.nan, 1: np.inf}, {0: np.nan, 1: np.inf}).relative == (0.0, 0.0)


def test_a_control_tells_a_small_fault_from_rounding() -> None:
    """A fault of 3e-6 in one constant grows as rounding does; the old program disturbed by an ulp does not reach it."""

    def run(start: Any, constant: float) -> dict[int, Any]:
        return iterated(lambda x, _: x.dtype.type(constant) * x * (1 - x), start, 25)

    start = np.linspace(0.1, 0.9, 50, dtype=np.float32)
    moved = [disturbed({"x": start}, seed)["x"] for seed in range(4)]
    assert np.abs(moved[0] - start).max() == 2.0**-24  # an ulp of numbers between 0.5 and 1
    old = run(start, 4)
    controls = [of_values("x", run(item, 4), old) for item in moved]
    rounding = of_values("x", iterated(lambda x, _: 4 * (x - x * x), start, 25), old)
    assert control(rounding, controls).explained
    fault = of_values("x", run(start, 4 * (1 + 3e-6)), old)
    assert growth(fault).reading is Reading.CHAOS
    result = control(fault, controls)
    assert (result.explained, result.step) == (False, 2)


def test_controls_must_have_the_same_steps() -> None:
    with pytest.raises(ValueError, match="other steps"):
        control(Series("x", (0, 1), (0.0, 0.0)), [Series("x", (0, 2), (0.0, 0.0))])
    with pytest.raises(ValueError, match="no control"):
        control(Series("x", (0, 1), (0.0, 0.0)), [])


def test_what_is_zero_or_no_float_is_not_disturbed() -> None:
    moved = disturbed({"w": np.asarray([0, 1, -2], np.float32), "n": np.asarray([3])}, 0)
    assert moved["n"].tolist() == [3]
    assert moved["w"][0] == 0
    assert np.abs(moved["w"][1:] / np.asarray([1, -2], np.float32) - 1).max() <= 2.0**-23


def test_series_are_of_what_was_fetched_more_than_once() -> None:
    def row(kind: str, call: int | None, tensor: str, relative: float, verdict: Verdict = Verdict.CLOSE) -> Comparison:
        return Comparison(kind, call, tensor, "", "", (), Distance(verdict, max_abs=2 * relative, max_rel=relative))

    rows = [
        row("initial", None, "w", 0.0),
        row("fetch", 1, "loss:0", 1e-7),
        row("fetch", 1, "once:0", 1e-7),
        row("fetch", 2, "loss:0", 2e-7),
        row("fetch", 2, "loss:0", 3e-7),
        row("fetch", 3, "loss:0", 0.0, Verdict.MISSING),
        row("feed", 2, "x:0", 0.0),
        row("feed", 3, "x:0", 0.0),
    ]
    assert of_rows(rows) == [Series("loss:0", (1, 2), (1e-7, 3e-7))]
