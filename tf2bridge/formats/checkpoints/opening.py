"""Opens a checkpoint of any format."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from tf2bridge.formats import sidecars
from tf2bridge.formats.checkpoints.forms import Form, v1_files
from tf2bridge.formats.checkpoints.places import located
from tf2bridge.formats.checkpoints.stored import Checkpoint

_ANY_SHARD = re.compile(r"-\?{5}-of-\d{5}$")


def open(path: str | os.PathLike[str]) -> Checkpoint:  # noqa: A001 (the public name, as in gzip.open)
    """Returns the checkpoint at `path`. Each tensor is read and checked at its first use.

    `path` is one of these, recognized by its content:
    - A prefix (model.ckpt-5) or one of its files: V1 or V2, sharded or not.
    - A state file (`checkpoint`).
    - A directory: the newest checkpoint of its state file, the variables of its SavedModel, its only checkpoint, or its
      .npy files.
    - An .h5, .weights.h5, .keras, .npz or safetensors file.

    Close the checkpoint, or use it in `with`. TensorFlow is not imported. Raises NoCheckpointError, NoIndexError,
    NewestGoneError, SeveralCheckpointsError, MissingShardError, DamagedCheckpointError, UnsupportedCheckpointError,
    MissingExtraError, and ChecksumError if it differs from its sidecar.
    """
    place = located(Path(path))
    sidecars.verify(place.path.with_name(_ANY_SHARD.sub("", place.path.name)))
    return _OPENED[place.form](place.path)


def _v1(path: Path) -> Checkpoint:
    from tf2bridge.formats.checkpoints.slices_v1 import SlicesV1

    return SlicesV1(path, v1_files(path))


def _v2(path: Path) -> Checkpoint:
    from tf2bridge.formats.checkpoints.bundle import Bundle

    return Bundle(path)


def _hdf5(path: Path) -> Checkpoint:
    from tf2bridge.formats.checkpoints.hdf5 import Hdf5

    return Hdf5(path)


def _arrays(path: Path) -> Checkpoint:
    from tf2bridge.formats.checkpoints.npy import Arrays

    return Arrays(path)


def _safetensors(path: Path) -> Checkpoint:
    from tf2bridge.formats.checkpoints.safetensors_file import Safetensors

    return Safetensors(path)


_OPENED: dict[Form, Callable[[Path], Checkpoint]] = {
    Form.V1: _v1,
    Form.V2: _v2,
    Form.HDF5: _hdf5,
    Form.KERAS: _hdf5,
    Form.NPZ: _arrays,
    Form.NPY: _arrays,
    Form.SAFETENSORS: _safetensors,
}
