"""Directories of checkpoints, converted into such as CheckpointManager goes on with."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tf2bridge.checkpoint.writing.directories import Progress, convert_directory, is_directory_of_checkpoints
from tf2bridge.checkpoint.writing.refusals import ExistingDestinationError, FormatError
from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
from tf2bridge.formats.checkpoints.state_file import read_state

FIXTURES = Path(__file__).parents[3] / "fixtures"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """What a genuine Supervisor of 1.15 left: steps 4, 8 and 12."""
    shutil.copytree(FIXTURES / "legacy/supervisor_counter/genuine/run", tmp_path / "run")
    return tmp_path / "run"


def names(done: list[Progress]) -> list[str]:
    return [item.path.name for item in done]


def test_a_manager_goes_on_with_them(run: Path, tmp_path: Path) -> None:
    import tensorflow as tf

    assert is_directory_of_checkpoints(run)
    assert names(convert_directory(run, tmp_path / "new")) == ["ckpt-4", "ckpt-8", "ckpt-12"]
    with open_checkpoint(run / "model.ckpt-12") as old:
        root: Any = tf.train.Checkpoint(**{name: tf.Variable(value) for name, value in old.items() if "/" not in name})
        manager = tf.train.CheckpointManager(root, str(tmp_path / "new"), max_to_keep=3)
        assert [Path(checkpoint).name for checkpoint in manager.checkpoints] == ["ckpt-4", "ckpt-8", "ckpt-12"]
        assert manager.latest_checkpoint == tf.train.latest_checkpoint(str(tmp_path / "new"))
        root.global_step.assign(0)
        root.restore(manager.latest_checkpoint).expect_partial()
        assert root.global_step.numpy() == old["global_step"] == 12
    assert Path(manager.save()).name == "ckpt-13"
    assert not (tmp_path / "new/ckpt-4.index").exists()


def test_a_saver_finds_them_by_their_own_names(run: Path, tmp_path: Path) -> None:
    import tensorflow as tf

    done = convert_directory(run, tmp_path / "new", format="saver")
    assert names(done) == ["model.ckpt-4", "model.ckpt-8", "model.ckpt-12"]
    state = tf.train.get_checkpoint_state(str(tmp_path / "new"))
    assert [Path(path).name for path in state.all_model_checkpoint_paths] == names(done)
    assert state.all_model_checkpoint_timestamps == [(run / f"{name}.index").stat().st_mtime for name in names(done)]


def test_only_so_many(run: Path, tmp_path: Path) -> None:
    assert names(convert_directory(run, tmp_path / "new", max_to_keep=2)) == ["ckpt-8", "ckpt-12"]
    assert read_state(tmp_path / "new/checkpoint").others == (tmp_path / "new/ckpt-8",)


def test_a_second_run_does_what_is_missing(run: Path, tmp_path: Path) -> None:
    convert_directory(run, tmp_path / "new")
    (tmp_path / "new/ckpt-8.index").unlink()
    for path in (tmp_path / "new").glob("ckpt-8.data*"):
        path.unlink()
    message: list[Progress] = []
    convert_directory(run, tmp_path / "new", report=message.append)
    assert [(item.number, item.of, item.converted is not None) for item in message] == [
        (1, 3, False),
        (2, 3, True),
        (3, 3, False),
    ]


def test_what_another_made_is_not_passed_over(run: Path, tmp_path: Path) -> None:
    convert_directory(run, tmp_path / "new")
    os.utime(run / "model.ckpt-4.index")
    with pytest.raises(ExistingDestinationError, match=r"ckpt-4\.index exists"):
        convert_directory(run, tmp_path / "new")
    done = convert_directory(run, tmp_path / "new", force=True)
    assert all(item.converted for item in done)


def test_other_formats(run: Path, tmp_path: Path) -> None:
    done = convert_directory(run, tmp_path / "new", format="npz")
    assert names(done) == [f"model.ckpt-{step}.npz" for step in (4, 8, 12)]
    assert not (tmp_path / "new/checkpoint").exists()
    assert [int(np.load(item.path)["global_step"]) for item in done] == [4, 8, 12]


def test_steps_that_two_have(run: Path, tmp_path: Path) -> None:
    for suffix in (".index", ".data-00000-of-00001"):
        shutil.copy(run / f"model.ckpt-8{suffix}", run / f"best.ckpt-8{suffix}")
    done = convert_directory(run, tmp_path / "new")
    assert names(done) == ["best.ckpt-8", "ckpt-4", "model.ckpt-8", "ckpt-12"]


def test_not_into_itself(run: Path) -> None:
    with pytest.raises(FormatError, match="the directory of the source"):
        convert_directory(run, run)
