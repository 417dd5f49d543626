"""Whatever names a checkpoint finds it; a name that means none says what there is instead."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tf2bridge
from tests.tf2bridge.formats.checkpoints.every_form import unpacked_forms
from tests.tf2bridge.graph.recorded import unpacked
from tf2bridge.errors import BridgeError
from tf2bridge.formats.checkpoints.refusals import (
    DamagedCheckpointError,
    MissingShardError,
    NewestGoneError,
    NoCheckpointError,
    NoIndexError,
    SeveralCheckpointsError,
)

FIXTURES = Path(__file__).parents[4] / "fixtures"
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12345\n"


@pytest.fixture
def forms(tmp_path: Path, tmp_path_factory: Any) -> Path:
    folder = tmp_path / "forms"
    shutil.copytree(unpacked_forms("1.15.5", tmp_path_factory.getbasetemp()), folder)
    for values in folder.glob("expected*"):
        values.unlink()
    return folder


@pytest.fixture
def trained(tmp_path: Path) -> Path:
    folder = tmp_path / "trained"
    shutil.copytree(FIXTURES / "estimator", folder)
    return folder


def opened(path: Path) -> tuple[str, str]:
    with tf2bridge.checkpoint.open(path) as checkpoint:
        assert len(checkpoint) > 0
        return checkpoint.format, checkpoint.path.name


def check_refused(path: Path, error: type[BridgeError], *message: str) -> None:
    with pytest.raises(error) as refusal:
        tf2bridge.checkpoint.open(path)
    for item in message:
        assert item in str(refusal.value), item
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("given", "format_", "name"),
    [
        ("v2", "V2", "v2"),
        ("v2.index", "V2", "v2"),
        ("v2.data-00000-of-00001", "V2", "v2"),
        ("v2_sharded.data-00001-of-00002", "V2", "v2_sharded"),
        ("v1", "V1", "v1"),
        ("v1_sharded", "V1", "v1_sharded-?????-of-00002"),
        ("v1_sharded-?????-of-00002", "V1", "v1_sharded-?????-of-00002"),
        ("v1_sharded-00001-of-00002", "V1", "v1_sharded-?????-of-00002"),
    ],
)
def test_a_prefix_or_a_file_of_it(given: str, format_: str, name: str, forms: Path) -> None:
    assert opened(forms / given) == (format_, name)


def test_the_meta_file_of_a_checkpoint(tmp_path_factory: Any) -> None:
    folder = unpacked("1.4.1/mlp_adam", tmp_path_factory.getbasetemp()).folder
    assert opened(folder / "model.ckpt.meta") == ("V2", "model.ckpt")


@pytest.mark.parametrize("given", [".", "checkpoint"])
def test_the_newest_of_a_directory(given: str, trained: Path) -> None:
    assert opened(trained / given) == ("V2", "model.ckpt-5")


def test_a_saved_model_means_its_variables(tmp_path_factory: Any) -> None:
    folder = unpacked("1.4.1/mlp_adam", tmp_path_factory.getbasetemp()).folder / "saved_model"
    assert opened(folder) == opened(folder / "saved_model.pb") == ("V2", "variables")


def test_paths_of_another_machine_mean_the_files_beside_the_state(trained: Path) -> None:
    for root in ("/home/somebody/run 1/", "C:\\\\runs\\\\one\\\\"):
        (trained / "checkpoint").write_text(f'model_checkpoint_path: "{root}model.ckpt-5"\n')
        assert opened(trained) == ("V2", "model.ckpt-5")


def test_a_directory_without_a_state_file(forms: Path, trained: Path) -> None:
    (trained / "checkpoint").unlink()
    assert opened(trained) == ("V2", "model.ckpt-5")
    names = ("v1, ", "v1_sharded-?????-of-00002", "v2, ", "v2_sharded")
    check_refused(forms, SeveralCheckpointsError, "4 checkpoints", *names)


def test_the_newest_is_gone(trained: Path) -> None:
    for path in trained.glob("model.ckpt-5.*"):
        path.rename(trained / path.name.replace("-5.", "-0."))
    check_refused(trained, NewestGoneError, "model.ckpt-5, is not there", f"those that are: {trained}/model.ckpt-0")


def test_a_state_file_that_names_itself_or_nothing(trained: Path) -> None:
    (trained / "checkpoint").write_text('model_checkpoint_path: "checkpoint"\n')
    check_refused(trained, DamagedCheckpointError, "no checkpoint")
    (trained / "checkpoint").write_text('all_model_checkpoint_paths: "model.ckpt-5"\n')
    check_refused(trained, DamagedCheckpointError, "no model_checkpoint_path")


def test_no_such_prefix(trained: Path) -> None:
    check_refused(trained / "model.ckpt-50", NoCheckpointError, f"there is {trained}/model.ckpt-5")
    check_refused(trained / "nowhere" / "model.ckpt", NoCheckpointError, "no checkpoint of this name")


def test_an_index_that_is_not_there(trained: Path) -> None:
    (trained / "model.ckpt-5.index").unlink()
    for given in ("model.ckpt-5", "model.ckpt-5.index", "model.ckpt-5.data-00001-of-00002"):
        check_refused(trained / given, NoIndexError, "model.ckpt-5.data-00000-of-00002 is there")


@pytest.mark.parametrize("form", ["v1", "v2"])
def test_a_missing_shard_is_named(form: str, forms: Path) -> None:
    shard = next(forms.glob(f"{form}_sharded*-00001-of-00002"))
    shard.unlink()
    check_refused(forms / f"{form}_sharded", MissingShardError, shard.name, "of its 2 data files")


def test_a_shard_that_is_cut_off_names_the_tensor(forms: Path) -> None:
    shard = forms / "v2.data-00000-of-00001"
    shard.write_bytes(shard.read_bytes()[:-1])
    check_refused(forms / "v2", DamagedCheckpointError, "tensor 'rows'", "cut off")


@pytest.mark.parametrize("name", ["v2.index", "v2.data-00000-of-00001", "v1"])
def test_a_pointer_of_git_lfs(name: str, forms: Path) -> None:
    (forms / name).write_bytes(LFS)
    with pytest.raises(BridgeError, match="git lfs pull"):
        tf2bridge.checkpoint.open(forms / name.partition(".")[0])


def test_files_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    check_refused(tmp_path / "empty", DamagedCheckpointError, "it is empty")
    (tmp_path / "notes.txt").write_text("nothing of the kind")
    check_refused(tmp_path / "notes.txt", NoCheckpointError, "none of the formats")
    check_refused(tmp_path, NoCheckpointError, "a directory without one")


def test_the_only_file_of_a_directory(tmp_path: Path) -> None:
    np.savez(tmp_path / "values.bin.npz", x=np.arange(3))
    (tmp_path / "values.bin.npz").rename(tmp_path / "values.bin")
    assert opened(tmp_path) == ("npz", "values.bin")
