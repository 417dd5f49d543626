"""`codemods check --target native --trace`: what a recording of genuine TensorFlow 1.15.5 decides."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from codemods.cli import app, run
from codemods.native.facts import Facts, Operation
from codemods.native.line_origins import lines_before
from codemods.native.recorded_names import with_names
from codemods.native.recorded_tags import with_tags

SESSIONS = Path(__file__).parents[3] / "fixtures" / "sessions"
STEPS = SESSIONS / "needs_trace" / "steps.py"
TRACE = SESSIONS / "traces" / "steps.trace"


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The evidence of the trace as a file, so that no test starts a process for it."""
    path = tmp_path_factory.mktemp("evidence") / "steps.json"
    command = [sys.executable, "-m", "tf2bridge.native.evidence", str(TRACE)]
    path.write_bytes(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return path


def check(folder: Path, trace: Path, *options: str) -> str:
    arguments = ["check", "--target", "native", str(folder), "--trace", str(trace), *options]
    return CliRunner().invoke(app, arguments).output


def placed(tmp_path: Path, old: str = "", new: str = "") -> Path:
    """Returns a folder with the program, in which a text is another one."""
    text = STEPS.read_text()
    assert old in text
    (tmp_path / "steps.py").write_text(text.replace(old, new) if old else text)
    return tmp_path


def test_a_trace_decides_feeds_and_orders_and_says_what_it_did_not_reach(tmp_path: Path, evidence: Path) -> None:
    output = check(placed(tmp_path), evidence)
    assert "steps.py:1:1: NAT000" in output
    assert "steps.py:31:1: NAT011 the source does not say this, and the trace does: the feeds are x, y" in output
    assert "steps.py:31:1: NAT011 the source does not say this, and the trace does: step is read after" in output
    assert "steps.py:37:1: NAT012 the trace did not reach this call of output" in output


def test_recorded_graphs_decide_scopes_of_optimizers(tmp_path: Path) -> None:
    (tmp_path / "copies.py").write_text((STEPS.parent / "copies.py").read_text())
    output = check(tmp_path, TRACE.parent / "copies.trace", "--fix", "--force")
    assert "NAT000 sessions become functions: copies:copy, copies:train_step, copies:by_hand" in output
    # the optimizer stood in the scope "train", which the native one does not know
    row = 'legacy = "train/eval/out/kernel/RMSProp_1"\npath = "eval_out/kernel/RMSProp_1"'
    assert row in (tmp_path / "native.toml").read_text()


def test_recorded_names_stand_for_computed_ones(tmp_path: Path) -> None:
    program = (STEPS.parent / "computed_names.py").read_text()
    (tmp_path / "computed_names.py").write_text(program)
    assert "NAT005" in CliRunner().invoke(app, ["check", "--target", "native", str(tmp_path)]).output
    output = check(tmp_path, TRACE.parent / "computed_names.trace")
    for name in ("WHERE is the name net", '"%s_b" % WHERE is the name net_b'):
        assert f"NAT011 the source does not say this, and the trace does: {name}" in output
    assert '"inner_%d" % 3' not in output  # the source says this one


def test_a_scope_with_several_recorded_names_keeps_its_expression() -> None:
    text = (
        "import tensorflow as tf\ndef net(name):\n    with tf.variable_scope(name):\n"
        "        return tf.get_variable('w', [])\n"
    )
    made = tuple(Operation(f"{name}/w", "VariableV2", (), "net.py", 4) for name in ("a", "b"))
    several, one = (Facts("t", "1.4.1", "net.py", (), (ops,)) for ops in (made, made[:1]))
    assert with_names(text, several, int, lambda _: "net.py").text == text
    assert 'tf.variable_scope("a")' in with_names(text, one, int, lambda _: "net.py").text


def test_tags_have_the_numbers_that_they_had() -> None:
    text = "import tensorflow as tf\ntf.summary.scalar('loss', x)\ntf.summary.scalar('rate', y)\n"
    ops = (Operation("loss_1", "ScalarSummary", (), "t.py", 2), Operation("a/rate", "ScalarSummary", (), "t.py", 3))
    made = with_tags(text, Facts("t", "1.4.1", "t.py", (), (ops,)), int, lambda _: "t.py")
    assert made == text.replace("'loss'", "'loss_1'")


def test_without_a_trace_the_program_is_refused(tmp_path: Path) -> None:
    output = CliRunner().invoke(app, ["check", "--target", "native", str(placed(tmp_path))]).output
    assert "steps.py:31:30: NAT002" in output


def test_the_map_has_the_recorded_names(tmp_path: Path, evidence: Path) -> None:
    check(placed(tmp_path), evidence, "--fix", "--force")
    rows = (tmp_path / "native.toml").read_text()
    assert 'feeds = ["Placeholder:0", "Placeholder_1:0"]\nfetches = ["step:0", "Mean_1:0", "rate:0"]' in rows
    assert 'fetches = ["Mean:0", "Mean_1:0"]' in rows  # the container of two tensors


def test_feeds_that_the_trace_did_not_reach_stay_refused(tmp_path: Path, evidence: Path) -> None:
    output = check(placed(tmp_path, "{x: np.ones([2, 3])}", "feeds_for(2)"), evidence)
    assert "steps.py:37:15: NAT002" in output
    assert "the trace did not reach it either" in output


def failure(folder: Path, trace: Path, capsys: pytest.CaptureFixture[str]) -> str:
    before = sorted(folder.iterdir())
    assert run(["check", "--target", "native", str(folder), "--trace", str(trace), "--fix", "--force"]) == 2
    assert sorted(folder.iterdir()) == before
    return capsys.readouterr().err


def test_a_trace_of_another_program_is_an_error(
    tmp_path: Path, evidence: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "train.py").write_text(STEPS.read_text())
    assert "was recorded of steps.py, which is not here" in failure(tmp_path, evidence, capsys)


def test_a_program_that_changed_is_named_with_its_line(
    tmp_path: Path, evidence: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    placed(tmp_path, "data = np.random", "\ndata = np.random")
    error = failure(tmp_path, evidence, capsys)
    assert "steps.py:11: the op Placeholder was made at this line when" in error
    assert "record the program again" in error


def test_what_is_no_trace_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    placed(tmp_path)
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps({"version": 2}))
    assert "it is no evidence of a trace" in failure(tmp_path, wrong, capsys)
    assert "absent.trace" in failure(tmp_path, tmp_path / "absent.trace", capsys)


def test_other_targets_refuse_a_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(placed(tmp_path)), "--trace", str(TRACE)]) == 2
    assert "add --target native" in capsys.readouterr().err


def test_lines_keep_their_numbers_below_lines_that_were_added() -> None:
    old = "import tensorflow as tf\nx = tf.placeholder(tf.float32)\ny = tf.placeholder(tf.int32)\n"
    new = "import tensorflow as tf\nimport tf2bridge.v1\ntf2bridge.v1.enable()\n" + "".join(
        f"{name} = tf.compat.v1.placeholder(tf.{kind})\n" for name, kind in (("x", "float32"), ("y", "int32"))
    )
    assert [lines_before(old, new)(number) for number in (1, 4, 5)] == [1, 2, 3]


def test_modules_of_the_legacy_program_do_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    placed(tmp_path)
    (tmp_path / "tf2bridge").mkdir()
    (tmp_path / "tf2bridge" / "__init__.py").write_text("open('ran', 'w')\n")
    monkeypatch.chdir(tmp_path)
    assert "steps.py:1:1: NAT000" in check(tmp_path, TRACE)
    assert not (tmp_path / "ran").exists()
