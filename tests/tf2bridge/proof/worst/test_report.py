"""`tf2bridge compare A B --inputs worst:SECONDS`: options, text, JSON, the page and the exit status."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from tf2bridge.cli import main
from tf2bridge.proof.comparing.any_two import compare
from tf2bridge.proof.reporting.page import dumps
from tf2bridge.proof.reporting.pages import of_compared
from tf2bridge.proof.reporting.worst_text import lines
from tf2bridge.proof.worst.outcome import WorstInputs

OLD, NEW = (f"tests.tf2bridge.proof.worst.models:{name}" for name in ("old", "new"))
SMALL = {"points": np.zeros((4, 3), np.float32), "ids": np.zeros((4, 2), np.int32)}


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> Done:
    with pytest.raises(SystemExit) as ended:
        main(["compare", *map(str, arguments)])
    written = capsys.readouterr()
    return Done(int(ended.value.code or 0), written.out, written.err)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("worst")
    np.savez(path / "small.npz", **SMALL)
    return path


def test_what_random_inputs_miss_makes_the_status_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The last unit is on above 2.5 alone, where 0.5 of what is above is the difference."""
    saved, page = folder / "worst.npz", folder / "worst.html"
    assert run(capsys, OLD, NEW, "--inputs", folder / "small.npz").status == 0
    searched = ["--inputs", "worst:4", "--starts", folder / "small.npz", "--range", "points=-3:3"]
    done = run(capsys, OLD, NEW, *searched, "--save-inputs", saved, "--html", page)
    assert done.status == 1
    text = done.out
    assert "worst inputs: figure 0 on the starting inputs (1), " in text
    assert "points (float32 [4, 3]): gradient ascent from -3 to 3 (stated)" in text
    assert "ids (int32 [4, 2]): sampling from 0 to 8 (the rows of an embedding); whole numbers" in text
    assert f"saved: {saved}" in text
    assert "NOT EQUAL: 1 of 4 tensors differ" in text
    assert "first: worst inputs, output of last: DIFFERENT" in text
    again = compare(OLD, NEW, inputs=saved)
    assert again.rows[0].distance.max_abs == pytest.approx(0.25, rel=0.05)
    html = page.read_text("utf-8")
    assert "<h2>Worst inputs</h2>" in html
    assert "Figure over the runs" in html
    assert 'class="different"><td>last<td>0<td>' in html


def test_equal_models_stay_equal_and_the_json_has_the_figures(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, OLD, OLD, "--inputs", "worst:1", "--starts", folder / "small.npz", "--output-format", "json")
    assert done.status == 0
    report = json.loads(done.out)
    assert report["equal"] is True
    worst = report["worst"]
    assert (worst["start"], worst["figure"], worst["starts"], worst["seed"]) == (0, 0, 1, 0)
    assert worst["runs"] > worst["climbs"] > 0
    assert [output["passed"] for output in worst["outputs"]] == [True, True]
    assert worst["inputs"][1] == {
        "name": "ids",
        "dtype": "int32",
        "shape": [4, 2],
        "low": 0,
        "high": 8,
        "range": "the rows of an embedding",
        "way": "sampling",
        "why": "whole numbers",
    }
    assert [row["kind"] for row in report["rows"]] == ["output", "output", "worst", "worst"]


def test_without_a_search_the_json_says_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, folder / "small.npz", folder / "small.npz", "--output-format", "json")
    assert json.loads(done.out)["worst"] is None


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--inputs", "worst:"], "inputs worst:: it does not say how many seconds to search; write worst:SECONDS"),
        (["--inputs", "worst:x"], "inputs worst:x: 'x' is no number of seconds above 0; write worst:SECONDS"),
        (["--inputs", "worst:1", "--range", "points"], "range points: it has not the form of a range"),
        (["--inputs", "worst:1", "--range", "points=3:1"], "range points=3:1: its lower end 3 is above"),
        (["--inputs", "worst:1", "--range", "y=0:1"], "'y' is no input of either side; their inputs are points, ids"),
        (["--inputs", "worst:1", "--starts", "none.npz"], "none.npz"),
        (["--inputs", "worst:1", "--tensors", "nothing"], "--tensors nothing: no tensor of either side"),
        (["--range", "points=0:1"], "starts and ranges belong to a search, and none is asked for; give --inputs worst"),
        (["--save-inputs", "x.npz"], "--save-inputs x.npz: there are no worst inputs to save"),
        (["--inputs", "worst:1", "--save-inputs", "nowhere/x.npz"], "there is no directory nowhere"),
    ],
)
def test_wrong_input_is_one_line_and_status_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run(capsys, OLD, NEW, *arguments)
    assert done.status == 2
    assert message in done.err
    assert "Traceback" not in done.err


def test_the_help_names_the_search(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(run(capsys, "--help").out.split())
    for part in ("worst:SECONDS", "--starts", "--range NAME=LOW:HIGH", "--save-inputs"):
        assert part in text


def searched_values() -> WorstInputs:
    import tensorflow as tf

    from tf2bridge.proof import worst_inputs

    table = tf.range(5.0)
    pair = (lambda x: tf.gather(table, x)), (lambda x: tf.gather(table * 2, x))
    specs = {"x": tf.TensorSpec([1], tf.int32)}
    starts = {"x": np.zeros(1, np.int32)}
    return worst_inputs(*pair, specs=specs, starts=starts, ranges={"x": (0, 6)}, seconds=600, runs=60)


def test_inputs_that_cannot_be_run_and_sampling_alone_are_said() -> None:
    text = "\n".join(lines(searched_values()))
    assert "inputs could not be run, and are no candidates: <lambda> cannot be run on them (InvalidArgument" in text
    assert "no input has a gradient: all were sampled, which finds less than climbing does" in text
    assert "x[0] = " in text


def test_names_on_the_page_are_text() -> None:
    compared = compare(OLD, NEW, inputs="worst:0.01", starts=SMALL)
    assert compared.worst is not None
    html = dumps(of_compared(compared))
    assert "<h2>Worst inputs</h2>" in html
    assert "nothing worse was found" in html or "on the worst inputs" in html
