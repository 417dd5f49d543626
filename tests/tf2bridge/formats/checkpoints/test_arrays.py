"""Arrays of NumPy and safetensors are checkpoints too; pickles are never loaded."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from safetensors.numpy import save_file

import tf2bridge
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError, UnsupportedCheckpointError

VALUES = {
    "layer/kernel": np.arange(6, dtype=np.float32).reshape(2, 3),
    "turned": np.asfortranarray(np.arange(24.0).reshape(2, 3, 4)),
    "big_endian": np.arange(5, dtype=">i4"),
    "scalar": np.float16(1.5),
    "empty": np.zeros((0, 3), np.int8),
    "flags": np.array([True, False]),
    "complex": np.array([1 + 2j]),
}


def check_values(path: Path, format_: str) -> None:
    with tf2bridge.checkpoint.open(path) as checkpoint:
        assert checkpoint.format == format_
        assert set(checkpoint) == set(VALUES)
        for name, value in VALUES.items():
            result = checkpoint[name]
            assert result.shape == checkpoint.tensors[name].shape == value.shape
            assert result.dtype == value.dtype.newbyteorder("<")
            np.testing.assert_array_equal(result, value)
            assert b"".join(checkpoint.pieces(name)) == result.tobytes()


def test_npz(tmp_path: Path) -> None:
    np.savez(tmp_path / "stored.npz", **VALUES)
    np.savez_compressed(tmp_path / "packed.npz", **VALUES)
    check_values(tmp_path / "stored.npz", "npz")
    check_values(tmp_path / "packed.npz", "npz")


def test_a_directory_of_npy_files(tmp_path: Path) -> None:
    (tmp_path / "layer").mkdir()
    for name, value in VALUES.items():
        np.save(tmp_path / f"{name}.npy", value)
    (tmp_path / "readme.txt").write_text("arrays")
    check_values(tmp_path, "npy")


def test_texts(tmp_path: Path) -> None:
    np.savez(tmp_path / "texts.npz", bytes=np.array([[b"a", b"\xff"]]), letters=np.array(["ä", "bc"]))
    with tf2bridge.checkpoint.open(tmp_path / "texts.npz") as checkpoint:
        assert checkpoint["bytes"].tolist() == [[b"a", b"\xff"]]
        assert checkpoint["letters"].tolist() == ["ä".encode(), b"bc"]
        assert checkpoint.tensors["letters"].dtype == "string"


def test_objects_are_pickles_and_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "objects.npz", model=np.array([{"a": 1}], object))
    with pytest.raises(UnsupportedCheckpointError, match=r"'model'.*a pickle"):
        tf2bridge.checkpoint.open(tmp_path / "objects.npz")


def test_a_file_that_is_cut_off(tmp_path: Path) -> None:
    np.save(tmp_path / "kernel.npy", np.arange(100))
    content = (tmp_path / "kernel.npy").read_bytes()
    (tmp_path / "kernel.npy").write_bytes(content[:-8])
    with pytest.raises(DamagedCheckpointError, match=r"'kernel': 792 bytes are not int64 of shape \[100\]"):
        tf2bridge.checkpoint.open(tmp_path)


def test_safetensors(tmp_path: Path) -> None:
    values = {name: np.array(value.astype(value.dtype.newbyteorder("<")), order="C") for name, value in VALUES.items()}
    del values["complex"]
    values["brain"] = np.arange(5).astype(ml_dtypes.bfloat16)
    save_file(values, tmp_path / "model.safetensors", {"format": "np"})
    with tf2bridge.checkpoint.open(tmp_path / "model.safetensors") as checkpoint:
        assert checkpoint.format == "safetensors"
        assert set(checkpoint) == set(values)
        for name, value in values.items():
            assert checkpoint[name].dtype == value.dtype
            np.testing.assert_array_equal(checkpoint[name], value)
            assert b"".join(checkpoint.pieces(name)) == value.tobytes()
