"""`tf2bridge inspect` of checkpoints: names, shapes, types, sizes and, when asked, what is in them."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from tests.tf2bridge.checkpoint import recorded
from tests.tf2bridge.formats.checkpoints.every_form import unpacked_forms
from tests.tf2bridge.formats.graphs.test_inspect import without_tensorflow
from tests.tf2bridge.graph.recorded import unpacked
from tf2bridge.cli import cli
from tf2bridge.formats.checkpoints import described
from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError

ESTIMATOR = Path(__file__).parents[4] / "fixtures" / "estimator"


def inspected(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["inspect", *map(str, arguments)])


def test_a_checkpoint_without_a_graph_shows_its_tensors_without_tensorflow() -> None:
    done = without_tensorflow("inspect", ESTIMATOR, "--values")
    assert (done.returncode, done.stderr) == (0, "")
    first, head, *rows = done.stdout.splitlines()
    assert first == f"{ESTIMATOR}/model.ckpt-5: V2 checkpoint, 18 tensors, 102 elements, 412 bytes"
    assert head.split() == ["tensor", "shape", "dtype", "bytes", "min", "max", "NaN"]
    assert len(rows) == 18
    step = next(row for row in rows if row.startswith("global_step"))
    assert step.split() == ["global_step", "[]", "int64", "8", "5", "5", "0"]


def test_a_checkpoint_with_its_graph_shows_both_or_its_tensors(tmp_path_factory: Any) -> None:
    folder = unpacked("1.12.3/mlp_adam", tmp_path_factory.getbasetemp()).folder
    both = inspected(folder / "model.ckpt").stdout
    assert "GraphDef" in both
    assert "V2 checkpoint" in both
    assert "V2 checkpoint" not in inspected(folder / "model.ckpt.meta").stdout
    assert "GraphDef" in inspected(folder / "saved_model").stdout
    assert "V2 checkpoint" in inspected(folder / "model.ckpt", "--tensors").stdout
    assert "V2 checkpoint" in inspected(folder / "saved_model", "--tensors").stdout


@pytest.mark.parametrize("name", ["v1", "v2_sharded"])
def test_json_says_what_the_values_are(name: str, tmp_path_factory: Any) -> None:
    prefix = unpacked_forms("1.15.5", tmp_path_factory.getbasetemp()) / name
    facts = json.loads(inspected(prefix, "--values", "--output-format", "json").stdout)
    rows = {row["name"]: row for row in facts["tensors"]}
    assert facts["format"] == name[:2].upper()
    assert rows["of_int16"] | {"min": -7, "max": 4, "NaN": 0, "shape": [12], "bytes": 24} == rows["of_int16"]
    assert rows["of_float16"] | {"min": -5.25, "max": 3.0} == rows["of_float16"]  # -7 to 4 times 0.75
    assert (rows["layer/empty"]["min"], rows["layer/text"]["NaN"], rows["of_complex64"]["NaN"]) == (None, None, 0)


def test_numbers_that_are_none_are_counted(tmp_path: Path) -> None:
    values = {"odd": np.array([np.nan, -np.inf, 2.0, np.nan]), "none": np.array([np.nan], np.float32)}
    np.savez(tmp_path / "values.npz", **values)
    facts = json.loads(inspected(tmp_path / "values.npz", "--values", "--output-format", "json").stdout)
    assert [(row["min"], row["max"], row["NaN"]) for row in facts["tensors"]] == [("-inf", 2.0, 2), (None, None, 1)]


def test_what_is_wrong_is_one_line(tmp_path: Path) -> None:
    shutil.copytree(ESTIMATOR, tmp_path / "run")
    (tmp_path / "run" / "model.ckpt-5.data-00001-of-00002").unlink()
    done = without_tensorflow("inspect", tmp_path / "run")
    assert (done.returncode, done.stdout) == (2, "")
    assert "model.ckpt-5.data-00001-of-00002" in done.stderr
    assert done.stderr.count("\n") == 1
    done = without_tensorflow("inspect", tmp_path / "run" / "model.ckpt-6")
    assert f"there is {tmp_path}/run/model.ckpt-5" in done.stderr


def test_a_terminal_shows_a_table(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rich.console.Console", lambda: Console(file=sys.stdout, force_terminal=True, width=160))
    monkeypatch.setattr(described, "_LISTED", 3)
    with open_checkpoint(ESTIMATOR) as checkpoint:
        described.print_text(described.described(checkpoint))
    printed = capsys.readouterr().out
    assert "dnn/head/beta1_power" in printed
    assert "and 15 more" in printed


def test_damage_is_told_of_a_checkpoint_beside_its_graph(tmp_path: Path) -> None:
    program = recorded.unpacked("1.15.5/mlp_adam", tmp_path)
    data = program.folder / "model.ckpt.data-00000-of-00001"
    data.write_bytes(data.read_bytes()[:-40])
    done = inspected(program.prefix)
    assert isinstance(done.exception, DamagedCheckpointError)
    assert "it is cut off" in str(done.exception)
    assert done.output == ""
