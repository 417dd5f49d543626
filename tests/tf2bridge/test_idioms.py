"""The idioms of TensorFlow 1.x programs with v2 behaviour left on, in graphs of their own within an eager process.

With v2 behaviour off they are cases like all others: test_conformance.py. What cannot be the same with resource
variables, functional control flow and integer sizes is listed in fixtures/conformance/idioms_v2.toml with its reason.
"""

from __future__ import annotations

import functools
import json
import sys
from pathlib import Path
from typing import Any

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CONFORMANCE = Path(__file__).resolve().parents[2] / "fixtures" / "conformance"
sys.path.insert(0, str(CONFORMANCE))
from compare import check_equal, tolerance  # noqa: E402  # beside the data
from record import evaluated, expected  # noqa: E402

AREAS = sorted(f"1.15.5/{path.stem}" for path in CONFORMANCE.glob("1.15.5/idioms_*.txt"))
CASES = [
    pytest.param(area, case, id=f"{area}: {case}", marks=pytest.mark.xdist_group("idioms v2"))
    for area in AREAS
    for case in expected(area)
]


@functools.cache
def otherwise() -> dict[str, str]:
    reasons: dict[str, str] = tomllib.loads((CONFORMANCE / "idioms_v2.toml").read_text(encoding="utf-8"))
    return reasons


@functools.cache
def ours() -> dict[str, dict[str, Any]]:
    """What the cases of each area give in an eager process."""
    lines = evaluated(sys.executable, AREAS, "tf2bridge.v1", "v2")
    return {area: dict(json.loads(line) for line in item) for area, item in zip(AREAS, lines, strict=True)}


@pytest.mark.parametrize(("area", "case"), CASES)
def test_case_equals_genuine_with_v2_behaviour(area: str, case: str) -> None:
    if case in otherwise():
        pytest.skip(otherwise()[case])
    result, theirs = ours()[area][case], expected(area)[case]
    assert "error" not in result, result["error"]
    assert [name for name, *_ in result.get("variables", ())] == [name for name, *_ in theirs.get("variables", ())]
    check_equal(result["value"], theirs["value"], tolerance(case))
    if theirs.get("gradients"):  # genuine TensorFlow takes none of references themselves
        check_equal(result["gradients"], theirs["gradients"], tolerance(case))


def test_every_exception_is_a_case() -> None:
    assert set(otherwise()) <= {case for area in AREAS for case in expected(area)}


def test_there_are_as_many_idioms_as_were_counted() -> None:
    assert sum(len(expected(area)) for area in AREAS) >= 122  # the research notes on TF 1.x programs
