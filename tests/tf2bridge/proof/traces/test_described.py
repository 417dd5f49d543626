"""tf2bridge inspect of a trace, of the folder of one, and of what is left of one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.tf2bridge.proof.traces.damaging import GENUINE, LEGACY, unpacked
from tf2bridge.proof.recording.folding import JOURNAL
from tf2bridge.proof.traces.described import described, is_trace, lines


def inspect(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tf2bridge", "inspect", *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def test_a_trace() -> None:
    done = inspect(GENUINE)
    assert (done.returncode, done.stderr) == (0, "")
    result = done.stdout.splitlines()
    assert result[1:4] == [
        "program: train.py --steps 24",
        "TensorFlow 0.12.1, Python 2.7.18, NumPy 1.16.6",
        "exit status 0",
    ]
    assert "29 calls, 27 of them the program's own" in result
    assert (
        "  1-24 (24): Momentum, all_losses:0, mean_loss:0 and 1 more, fed images:0, labels:0  [train.py:102]" in result
    )
    assert result[-1] == "  28: save/control_dependency:0, fed save/Const:0  [train.py:112, by saver]"


def test_as_json() -> None:
    facts = json.loads(inspect(GENUINE, "--output-format", "json").stdout)
    assert facts["graphs"][0]["variables"] == 15
    assert sum(row["calls"] for row in facts["groups"]) == facts["calls"] == 29


def test_the_folder_of_a_killed_program(tmp_path: Path) -> None:
    folder = unpacked(GENUINE, tmp_path / "t.trace.part")
    (folder / JOURNAL).write_bytes((folder / JOURNAL).read_bytes()[:-10])
    result = list(lines(described(folder)))
    assert result[0].endswith("t.trace.part: folder of a recording that did not end, version 2")
    assert result[3] == "the program did not end by itself: what it had recorded until it was killed is here"
    assert result[4] == "note: the last line of the journal is cut"


def test_what_is_left_of_one_is_a_damaged_trace(tmp_path: Path) -> None:
    path = tmp_path / "t.trace"
    path.write_bytes(GENUINE.read_bytes()[:-1000])
    done = inspect(path)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert "not a readable trace" in done.stderr


def test_other_files_are_none() -> None:
    run = LEGACY / "generator_freeze/genuine/run"
    assert not any(is_trace(path) for path in (run, *run.rglob("*")))


def test_no_tensorflow_is_needed() -> None:
    code = "import sys; from tf2bridge.commands.command_line import _guarded\n"
    code += f"status = _guarded(['inspect', {str(GENUINE)!r}], 't')\n"
    code += "assert status == 0 and 'tensorflow' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
