"""The whole: a legacy program in, a TensorFlow 2 program out, its numbers those of the genuine release."""

from __future__ import annotations

import html
import io
import json
import re
import shutil
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest

from tests.tf2bridge.proof.traces.damaging import sealed

LEGACY = Path(__file__).parents[3] / "fixtures/legacy"
PROGRAMS = sorted(path.parent.name for path in LEGACY.glob("*/tf2bridge.toml"))


def tf2bridge(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tf2bridge", *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=cwd, timeout=500)


def migrate(source: Path, output: Path, *options: object) -> tuple[int, dict]:
    done = tf2bridge("migrate", source, "--output", output, "--output-format", "json", *options)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def settings(program: str) -> dict:
    from tf2bridge.migration import config

    return vars(config.read(LEGACY / program))


LEFT = {"char_rnn": ["PY2004", "PY2004"]}
"""What a person must still decide: whether files of char_rnn that Python 2 pickled are to be read."""


WHOLE = {"mnist_towers": ["genuine/run/model.ckpt-24"]}
"""Checkpoints of which the Saver of the program saved every variable, and which must fit the program as it is now."""


def check_every_tensor_was_compared(proof: dict, trace: Path) -> None:
    """Every tensor that the program fetched, and every variable, has a row that passed."""
    from tf2bridge.proof.traces.reader import Trace

    recorded = Trace(trace)
    fetched = [leaf for call in recorded.program_calls for leaf in call.fetches if leaf.value is not None]
    variables = [variable for graph in recorded.graphs for variable in graph.variables]
    kinds = [row["kind"] for row in proof["rows"] if not row["via"]]
    assert kinds.count("fetch") == len(fetched)
    assert kinds.count("initial") == sum(variable.initial is not None for variable in variables)
    assert kinds.count("final") == sum(variable.final is not None for variable in variables)
    assert {row["verdict"] for row in proof["rows"]} <= {"equal", "close"}


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_rewritten_program_computes_what_it_did(program: str, tmp_path: Path) -> None:
    status, result = migrate(LEGACY / program, tmp_path / "new")
    assert (status, result["proof"]["first_divergence"]) == (0, None)
    assert result["proven"]
    assert [finding["code"] for finding in result["findings"]] == LEFT.get(program, [])
    assert result["failed"] == []
    check_every_tensor_was_compared(result["proof"], settings(program)["trace"])
    check_report((tmp_path / "new/report.html").read_text("utf-8"), result)
    complete = [fit["path"] for fit in result["fits"] if fit["complete"]]
    assert [path for path in WHOLE.get(program, []) if path not in complete] == []


def check_report(page: str, actual: dict) -> None:
    """The page says what the JSON does."""
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert len(json.loads(data)["rows"]) == len(actual["proof"]["rows"])
    assert '<span class="verdict equal">equal</span>' in page
    assert all(html.escape(finding["message"]) in page for finding in actual["findings"])
    assert all(html.escape(fit["said"]) in page for fit in actual["fits"])
    assert len(actual["fits"]) == sum("checkpoint" in artifact["kind"] for artifact in actual["artifacts"])


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_untouched_program_computes_what_it_did(program: str, tmp_path: Path) -> None:
    project = settings(program)
    shutil.copytree(LEGACY / program, tmp_path / "old")
    options = ["--api", project["api"], "--output-format", "json"]
    done = tf2bridge("replay", project["trace"], *options, "--", *project["entry"], cwd=tmp_path / "old")
    proof = json.loads(done.stdout)
    assert (done.returncode, proof["first_divergence"]) == (0, None)
    check_every_tensor_was_compared(proof, project["trace"])


def test_initial_values_follow_the_seed_rule_of_genuine_0_12_1(tmp_path: Path) -> None:
    status, result = migrate(LEGACY / "mnist_towers", tmp_path / "new", "--seeds", "rule")
    assert status == 0
    seeds = result["proof"]["seeds"]
    assert seeds["agree"] > 0
    assert seeds["taken"] == seeds["differ"] == 0
    assert seeds["unmatched"] == []
    initial = [row for row in result["proof"]["rows"] if row["kind"] == "initial"]
    assert {row["verdict"] for row in initial} == {"equal"}
    compared = [row for row in result["proof"]["rows"] if row["kind"] in ("fetch", "final")]
    assert max(row["max_rel"] for row in compared) <= 1e-5


@pytest.mark.parametrize("kind, tensor, call", [("fetch", "mean_loss:0", 7), ("initial", "local2/weights", None)])
def test_one_changed_number_is_found_and_named(kind: str, tensor: str, call: int | None, tmp_path: Path) -> None:
    from tf2bridge.proof.traces.reader import Trace

    source = shutil.copytree(LEGACY / "mnist_towers", tmp_path / "old")
    path = source / "genuine/mnist_towers.trace"
    trace = Trace(path)
    if call is None:
        ref = next(v.initial for v in trace.graphs[0].variables if v.name == tensor)
    else:
        ref = next(leaf.value for leaf in trace.program_calls[call].fetches if leaf.name == tensor)
    change_one_number(path, trace.manifest["values"][ref]["member"])
    status, result = migrate(source, tmp_path / "new", "--no-search")
    assert status == 1
    assert not result["proven"]
    assert (result["proof"]["first_op"], result["proof"]["not_searched"]) == (None, "")
    assert tensor in result["proof"]["first_divergence"]
    assert ("initial value" if call is None else f"call {call}") in result["proof"]["first_divergence"]
    assert [
        (row["kind"], row["tensor"], row["call"]) for row in result["proof"]["rows"] if row["verdict"] == "different"
    ] == [(kind, tensor, call)]


def change_one_number(path: Path, member: str) -> None:
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    array = np.load(io.BytesIO(members[member]))
    array.flat[array.size // 2] += 0.01
    changed = io.BytesIO()
    np.save(changed, array)
    members[member] = changed.getvalue()
    manifest = json.loads(members["manifest.json"])
    (row,) = [item for item in manifest["members"] if item["name"] == member]
    row["crc32"] = zlib.crc32(members[member])
    members["manifest.json"] = sealed(manifest)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def test_without_a_trace_nothing_is_proven_and_the_tree_is_written(tmp_path: Path) -> None:
    source = tmp_path / "old"
    source.mkdir()
    (source / "train.py").write_text("import tensorflow as tf\nx = tf.placeholder(tf.float32)\n")
    done = tf2bridge("migrate", source, "--output", tmp_path / "new")
    assert done.returncode == 1
    assert "not proven: there is no trace" in done.stdout
    assert "tf.compat.v1.placeholder" in (tmp_path / "new/train.py").read_text()


def test_the_rules_are_chosen_as_for_a_check(tmp_path: Path) -> None:
    source = tmp_path / "old"
    source.mkdir()
    text = "import numpy as np\nimport tensorflow as tf\nsv = tf.train.Supervisor(logdir='x')\nx = np.float(1)\n"
    (source / "train.py").write_text(text)
    (source / "large.py").write_text(f"import tensorflow as tf\nx = tf.log(1.0)  # {'x' * 20_000}\n")
    chosen = ("--extend-select", "TFS", "--ignore", "LIB", "--ignore", "REQ", "--jobs", "2", "--max-size", "0.01")
    _, result = migrate(source, tmp_path / "new", *chosen)
    assert [(row["code"], row["line"]) for row in result["findings"] if row["code"] == "TFS001"] == [("TFS001", 3)]
    assert "np.float(1)" in (tmp_path / "new/train.py").read_text()
    assert "tf.log(1.0)" in (tmp_path / "new/large.py").read_text()


def test_a_program_becomes_native_and_is_proven(tmp_path: Path) -> None:
    program = LEGACY.parent / "native/unseeded"
    trace = program / "genuine/unseeded.trace"
    status, report = migrate(
        program / "legacy", tmp_path / "new", "--target", "native", "--trace", trace, "--entry", "train.py"
    )
    text = (tmp_path / "new/train.py").read_text("utf-8")
    assert (status, report["proof"]["outcome"]) == (0, "equal")
    assert "@tf.function" in text
    assert "compat.v1" not in text
    assert (tmp_path / "new/native.toml").is_file()


def test_a_program_that_stays_with_sessions_is_proven_beside_a_native_one(tmp_path: Path) -> None:
    fixture = LEGACY.parent / "native/unseeded"
    source = Path(shutil.copytree(fixture / "legacy", tmp_path / "old"))
    text = (source / "train.py").read_text("utf-8")
    (source / "other.py").write_text(text, "utf-8")
    (source / "train.py").write_text(text + "if loss is None:\n    print(0)\n", "utf-8")  # Python reads a tensor
    trace = fixture / "genuine/unseeded.trace"
    status, report = migrate(source, tmp_path / "new", "--target", "native", "--trace", trace, "--entry", "train.py")
    assert "compat.v1" in (tmp_path / "new/train.py").read_text("utf-8")
    assert "compat.v1" not in (tmp_path / "new/other.py").read_text("utf-8")
    assert (status, report["proof"]["outcome"]) == (0, "equal")
