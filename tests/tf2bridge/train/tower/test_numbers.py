"""Towers on devices, as replicas in a session and by steps, compute what the loop did in 1.4.1 and 1.15.5."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fixtures.towers.record import CASES, HERE, RELEASES

GENUINE = {release: dict(np.load(Path(HERE) / f"{release}.npz")) for release in RELEASES}
WAYS = ("devices", "replicas", "steps")
ROUNDING = 2e-6
"""17 roundings of float32 of the size of the variables, about 1: sums come in another order on each processor, and
layers with normalizations are off by 1.2e-6 after fifty steps on another one than that which recorded them."""


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, np.ndarray]:
    """WAY/CASE/NAME -> what the programs of cases.py computed; the second one reads checkpoints of the first."""
    folder = tmp_path_factory.mktemp("towers")
    result = {}
    for kind in ("eager", "session"):
        command = [sys.executable, "-m", "tests.tf2bridge.train.tower.cases", kind, str(folder / f"{kind}.npz")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
        result |= dict(np.load(folder / f"{kind}.npz"))
    return result


def part(computed: dict[str, np.ndarray], name: str) -> dict[str, np.ndarray]:
    return {key.removeprefix(f"{name}/"): value for key, value in computed.items() if key.startswith(f"{name}/")}


def check_equal(computed: dict[str, np.ndarray], name: str, case: str, release: str = "1.15.5") -> None:
    """All variables, by their names, and the last losses are those of the case in genuine TensorFlow."""
    genuine = part(GENUINE[release], case)
    result = part(computed, name)
    assert result.keys() == genuine.keys()
    for key, value in result.items():
        expected = genuine[key][-len(value) :] if key == "losses" else genuine[key]
        np.testing.assert_allclose(value, expected, rtol=1e-6, atol=ROUNDING, err_msg=f"{name} {key}")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", CASES)
def test_towers_equal_the_legacy_loop_after_fifty_steps(computed: dict[str, np.ndarray], case: str, way: str) -> None:
    for release in RELEASES:
        check_equal(computed, f"{way}/{case}", case, release)


@pytest.mark.parametrize("way", WAYS)
def test_a_checkpoint_of_the_legacy_loop_is_gone_on_from(computed: dict[str, np.ndarray], way: str) -> None:
    assert len(computed[f"{way}/restored/losses"]) == 25
    check_equal(computed, f"{way}/restored", "momentum-2")


@pytest.mark.parametrize(
    "name", ["averages-from-replicas", "norm-from-replicas", "norm-from-steps", "adam-2-from-steps"]
)
def test_the_legacy_loop_goes_on_from_what_a_strategy_saved(computed: dict[str, np.ndarray], name: str) -> None:
    assert len(computed[f"devices/{name}/losses"]) == 25
    check_equal(computed, f"devices/{name}", name.partition("-from")[0])


@pytest.mark.parametrize("way", ["replicas", "steps"])
@pytest.mark.parametrize("case", ["norm", "fused"])
def test_synchronised_batch_norm_is_that_of_one_tower(computed: dict[str, np.ndarray], case: str, way: str) -> None:
    """The mean loss of two towers, and their variables, are those of genuine TensorFlow with the whole batch in one."""
    for release in RELEASES:
        result, content = part(computed, f"{way}/{case}-synchronised"), part(GENUINE[release], f"{case}-whole")
        mean = {"losses": result["losses"].mean(axis=1, keepdims=True)}
        assert result.keys() == content.keys()
        for key, value in {**result, **mean}.items():
            np.testing.assert_allclose(value, content[key], rtol=1e-6, atol=1e-6, err_msg=key)
    assert np.abs(result["losses"] - GENUINE["1.15.5"]["momentum-2/losses"]).max() > 1e-3


def test_the_recorded_cases_tell_their_choices_apart() -> None:
    """Else equal numbers would say nothing of clipping, batch normalization and moving averages."""
    names = ("momentum-2", "clip-before", "clip-after", "norm", "adam-2", "sgd-2")
    last = [GENUINE["1.15.5"][f"{case}/losses"][-1].mean() for case in names]
    assert min(abs(one - other) for index, one in enumerate(last) for other in last[:index]) > 1e-3
