"""Object-based checkpoints say what their tensors are of: whose attribute, whose slot, and their names in TF 1.x."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tests.tf2bridge.formats.checkpoints.keras_files import FOLDER
from tests.tf2bridge.graph.recorded import unpacked
from tf2bridge.formats.checkpoints.bundle import Bundle
from tf2bridge.formats.checkpoints.objects import VARIABLE, described_objects
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError


def test_weights_that_keras_of_1_15_saved() -> None:
    with Bundle(FOLDER / "weights") as checkpoint:
        assert checkpoint.format == "objects"
        kernel = "layer_with_weights-3/kernel"
        end = f".ATTRIBUTES/{VARIABLE}"
        result = checkpoint.objects[f"{kernel}/{end}"]
        assert (result.path, result.full_name, result.attribute, result.slot) == (kernel, "output/kernel", VARIABLE, "")
        slot = checkpoint.objects[f"{kernel}/.OPTIMIZER_SLOT/optimizer/m/{end}"]
        assert (slot.slot, slot.slot_of, slot.optimizer) == ("m", f"{kernel}/{end}", "optimizer")
        assert checkpoint.tensors[slot.key].full_name == slot.full_name == "training/Adam/output/kernel/m"
        assert set(checkpoint) <= set(checkpoint.objects)


def test_a_tree_of_objects_of_today(tmp_path: Path) -> None:
    root = tf.train.Checkpoint(step=tf.Variable(3, name="step"), layers=[tf.Variable([1.0], name="first")])
    root.save(str(tmp_path / "ckpt"))
    with Bundle(tmp_path / "ckpt-1") as checkpoint:
        paths = {entry.path: entry.full_name for entry in checkpoint.objects.values() if entry.attribute == VARIABLE}
        assert paths == {"step": "step", "layers/0": "first", "save_counter": "save_counter"}
        key = next(entry.key for entry in checkpoint.objects.values() if entry.path == "layers/0")
        np.testing.assert_array_equal(checkpoint[key], [1.0])


def test_a_saver_says_nothing_of_objects(tmp_path_factory: Any) -> None:
    folder = unpacked("1.15.5/mlp_adam", tmp_path_factory.getbasetemp()).folder
    with Bundle(folder / "model.ckpt") as checkpoint:
        assert (checkpoint.format, dict(checkpoint.objects)) == ("V2", {})


@pytest.mark.parametrize("data", [b"\x0a\xff", b"\x0a\x04\x0a\x02\x08\x07"])  # cut off, and a child that is not there
def test_a_graph_of_objects_that_cannot_be_read(data: bytes) -> None:
    with pytest.raises(DamagedCheckpointError, match="its graph of objects cannot be read"):
        described_objects(Path("ckpt-1"), data)
