"""`tf2bridge inspect`, `audit` and `export` on what genuine TensorFlow wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.tf2bridge.graph.recorded import Recorded, unpacked
from tf2bridge.cli import cli


@pytest.fixture(scope="module")
def mlp(tmp_path_factory: Any) -> Recorded:
    return unpacked("1.12.3/mlp_adam", tmp_path_factory.getbasetemp())


def run(*arguments: Any) -> tuple[int, str, str]:
    done = CliRunner().invoke(cli, [str(each) for each in arguments], standalone_mode=False)
    return done.return_value, done.stdout, done.stderr


def test_inspect_shows_what_a_file_is(mlp: Recorded) -> None:
    status, shown, _ = run("inspect", mlp.folder / "saved_model")
    assert status == 0
    for part in ("SavedModel, written by TensorFlow 1.12.3", "logits:0", "hidden/weights", "[4, 5]"):
        assert part in shown
    status, shown, _ = run("inspect", mlp.folder / "frozen.pb", "--output-format", "json")
    assert json.loads(shown)["variables"] == []


def test_audit_lists_what_is_more_than_computing(mlp: Recorded) -> None:
    assert run("audit", mlp.folder / "frozen.pb")[:2] == (0, "")
    status, shown, _ = run("audit", mlp.folder / "model.ckpt")
    assert status == 1
    assert "save/SaveV2 (SaveV2) reads or writes files" in shown.splitlines()


def test_export_writes_what_the_outputs_need(mlp: Recorded, tmp_path: Path) -> None:
    command = ("export", mlp.folder / "model.ckpt", tmp_path / "new.pb", "--format", "frozen", "--outputs", "logits")
    status, _, said = run(*command)
    assert status == 0
    assert "frozen of x -> logits (None, 3)" in said
    assert "Adam" not in run("inspect", tmp_path / "new.pb")[1]
    with pytest.raises(Exception, match="exists: name another"):
        CliRunner().invoke(cli, [str(each) for each in command], standalone_mode=False, catch_exceptions=False)
