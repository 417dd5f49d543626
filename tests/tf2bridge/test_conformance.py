"""What `tf2bridge.v0` and `tf2bridge.v1` compute equals what genuine TensorFlow computed, case by case.

The cases lie in fixtures/conformance/RELEASE/AREA.txt, what the genuine release computed beside them; evaluate.py there
says what is recorded. Ours compute as the processor that TF2BRIDGE_PROCESSOR names.
"""

from __future__ import annotations

import functools
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import processors

CONFORMANCE = Path(__file__).resolve().parents[2] / "fixtures" / "conformance"
sys.path.insert(0, str(CONFORMANCE))
from compare import check_equal, fits, tolerance  # noqa: E402  # beside the data
from record import QUIET, areas, evaluated, expected, interpreter  # noqa: E402

AREAS = areas()
BATCHES = 4  # processes; importing TensorFlow takes longer than most areas


@functools.cache
def batch(area: str) -> str:
    """Which areas share a process: those of a release, a few at a time."""
    release = Path(area).parts[0]
    same = [area for area in AREAS if Path(area).parts[0] == release]
    return f"{release} {same.index(area) % BATCHES}" if len(same) > BATCHES else release


CASES = [
    pytest.param(area, case, id=f"{area}: {case}", marks=pytest.mark.xdist_group(batch(area)))
    for area in AREAS
    for case in expected(area)
]


@functools.cache
def genuine(area: str) -> dict[str, Any]:
    return expected(area)


@pytest.fixture
def chosen(request: pytest.FixtureRequest) -> frozenset[str]:
    """The areas of the tests that were asked for, of the function that asks."""
    return areas_of(request.session, request.node.originalname)


@functools.cache
def areas_of(session: pytest.Session, function: str) -> frozenset[str]:
    calls = (getattr(item, "callspec", None) for item in session.items if item.name.startswith(f"{function}["))
    return frozenset(str(call.params["area"]) for call in calls if call is not None and "area" in call.params)


@functools.cache
def results(python: str, module: str, together: tuple[str, ...]) -> dict[str, dict[str, Any]] | RuntimeError:
    """What all cases of some areas compute. A process that ends early is an answer too, so that it is not run again."""
    processor = "" if module == "tensorflow" else processors.chosen()
    try:
        lines = evaluated(python, together, module, environment={**QUIET, **processors.switches(processor)})
    except RuntimeError as error:
        return error
    return {area: dict(json.loads(line) for line in item) for area, item in zip(together, lines, strict=True)}


def computed(python: str | Path, module: str, area: str, chosen: frozenset[str]) -> dict[str, Any]:
    """What the cases of an area compute; those of its batch are evaluated with it."""
    together = tuple(sorted(choice for choice in chosen if batch(choice) == batch(area)))
    computed_together = results(str(python), module, together)
    if isinstance(computed_together, RuntimeError):
        raise computed_together
    return computed_together[area]


@pytest.mark.parametrize(("area", "case"), CASES)
def test_case_equals_genuine(area: str, case: str, chosen: frozenset[str]) -> None:
    module = "tf2bridge.v0" if area.startswith("0.") else "tf2bridge.v1"
    result, theirs = computed(sys.executable, module, area, chosen)[case], genuine(area)[case]
    assert "error" not in result, result["error"]
    for part in ("variables", "collections"):
        assert result.get(part) == theirs.get(part), part
    for one, two in zip(result.get("shapes", ()), theirs.get("shapes", ()), strict=True):
        assert fits(one, two), f"static shape {one}, not {two}"
    names = [name for name, *_ in theirs.get("variables", ())]
    unequal = [n for n, a, b in zip(names, result.get("initial", ()), theirs.get("initial", ()), strict=True) if a != b]
    assert not unequal, f"initial values of {', '.join(unequal)}"
    check_equal(result["value"], theirs["value"], tolerance(case))
    check_equal(result.get("gradients"), theirs.get("gradients"), tolerance(case))


LONG = {f"1.15.5/{name}" for name in ("estimator_heads", "slim_inception", "keras_recurrent", "rnn_private")}
"""Areas that take genuine TensorFlow as long as all others of their batch together."""


def usual(area: str) -> bool:
    """Whether the genuine release is asked again in every run: for a sixteenth of the areas, save the long ones."""
    release = Path(area).parts[0]
    same = [area for area in AREAS if Path(area).parts[0] == release]
    return area not in LONG and (len(same) <= BATCHES or same.index(area) % (4 * BATCHES) == 0)


@pytest.mark.oracle
@pytest.mark.parametrize(
    "area",
    [
        pytest.param(area, marks=[pytest.mark.xdist_group(batch(area)), *([] if usual(area) else [pytest.mark.soak])])
        for area in AREAS
    ],
)
def test_recorded_results_are_those_of_the_release(area: str, chosen: frozenset[str]) -> None:
    python = interpreter(area)
    if not python.exists():
        pytest.skip(f"no genuine TensorFlow at {python}: run fixtures/oracles.sh")
    again = computed(python, "tensorflow", area, chosen)
    assert list(again) == list(genuine(area))
    for case, theirs in genuine(area).items():
        assert again[case].get("variables") == theirs.get("variables"), case
        check_equal(again[case]["value"], theirs["value"], tolerance(case))
