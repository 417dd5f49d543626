"""Opening a checkpoint of any format."""

from __future__ import annotations

import os
from pathlib import Path

from tf2bridge.checkpoint.bundle import Bundle
from tf2bridge.checkpoint.places import Form, located, v1_files
from tf2bridge.checkpoint.slices_v1 import SlicesV1
from tf2bridge.checkpoint.stored import Checkpoint


def open(path: str | os.PathLike[str]) -> Checkpoint:  # noqa: A001 (the public name, as in gzip.open)
    """Returns the checkpoint at `path`, its tensors read when they are asked for; close it, or use it in `with`."""
    place = located(Path(path))
    if place.form is Form.V2:
        return Bundle(place.path)
    if place.form is Form.V1:
        return SlicesV1(place.path, v1_files(place.path))
    raise NotImplementedError(place)
