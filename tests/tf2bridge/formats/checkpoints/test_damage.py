"""A flipped bit or a missing end is never read as other values: the file is refused, or what is read is what was there.

HDF5 files of Keras and safetensors have no checksum, and .npy files neither: of these no more is asked than one clear
error or an end without one.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tf2bridge
from tests.tf2bridge.formats.checkpoints.damaged import SILENT, damages
from tests.tf2bridge.formats.checkpoints.every_form import unpacked_forms
from tests.tf2bridge.formats.checkpoints.keras_files import unpacked_keras
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError

FIXTURES = Path(__file__).parents[4] / "fixtures"
CHECKED = {
    "v1": ("v1", "v1"),
    "v1_sharded": ("v1_sharded", "v1_sharded-00001-of-00002"),
    "v2 index": ("v2", "v2.index"),
    "v2 data": ("v2", "v2.data-00000-of-00001"),
    "v2_sharded index": ("v2_sharded", "v2_sharded.index"),
    "objects index": ("weights", "weights.index"),
    "objects data": ("weights", "weights.data-00001-of-00002"),
    "objects graph": ("weights", "weights.data-00000-of-00002"),
    "npz": ("values.npz", "values.npz"),
    "npz compressed": ("packed.npz", "packed.npz"),
    "keras": ("values.keras", "values.keras"),
}
"""Kind of file -> what is opened, and the file of it that is damaged."""


@pytest.fixture
def folder(tmp_path: Path, tmp_path_factory: Any) -> Path:
    """A copy of the files, which are then damaged."""
    shutil.copytree(unpacked_forms("1.15.5", tmp_path_factory.getbasetemp()), tmp_path, dirs_exist_ok=True)
    shutil.copytree(unpacked_keras(tmp_path_factory.getbasetemp()), tmp_path, dirs_exist_ok=True)
    with tf2bridge.checkpoint.open(tmp_path / "v2") as checkpoint:
        values = {name.replace("/", "."): checkpoint[name] for name in ("rows", "of_int64", "layer/scalar")}
    values["texts"] = np.array([b"one", b"three"])
    np.savez(tmp_path / "values.npz", **values)
    np.savez_compressed(tmp_path / "packed.npz", **values)
    with zipfile.ZipFile(tmp_path / "values.keras", "w") as archive:
        archive.write(tmp_path / "weights.h5", "model.weights.h5")
    from safetensors.numpy import save_file

    save_file({name: value for name, value in values.items() if name != "texts"}, tmp_path / "values.safetensors")
    return tmp_path


def check_never_silent(folder: Path, kind: str, seed: int, count: int) -> None:
    path, damaged = (folder / name for name in CHECKED[kind])
    seen = set()
    for done, result in damages(path, damaged, seed, count):
        assert result != SILENT and not result.startswith("raises"), f"{kind}, {done}: {result}"
        seen.add(result.partition(":")[0])
    assert seen > {"equal"} or "equal" not in seen


@pytest.mark.parametrize("kind", CHECKED)
def test_damage_is_never_silent(kind: str, folder: Path) -> None:
    check_never_silent(folder, kind, seed=1, count=30)


@pytest.mark.soak
@pytest.mark.parametrize("kind", CHECKED)
def test_much_damage_is_never_silent(kind: str, folder: Path) -> None:
    check_never_silent(folder, kind, seed=2, count=1000)


def check_ends_clearly(path: Path, count: int) -> None:
    """No crash, no hang and no other error than ours, in a process of its own."""
    script = "tests.tf2bridge.formats.checkpoints.damaged"
    command = [sys.executable, "-m", script, str(path), str(path), "1", str(count)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    result = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(result) == count
    assert not [item for item in result if item[1].startswith("raises")]


@pytest.mark.parametrize("name", ["weights.h5", "values.safetensors"])
def test_damage_without_a_checksum_ends_clearly(name: str, folder: Path) -> None:
    check_ends_clearly(folder / name, 30)


@pytest.mark.soak
@pytest.mark.parametrize("name", ["weights.h5", "model.h5", "values.safetensors"])
def test_much_damage_without_a_checksum_ends_clearly(name: str, folder: Path) -> None:
    check_ends_clearly(folder / name, 1000)


def test_the_damaged_tensor_is_named_and_the_others_are_read(folder: Path) -> None:
    with tf2bridge.checkpoint.open(folder / "v2") as checkpoint:
        place, result = checkpoint.parts("rows")[1].source.offset + 3, checkpoint["columns"]
    file = folder / "v2.data-00000-of-00001"
    data = file.read_bytes()
    file.write_bytes(data[:place] + b"\xff" + data[place + 1 :])
    with tf2bridge.checkpoint.open(folder / "v2") as checkpoint:
        with pytest.raises(DamagedCheckpointError, match="tensor 'rows'"):
            checkpoint["rows"]
        with pytest.raises(DamagedCheckpointError, match="tensor 'rows'"):
            list(checkpoint.pieces("rows"))
        np.testing.assert_array_equal(checkpoint["columns"], result)
