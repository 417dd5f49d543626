"""The evidence of a trace: what genuine TensorFlow 0.12.1 recorded of fixtures/legacy, as plain JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tf2bridge.native import evidence as module
from tf2bridge.native.evidence import evidence, main
from tf2bridge.native.refusals import TooMuchEvidenceError
from tf2bridge.proof.traces.reader import Trace

LEGACY = Path(__file__).resolve().parents[3] / "fixtures/legacy"
SESSIONS = LEGACY.parent / "sessions/traces"
TOWERS = LEGACY / "mnist_towers/genuine/mnist_towers.trace"


@pytest.fixture(scope="module")
def towers() -> dict[str, Any]:
    return evidence(Trace(TOWERS), TOWERS.parents[1])


def test_runs_are_grouped_by_line_feeds_and_fetches(towers: dict[str, Any]) -> None:
    step = towers["runs"][1]
    assert (step["line"], step["count"], step["calls"]) == ("train.py:102", 24, [1, 24])  # --steps 24
    assert [leaf["name"] for leaf in step["fetches"]] == ["all_losses:0", "mean_loss:0", "ExponentialDecay:0"]
    assert step["operations"] == ["Momentum"]
    assert [leaf["shapes"] for leaf in step["feeds"]] == [[[32, 28, 28, 1]], [[32, 10]]]
    assert "conv1/weights/Momentum" in step["changes"]


def test_variables_have_their_site_and_first_value(towers: dict[str, Any]) -> None:
    by_name = {variable["name"]: variable for variable in towers["graphs"][0]["variables"]}
    assert by_name["conv1/biases"]["line"] == "mnist.py:18"
    assert by_name["conv1/biases"]["function"] == "_variable_on_cpu"
    assert by_name["conv1/biases"]["shape"] == [8]
    assert (by_name["global_step"]["constant"], by_name["conv1/weights"]["constant"]) == (0.0, None)
    assert by_name["global_step"]["initializer"] == "global_step/Initializer/Const:0"


def test_a_read_that_waits_for_nothing_is_undecided(towers: dict[str, Any]) -> None:
    reads = {(read["fetch"], read["variable"]): read["order"] for read in towers["runs"][1]["reads"]}
    assert reads["mean_loss:0", "conv1/weights"] == "before"  # the step's gradient depends on what was read
    assert reads["ExponentialDecay:0", "global_step"] == "before"


def test_shapes_are_inferred_on_demand() -> None:
    ops = {op["name"]: op for op in evidence(Trace(TOWERS), with_shapes=True)["graphs"][0]["ops"]}
    assert ops["predictions"]["shapes"] == [[None, 10]]


def test_the_command_prints_json_without_tensorflow() -> None:
    code = "import sys; from tf2bridge.native.evidence import main; main(sys.argv[1:]); assert 'tensorflow' not in "
    code += "sys.modules"
    done = subprocess.run([sys.executable, "-c", code, str(TOWERS)], capture_output=True, check=True)
    assert json.loads(done.stdout)["tensorflow"] == "0.12.1"


def test_wrong_input_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "no.trace").write_bytes(b"PK\x03\x04 and no more")
    assert main([str(tmp_path / "no.trace")]) == 2
    assert main([str(TOWERS), "--source", str(tmp_path / "absent")]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 2
    assert all(line.startswith("error: ") for line in errors)


def test_work_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WORK", 100)
    with pytest.raises(TooMuchEvidenceError, match="kinds of calls"):
        evidence(Trace(TOWERS))


def test_what_a_line_computes_anew_stands_for_the_first() -> None:
    grown = evidence(Trace(SESSIONS / "grown.trace"))
    asked = [run for run in grown["runs"] if run["line"] == "grown.py:28"]
    assert [run["stands_for"] for run in asked] == [{}, {"ArgMax_1:0": "ArgMax:0"}, {"ArgMax_2:0": "ArgMax:0"}]


def test_other_constants_compute_something_else() -> None:
    looked_up = evidence(Trace(SESSIONS / "looked_up.trace"))
    asked = [run for run in looked_up["runs"] if run["line"] == "looked_up.py:30"]
    assert [(run["leaves"], run["stands_for"]) for run in asked] == [
        (["ArgMax:0"], {}),
        (["ArgMax_2:0"], {}),
        (["ArgMax_4:0"], {}),
    ]
