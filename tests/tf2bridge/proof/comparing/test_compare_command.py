"""`tf2bridge compare`, as a user calls it."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.tf2bridge.proof.comparing.files import checkpoint, trace, written
from tests.tf2bridge.proof.comparing.live import keras_model


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("command")


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tf2bridge", "compare", *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)


def test_equal_is_status_0_and_says_how_equal(parent: Path) -> None:
    old = checkpoint("1.15.5/mlp_adam", parent)
    done = run(old, old)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == f"A, what is expected: {old} (V2 checkpoint)"
    assert lines[1] == f"B, held against it:  {old} (V2 checkpoint)"
    assert lines[-1] == "EQUAL: 15 tensors, bit for bit"


def test_a_difference_is_status_1_and_shows_both_values(tmp_path: Path) -> None:
    values = np.linspace(0, 1, 8, dtype=np.float32)
    np.savez(tmp_path / "a.npz", w=values, same=values)
    changed = values.copy()
    changed[3] = 2.5
    np.savez(tmp_path / "b.npz", w=changed, same=values, extra=values)
    done = run(tmp_path / "a.npz", tmp_path / "b.npz")
    assert done.returncode == 1
    assert "NOT EQUAL: 1 of 2 tensors differ, 1 are on one side only" in done.stdout
    assert "worst at [3]: A 0.428571433, B 2.5" in done.stdout
    assert "only in B: extra" in done.stdout
    assert run(tmp_path / "a.npz", tmp_path / "b.npz", "--subset", "--tensors", "s*").returncode == 0
    assert run(tmp_path / "a.npz", tmp_path / "b.npz", "--subset", "--atol", "2.1").returncode == 0
    assert run(tmp_path / "a.npz", tmp_path / "b.npz", "--subset", "--rtol", "2").returncode == 1


def test_json_has_all_figures(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", w=np.asarray([1.0, np.nan]))
    np.savez(tmp_path / "b.npz", w=np.asarray([2.0, np.nan]))
    done = run(tmp_path / "a.npz", tmp_path / "b.npz", "--output-format", "json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["equal"], report["expected"]) == (1, False, "a")
    assert report["a"] == {"name": str(tmp_path / "a.npz"), "kind": "npz checkpoint", "only": []}
    (row,) = report["rows"]
    assert (row["verdict"], row["actual"], row["expected"], row["nans"]) == ("different", 2.0, 1.0, [1, 1])
    assert (row["needed_rtol"], row["needed_atol"]) == (1 - 1e-12, 1.0)
    assert row["quantiles"] == {"50": 0.0, "90": 1.0, "99": 1.0, "100": 1.0}
    assert row["ulps"] == 2**52
    differing = run(tmp_path / "a.npz", tmp_path / "a.npz", "--nan-differs", "--output-format", "json")
    assert json.loads(differing.stdout)["rows"][0]["max_abs"] == "inf"


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("nowhere", "nowhere"), "nowhere: no such file or code to compare"),
        (("os:getpid", "A"), "int: it has neither values by names nor inputs and outputs"),
        (("A", "A", "--inputs", "random:0"), "it is an npz checkpoint with no graph or model beside it"),
        (("A", "A", "--match", "plan"), "no plan is given; name its file with --plan"),
        (("A", "A", "--tensors", "x*"), "--tensors x*: no tensor of either side has such a name; there are w"),
        (("A", "A", "--rtol", "-1"), "Invalid value for '--rtol'"),
    ],
)
def test_wrong_input_is_status_2_and_one_line(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", w=np.ones(2))
    done = run(*(str(tmp_path / "a.npz") if argument == "A" else argument for argument in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_trace_and_a_graph() -> None:
    done = run(trace("freeze_script"), written("freeze_script", "frozen.pb"), "--subset")
    assert done.returncode == 0
    assert "2 of 13 recorded calls are computed again" in done.stdout
    assert "EQUAL within tolerance: 5 tensors, 3 bit for bit" in done.stdout


def test_of_many_tensors_those_that_passed_share_a_line(tmp_path: Path) -> None:
    many = {f"layer_{number}/w": np.full(3, number, np.float32) for number in range(500)}
    np.savez(tmp_path / "a.npz", **many)
    np.savez(tmp_path / "b.npz", **{**many, "layer_7/w": np.zeros(3, np.float32)})
    done = run(tmp_path / "a.npz", tmp_path / "b.npz")
    assert len(done.stdout.splitlines()) < 20
    assert "layer_0/w and 498 more" in done.stdout
    assert "layer_7/w" in done.stdout


def test_where_no_name_pairs_the_commands_that_pair_are_said_and_work(tmp_path: Path) -> None:
    """The model of the old code lay in another scope, and a .keras file has no names of variables at all."""
    model = keras_model()
    values = {variable.path: np.random.rand(*variable.shape).astype(np.float32) for variable in model.variables}
    model.set_weights(list(values.values()))
    model.save(tmp_path / "new model.keras")
    np.savez(tmp_path / "old.npz", **{f"sequential_5/{name}": value for name, value in values.items()})
    np.savez(tmp_path / "plain.npz", **values)
    scoped = run(tmp_path / "old.npz", tmp_path / "plain.npz")
    assert scoped.returncode == 0
    assert "matched by name without the scope sequential_5/ of A: 3" in scoped.stdout
    unpaired = run(tmp_path / "old.npz", tmp_path / "new model.keras")
    assert unpaired.returncode == 1
    commands = [line.strip() for line in unpaired.stdout.splitlines() if line.startswith("  tf2bridge ")]
    assert [line.split()[1] for line in commands] == ["plan", "compare"]
    for line in commands:
        arguments = shlex.split(line)[1:]
        done = subprocess.run(
            [sys.executable, "-m", "tf2bridge", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "EQUAL: 3 tensors, bit for bit"
