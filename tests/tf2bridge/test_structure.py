"""`migrate --select TFS`: what the rewrites of a program's structure make computes what genuine TensorFlow computed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

LEGACY = Path(__file__).parents[2] / "fixtures/legacy"


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=500)


def check_proven(source: Path, output: Path, *options: str) -> dict[str, Any]:
    done = run("tf2bridge", "migrate", source, "--output", output, "--output-format", "json", *options)
    result: dict[str, Any] = json.loads(done.stdout)
    assert (done.returncode, result["proven"], result["proof"]["first_divergence"]) == (0, True, None)
    return result


def test_a_class_that_runs_its_own_session_becomes_a_live_module(tmp_path: Path) -> None:
    result = check_proven(LEGACY / "q_agent", tmp_path / "new", "--select", "TFS", "--unsafe-fixes")
    text = (tmp_path / "new/agent.py").read_text()
    assert "@tf2bridge.wrap_class\nclass Agent(object):" in text
    assert "disable_v2_behavior" not in text + (tmp_path / "new/train.py").read_text()
    assert {row["kind"] for row in result["proof"]["rows"]} == {"initial", "feed", "fetch", "final"}


def test_the_other_rules_leave_such_a_program_eager(tmp_path: Path) -> None:
    old = tmp_path / "old"
    shutil.copytree(LEGACY / "q_agent", old)
    agent = old / "agent.py"
    agent.write_text(agent.read_text().replace("import tensorflow.compat.v1 as tf", "import tensorflow as tf"))
    done = run("codemods", "check", old, "--select", "TFS", "--fix", "--unsafe-fixes")
    assert done.returncode == 0, done.stdout
    check_proven(old, tmp_path / "new")
    text = agent.read_text()
    assert "tf.placeholder(" in text
    assert "tf.compat.v1.placeholder(" in (tmp_path / "new/agent.py").read_text()
    assert "disable_v2_behavior" not in (tmp_path / "new/train.py").read_text()


@pytest.mark.parametrize(
    "program, path, gone",
    [
        ("generator_freeze", "export.py", "freeze_graph.freeze_graph("),
        ("freeze_script", "freeze.py", "convert_variables_to_constants("),
    ],
)
def test_freezing_becomes_an_export(program: str, path: str, gone: str, tmp_path: Path) -> None:
    check_proven(LEGACY / program, tmp_path / "first")
    check_proven(tmp_path / "first", tmp_path / "second", "--select", "TFS")
    assert gone in (tmp_path / "first" / path).read_text()
    text = (tmp_path / "second" / path).read_text()
    assert "tf2bridge.export(" in text
    assert gone not in text


def test_a_tower_loop_becomes_towers(tmp_path: Path) -> None:
    check_proven(LEGACY / "mnist_towers", tmp_path / "first")
    result = check_proven(tmp_path / "first", tmp_path / "second", "--select", "TFS")
    text = (tmp_path / "second/train.py").read_text()
    assert "tf2bridge.train.towers(" in text
    assert "compute_gradients" not in text and "def average_gradients" not in text
    assert {row["kind"] for row in result["proof"]["rows"]} == {"initial", "feed", "fetch", "final"}


@pytest.mark.parametrize(
    "program", ["scopes", *(pytest.param(name, marks=pytest.mark.soak) for name in ("char_rnn", "saver_swap"))]
)
def test_programs_that_import_tensorflow_compat_v1_instead_are_proven(program: str, tmp_path: Path) -> None:
    check_proven(LEGACY / program, tmp_path / "new", "--extend-select", "TFG003")
    texts = [path.read_text("utf-8") for path in (tmp_path / "new").rglob("*.py")]
    assert any("import tensorflow.compat.v1 as tf" in text for text in texts)
    assert not any("tf.compat.v1" in text for text in texts)
