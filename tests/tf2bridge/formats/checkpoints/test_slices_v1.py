"""V1 checkpoints whose tensors are larger than what is read at once; small ones of every type are in test_opening."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError
from tf2bridge.formats.checkpoints.stored import PIECE

v1 = tf.compat.v1
VALUES = {
    "floats": np.random.default_rng(0).random((3, 1 << 20)).astype(np.float32),
    "numbers": np.random.default_rng(0).integers(-(2**62), 2**62, 1_200_000) >> np.arange(1_200_000) % 62,
}
"""Of 12 MB and, as varints of one to ten bytes, of more than 8 MB."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A V1 checkpoint of variables of more than a piece each."""
    path = tmp_path_factory.mktemp("large") / "model.ckpt"
    with tf.Graph().as_default():
        values = {name: v1.placeholder(value.dtype, value.shape) for name, value in VALUES.items()}
        variables = [v1.Variable(value, name=name, trainable=False) for name, value in values.items()]
        saver = v1.train.Saver(variables, write_version=v1.train.SaverDef.V1)
        with v1.Session() as session:
            given = {values[name]: value for name, value in VALUES.items()}
            session.run([variable.initializer for variable in variables], given)
            saver.save(session, str(path), write_meta_graph=False)
    return path


@pytest.mark.parametrize("name", VALUES)
def test_tensors_of_several_pieces(name: str, large: Path) -> None:
    with tf2bridge.checkpoint.open(large) as checkpoint:
        assert checkpoint.format == "V1"
        sizes = [len(piece) for piece in checkpoint.pieces(name)]
        assert max(sizes) <= PIECE
        assert len(sizes) > 1
        np.testing.assert_array_equal(checkpoint[name], VALUES[name])


def test_damage_in_a_large_block_names_the_tensor(large: Path, tmp_path: Path) -> None:
    content = bytearray(large.read_bytes())
    place = content.index(VALUES["floats"][2].tobytes()[:64]) + 5
    content[place] ^= 1
    (tmp_path / "model.ckpt").write_bytes(content)
    with tf2bridge.checkpoint.open(tmp_path / "model.ckpt") as checkpoint:
        with pytest.raises(DamagedCheckpointError, match="tensor 'floats': the block at byte"):
            checkpoint["floats"]
        np.testing.assert_array_equal(checkpoint["numbers"], VALUES["numbers"])
