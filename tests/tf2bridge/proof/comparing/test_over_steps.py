"""Two directories of checkpoints of several steps, as trajectories of weights."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tf2bridge.checkpoint.writing.converting import convert
from tf2bridge.formats.checkpoints.state_file import STATE, write_state
from tf2bridge.proof.comparing.any_two import compare
from tf2bridge.proof.comparing.refusals import NothingInCommonError
from tf2bridge.proof.trajectories.growth import Reading, growths

STEPS = (100, 200, 300, 400, 500)


def written(folder: Path, steps: tuple[int, ...], value_at: Any) -> Path:
    """A directory as a Saver leaves it: model.ckpt-N for each step, and the state file."""
    folder.mkdir()
    for step in steps:
        np.savez(folder / "values.npz", w=value_at(step).astype(np.float32), global_step=np.int64(step))
        convert(folder / "values.npz", folder / f"model.ckpt-{step}", format="saver")
    (folder / "values.npz").unlink()
    write_state(folder / STATE, [(f"model.ckpt-{step}", float(step)) for step in steps])
    return folder


def weights(step: int) -> Any:
    return np.sin(np.arange(1, 9) + step)


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("steps") / "old", STEPS, weights)


def test_every_common_step_is_compared_and_the_others_are_said(old: Path, tmp_path: Path) -> None:
    new = written(tmp_path / "new", (50, 200, 300, 400), weights)
    comparison = compare(old, new)
    assert not comparison.equal
    assert compare(old, new, subset=True).equal
    assert comparison.kinds == ("5 steps, V2 checkpoint", "4 steps, V2 checkpoint")
    assert [(row.tensor, row.step) for row in comparison.rows] == [
        (name, f"step {step}") for step in (200, 300, 400) for name in ("global_step", "w")
    ]
    assert comparison.incomplete == (
        "steps 100, 500 left out: A alone holds a checkpoint there",
        "step 50 left out: B alone holds a checkpoint there",
    )


def test_no_step_in_common_is_refused_and_one_checkpoint_stays_the_newest(old: Path, tmp_path: Path) -> None:
    other = written(tmp_path / "other", (150, 250), weights)
    with pytest.raises(NothingInCommonError, match=r"they hold other steps \(steps 100, 200, 300, 400, 500, and steps"):
        compare(old, other)
    single = compare(old, written(tmp_path / "single", (500,), weights))
    assert single.equal
    assert {row.call for row in single.rows} == {None}


@pytest.mark.parametrize(
    "apart, reading, step",
    [
        (
            {300: 3e-4, 400: 4e-4, 500: 5e-4},
            Reading.FAULT,
            300,
        ),  # of the size of rounding until 200
        (dict(zip(STEPS, np.geomspace(1e-7, 1e-1, 5), strict=True)), Reading.CHAOS, None),
        (dict.fromkeys(STEPS, 0.01), Reading.OPEN, None),  # what the first hundred steps did is not known
    ],
    ids=["a fault", "chaos", "open"],
)
def test_growth_tells_chaos_from_a_fault(
    apart: dict[int, float], reading: Reading, step: int | None, old: Path, tmp_path: Path
) -> None:
    new = written(tmp_path / "new", STEPS, lambda at: weights(at) * (1 + apart.get(at, 1.2e-7)))
    (result,) = [growth for growth in growths(compare(old, new).rows) if growth.series.name == "w"]
    assert (result.reading, result.step) == (reading, step), result.why
    assert result.series.spacing == 100


def test_the_command_says_it_in_text_json_and_a_page(old: Path, tmp_path: Path) -> None:
    new = written(tmp_path / "new", STEPS, lambda at: weights(at) * (1.001 if at >= 300 else 1))
    page = tmp_path / "page.html"
    text = run(old, new, "--html", page)
    assert "NOT EQUAL: 3 of 10 tensors differ" in text
    assert "first: step 300, value of w: " in text
    assert "differences over the steps:" in text
    assert "from 6.0e-08 to 1.0e-03 in 100 steps, at 300: rounding does not do that" in text
    assert "Difference per step" in page.read_text()
    report = json.loads(run(old, new, "--output-format", "json"))
    assert [row["call"] for row in report["rows"] if row["verdict"] == "different"] == [300, 400, 500]
    assert [(item["tensor"], item["reading"]) for item in report["growth"]] == [("w", "a fault")]


def run(*arguments: object) -> str:
    command = [sys.executable, "-m", "tf2bridge", "compare", *map(str, arguments)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    return done.stdout
