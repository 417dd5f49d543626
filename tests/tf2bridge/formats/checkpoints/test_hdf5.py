"""Files of Keras are read as Keras loads them: of Keras 1 and 2 by what genuine 1.15.5 wrote, of Keras 3 by its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import keras
import numpy as np
import pytest

import tf2bridge
from tests.tf2bridge.formats.checkpoints.keras_files import unpacked_keras
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError, UnsupportedCheckpointError
from tf2bridge.formats.refusals import UnsupportedTypeError


@pytest.mark.parametrize(("name", "count"), [("weights.h5", 14), ("model.h5", 39)])
def test_weights_are_those_that_the_same_model_saved_as_a_checkpoint(
    name: str, count: int, tmp_path_factory: Any
) -> None:
    folder = unpacked_keras(tmp_path_factory.getbasetemp())
    with tf2bridge.checkpoint.open(folder / "weights") as checkpoint:
        expected = {info.full_name: checkpoint[info.name] for info in checkpoint.tensors.values()}
    with tf2bridge.checkpoint.open(folder / name) as checkpoint:
        assert (checkpoint.format, len(checkpoint)) == ("h5", count)
        for info in checkpoint.tensors.values():
            np.testing.assert_array_equal(checkpoint[info.name], expected[info.full_name], info.name)
            assert b"".join(checkpoint.pieces(info.name)) == checkpoint[info.name].tobytes()


def test_weights_are_in_the_order_of_keras(tmp_path_factory: Any) -> None:
    with tf2bridge.checkpoint.open(unpacked_keras(tmp_path_factory.getbasetemp()) / "model.h5") as checkpoint:
        names = [name for name in checkpoint if name.startswith("model_weights/inner/")]
    leaves = ["conv/kernel:0", "norm/gamma:0", "norm/beta:0", "norm/moving_mean:0", "norm/moving_variance:0"]
    assert names == [f"model_weights/inner/{leaf}" for leaf in leaves]


def test_long_lists_of_names_that_keras_split(tmp_path: Path) -> None:
    layers = [f"dense_{number}" for number in range(12)]
    with h5py.File(tmp_path / "split.h5", "w") as file:  # as save_attributes_to_hdf5_group of Keras 2 does
        file.attrs["layer_names0"] = [name.encode() for name in layers[:7]]
        file.attrs["layer_names1"] = [name.encode() for name in layers[7:]]
        for number, name in enumerate(layers):
            file.create_group(name).attrs["weight_names"] = [f"{name}/kernel:0".encode()]
            file[name][f"{name}/kernel:0"] = np.full(2, number, np.float32)
    with tf2bridge.checkpoint.open(tmp_path / "split.h5") as checkpoint:
        assert [info.full_name for info in checkpoint.tensors.values()] == [f"{name}/kernel" for name in layers]
        assert [checkpoint[name][0] for name in checkpoint] == list(range(12))


@pytest.mark.parametrize("name", ["model.keras", "model.weights.h5"])
def test_files_of_keras_3(name: str, tmp_path: Path) -> None:
    layers = [keras.layers.Dense(3, dtype="bfloat16" if place == 1 else "float32") for place in range(11)]
    model = keras.Sequential([keras.layers.Input((3,)), *layers])
    model.save(tmp_path / name) if name.endswith(".keras") else model.save_weights(tmp_path / name)
    with tf2bridge.checkpoint.open(tmp_path / name) as checkpoint:
        assert checkpoint.format == name.partition(".")[2]
        assert len(checkpoint) == len(model.weights) == 22
        for result, variable in zip(checkpoint, model.weights, strict=True):
            expected = keras.ops.convert_to_numpy(variable)
            assert checkpoint.tensors[result].dtype == keras.backend.standardize_dtype(variable.dtype)
            assert checkpoint[result].tobytes() == expected.tobytes(), result


def test_values_that_lie_in_other_files_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(bytes(16))
    with h5py.File(tmp_path / "links.h5", "w") as file:
        file.create_dataset("outside", (4,), "f4", external=[(str(tmp_path / "secret"), 0, 16)])
        file["link"] = h5py.ExternalLink("other.h5", "/x")
        file["dates"] = np.zeros(2, [("day", "i4"), ("year", "i4")])
    with tf2bridge.checkpoint.open(tmp_path / "links.h5") as checkpoint:
        assert set(checkpoint) == {"outside", "dates"}
        with pytest.raises(UnsupportedCheckpointError, match=r"'outside'.*in other files"):
            checkpoint["outside"]
        with pytest.raises(UnsupportedTypeError, match="'dates'"):
            checkpoint["dates"]


def test_values_that_were_never_written(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "unwritten.h5", "w") as file:
        file.create_dataset("kernel", (4, 4), "f4")
    with (
        tf2bridge.checkpoint.open(tmp_path / "unwritten.h5") as checkpoint,
        pytest.raises(DamagedCheckpointError, match=r"'kernel'.*only 0 of the 64 bytes"),
    ):
        checkpoint["kernel"]
