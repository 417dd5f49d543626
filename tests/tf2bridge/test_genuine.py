"""What `tf2bridge.v0` and `tf2bridge.v1` compute equals what genuine 0.12.1 and 1.15.5 computed."""

from __future__ import annotations

import functools
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tf2bridge.v0.parameters import CLASSES, FUNCTIONS

GENUINE = Path(__file__).parent / "genuine"
sys.path.insert(0, str(GENUINE))
from rebuild import RELEASES, evaluated, interpreter  # noqa: E402  # beside the data it makes

NAMESPACES = {"0.12.1": "tf2bridge.v0", "1.15.5": "tf2bridge.v1"}
NOT_COMPARED = {
    "train.SyncReplicasOptimizer": "it needs a cluster",
    "train.MonitoredTrainingSession": "it is a session, not a value",
}


@functools.cache
def genuine(release: str) -> dict[str, Any]:
    return json.loads((GENUINE / f"{release}.json").read_text())


@functools.cache
def ours(release: str) -> dict[str, Any]:
    return evaluated(sys.executable, release, NAMESPACES[release])


def check_equal(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, list):
        assert len(ours) == len(theirs)
        for one, two in zip(ours, theirs, strict=True):
            check_equal(one, two)
    elif isinstance(theirs, float):
        np.testing.assert_allclose(ours, theirs, rtol=2e-6, atol=1e-7)
    else:
        assert ours == theirs


@pytest.mark.parametrize(
    ("release", "case"), [(release, case) for release in RELEASES for case in genuine(release)], ids=str
)
def test_case_equals_genuine(release: str, case: str) -> None:
    found, expected = ours(release)[case], genuine(release)[case]
    assert "error" not in found, found["error"]
    assert found["variables"] == expected["variables"]
    check_equal(found["value"], expected["value"])


@pytest.mark.parametrize("name", [*FUNCTIONS, *CLASSES])
def test_every_old_parameter_list_has_a_case(name: str) -> None:
    assert name in NOT_COMPARED or name in genuine("0.12.1")


@pytest.mark.oracle
@pytest.mark.parametrize("release", RELEASES)
def test_genuine_results_are_those_of_the_release(release: str) -> None:
    python = interpreter(release)
    if not python.exists():
        pytest.skip(f"no genuine TensorFlow {release} at {python}: run fixtures/oracles.sh")
    again = evaluated(str(python), release, "tensorflow")
    assert again.keys() == genuine(release).keys()
    for case, expected in genuine(release).items():
        assert again[case]["variables"] == expected["variables"], case
        check_equal(again[case]["value"], expected["value"])
