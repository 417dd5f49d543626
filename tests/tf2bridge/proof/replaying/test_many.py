"""A program that sets no seed, run as often as it was recorded.  The traces are of TensorFlow 2's graph mode."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
PROGRAM = """
import tensorflow as tf
v1 = tf.compat.v1
v1.disable_v2_behavior()
w = v1.get_variable("w", [100], initializer=v1.random_normal_initializer(stddev={stddev}))
loss = tf.reduce_mean(tf.square(w - 1.0), name="loss")
train = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
with v1.Session() as session:
    session.run(v1.global_variables_initializer())
    for step in range(3):
        session.run([loss, train])
{end}
"""


def tf2bridge(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tf2bridge", *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=cwd, timeout=500)


def recordings(folder: Path, count: int) -> list[str]:
    (folder / "train.py").write_text(PROGRAM.format(stddev=0.1, end=""))
    (folder / "recorder.py").write_text(tf2bridge("recorder", cwd=folder).stdout)
    names = [f"{number}.trace" for number in range(count)]
    for name in names:
        command = [sys.executable, "recorder.py", "--output", name, "--", "train.py"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return names


def also(names: list[str]) -> list[str]:
    return [names[0], *(item for name in names[1:] for item in ("--also", name)), "--output-format", "json", "--"]


@pytest.mark.soak
def test_equal_programs_are_not_told_apart_and_others_are(tmp_path: Path) -> None:
    names = recordings(tmp_path, 6)
    same = tf2bridge("replay", *also(names), "train.py", cwd=tmp_path)
    report = json.loads(same.stdout)
    assert [quantity["runs"] for quantity in report["quantities"]] == [[6, 6], [6, 6]]
    (tmp_path / "train.py").write_text(PROGRAM.format(stddev=0.5, end="open('left', 'w')\nimport sys\nsys.exit(3)"))
    other = tf2bridge("replay", *also(names), "train.py", cwd=tmp_path)
    report = json.loads(other.stdout)
    assert (other.returncode, report["told_apart"]) == (1, True)
    assert all(quantity["different"] for quantity in report["quantities"])
    assert report["statuses"] == {"old": [0] * 6, "new": [3] * 6}
    assert not (tmp_path / "left").exists(), "each run has a copy of the directory to itself"


def test_two_recordings_are_too_few(tmp_path: Path) -> None:
    (name,) = recordings(tmp_path, 1)
    done = tf2bridge("replay", name, "--also", name, "--", "train.py", cwd=tmp_path)
    assert done.returncode == 2
    assert "2 old and 2 new runs of 2 quantities: a permutation test of so few" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("option", [["--graph"], ["--html", "page.html", "--", "train.py"]])
def test_what_many_runs_do_not_give_is_wrong_usage(option: list[str], tmp_path: Path) -> None:
    done = tf2bridge("replay", "a.trace", "--also", "b.trace", *option, cwd=tmp_path)
    assert done.returncode == 2
    assert "--also tests many runs of a program" in done.stderr
