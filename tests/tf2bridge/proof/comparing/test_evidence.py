"""A verdict counts what was compared: rows that cannot differ, or that are fewer than was asked for, prove nothing."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from tests.tf2bridge.proof.traces.damaging import GENUINE, edited
from tf2bridge.cli import cli
from tf2bridge.proof.comparing import runs
from tf2bridge.proof.comparing.any_two import compare
from tf2bridge.proof.comparing.inputs import Batch
from tf2bridge.proof.comparing.outcome import Compared
from tf2bridge.proof.comparing.rows import first_divergence
from tf2bridge.proof.numbers.refusals import ToleranceError
from tf2bridge.proof.numbers.tolerance import DEFAULT, Tolerance, Verdict
from tf2bridge.proof.reporting.comparison_text import summary
from tf2bridge.proof.reporting.page import dumps
from tf2bridge.proof.reporting.pages import of_compared
from tf2bridge.proof.testing.equivalence import assert_equivalent
from tf2bridge.proof.testing.refusals import NotEquivalentError
from tf2bridge.proof.traces.reader import Trace

ONES = np.ones(3)
HOLLOW = {
    "nothing": {},
    "an empty array": {"w": np.zeros((0, 3))},
    "an empty integer array": {"w": np.zeros((3, 0), np.int64)},
    "empty texts": {"w": np.zeros(0, object)},
    "NaN alone": {"w": np.full(3, np.nan)},
    "complex NaN alone": {"w": np.full(3, np.nan + 1j)},
    "NaN, and an empty array": {"w": np.full(3, np.nan, np.float16), "v": np.zeros(0)},
}


def check_unproven(actual: Compared, message: str = "") -> None:
    """Neither the verdict nor any form of it says that both are equal."""
    assert not actual.equal
    assert "EQUAL" not in summary(actual).replace("NOT EQUAL", "")
    assert message in actual.unproven
    assert 'class="verdict equal"' not in dumps(of_compared(actual))
    assert not of_compared(actual).equal


@pytest.mark.parametrize("values", HOLLOW.values(), ids=HOLLOW)
def test_what_cannot_differ_proves_nothing(values: dict[str, Any]) -> None:
    comparison = compare(values, values)
    assert first_divergence(comparison.rows) is None
    check_unproven(comparison)
    with pytest.raises(NotEquivalentError):
        assert_equivalent(values, values)
    with pytest.raises(NotEquivalentError):
        assert_equivalent(lambda: values, lambda: values)


def test_beside_other_tensors_it_is_named() -> None:
    values = {"w": ONES, "empty": np.zeros(0), "nan": np.full(2, np.nan), "some": np.asarray([1.0, np.nan])}
    comparison = compare(values, values)
    assert comparison.equal
    assert comparison.notes == ("empty, nan: empty, or NaN alone on both sides, which proves nothing",)


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_command_is_status_1(form: str, tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", w=np.full(3, np.nan))
    done = CliRunner().invoke(
        cli, ["compare", *[str(tmp_path / "a.npz")] * 2, "--output-format", form], standalone_mode=False
    )
    assert done.exception is None
    assert done.return_value == 1
    if form == "json":
        assert (json.loads(done.stdout)["equal"], bool(json.loads(done.stdout)["unproven"])) == (False, True)
    else:
        assert done.stdout.splitlines()[-1].startswith("NOT PROVEN: what was compared is equal, but all that")


def test_a_pattern_of_which_nothing_was_compared_is_no_success() -> None:
    a, b = {"w": ONES, "old": ONES}, {"w": ONES}
    assert compare(a, b, names=["w"]).equal
    check_unproven(compare(a, b, names=["w", "old"], subset=True), "--tensors old: no tensor that both sides have")
    check_unproven(compare(a, b, names=["old"], subset=True))


def test_an_output_that_one_side_does_not_give_is_missing() -> None:
    batch = Batch({}, {})
    rows = list(runs.rows_of([("x", "x"), ("y", "z")], {"x": ONES, "y": ONES}, {"x": ONES}, batch, DEFAULT))
    assert [(row.tensor, row.distance.verdict) for row in rows] == [("x", Verdict.EQUAL), ("y", Verdict.MISSING)]
    assert rows[1].distance.note == "B gives no value for it"


@pytest.mark.parametrize("value", [math.nan, math.inf, -1.0, -math.inf])
@pytest.mark.parametrize("name", ["rtol", "atol"])
def test_no_tolerance_lets_everything_pass(name: str, value: float, tmp_path: Path) -> None:
    with pytest.raises(ToleranceError, match=name):
        Tolerance(**{name: value})
    with pytest.raises(ToleranceError):
        assert_equivalent({"w": ONES}, {"w": ONES + 1}, **{name: value})
    np.savez(tmp_path / "a.npz", w=ONES)
    np.savez(tmp_path / "b.npz", w=ONES + 1)
    paths = str(tmp_path / "a.npz"), str(tmp_path / "b.npz")
    done = CliRunner().invoke(cli, ["compare", *paths, f"--{name}={value}"])
    assert done.exit_code != 0


def stopped(manifest: dict[str, Any]) -> None:
    manifest["stopped"] = {"reason": "calls", "call": 29}


def killed(manifest: dict[str, Any]) -> None:
    manifest["exit"] = None


def failed(manifest: dict[str, Any]) -> None:
    manifest["exit"]["status"] = 3


CUT = {
    stopped: "the recording was stopped at its limit of calls, call 29",
    killed: "the recorded program was killed after call 28",
    failed: "the program ended with status",
}


@pytest.mark.parametrize("change, message", CUT.items(), ids=[change.__name__ for change in CUT])
def test_a_recording_that_is_cut_or_ended_otherwise_proves_nothing(
    change: Callable[[dict[str, Any]], None], message: str, tmp_path: Path
) -> None:
    cut = edited(tmp_path / "cut.trace", change)
    for pair in ((GENUINE, cut), (cut, GENUINE)):
        comparison = compare(*pair)
        assert len(comparison.rows) > 100
        assert first_divergence(comparison.rows) is None
        check_unproven(comparison, message)
    assert compare(GENUINE, GENUINE).equal


def test_programs_that_fail_in_different_ways_prove_nothing(tmp_path: Path) -> None:
    def failing(error: str) -> Path:
        def change(manifest: dict[str, Any]) -> None:
            manifest["exit"] = {"status": 1, "error": error}

        return edited(tmp_path / f"{error[:3]}.trace", change)

    one = failing("KeyError: 'x'")
    assert compare(one, one).equal
    check_unproven(compare(one, failing("TypeError: no")), "TypeError: no now, and with KeyError: 'x' when")


def test_fewer_calls_are_a_difference_and_a_subset_says_how_many(tmp_path: Path) -> None:
    def shortened(manifest: dict[str, Any]) -> None:
        manifest["calls"] = manifest["calls"][:10]

    few = edited(tmp_path / "few.trace", shortened)
    assert not compare(GENUINE, few).equal
    comparison = compare(GENUINE, few, subset=True)
    assert any("are on one side only, which is no difference in a subset" in note for note in comparison.notes)


def test_calls_that_fail_in_different_ways_differ(tmp_path: Path) -> None:
    def failing(kind: str) -> Path:
        def change(manifest: dict[str, Any]) -> None:
            call = manifest["calls"][5]
            call["error"] = f"{kind}: it went wrong"
            call["fetches"] = [{**fetch, "value": None} for fetch in call["fetches"]]

        return edited(tmp_path / f"{kind}.trace", change)

    one, other = failing("OutOfRangeError"), failing("InvalidArgumentError")
    assert compare(one, one).equal
    bad = first_divergence(compare(one, other).rows)
    assert bad is not None
    assert "InvalidArgumentError" in bad.distance.note
    assert compare(failing("AbortedError"), failing("CancelledError")).equal  # which of both is up to threads


def test_calls_that_were_left_out_are_named(tmp_path: Path) -> None:
    def sampled(manifest: dict[str, Any]) -> None:
        manifest["left_out"] = [{"graph": 0, "fetches": ["loss:0"], "calls": 7}]

    part = edited(tmp_path / "part.trace", sampled)
    assert any("7 calls of the program were left out of the recording" in note for note in compare(part, part).notes)


def test_a_trace_without_calls_proves_nothing(tmp_path: Path) -> None:
    def emptied(manifest: dict[str, Any]) -> None:
        manifest["calls"] = []
        for graph in manifest["graphs"]:
            graph["variables"] = []

    empty = edited(tmp_path / "empty.trace", emptied)
    assert not Trace(empty).calls
    check_unproven(compare(empty, empty))
    check_unproven(compare(empty, empty, subset=True))
