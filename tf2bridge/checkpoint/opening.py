"""Opening a checkpoint of any format."""

from __future__ import annotations

import os
from pathlib import Path

from tf2bridge.checkpoint.bundle import Bundle
from tf2bridge.checkpoint.stored import Checkpoint


def open(path: str | os.PathLike[str]) -> Checkpoint:  # noqa: A001 (the public name, as in gzip.open)
    """Returns the checkpoint at `path`, its tensors read when they are asked for; close it, or use it in `with`."""
    return Bundle(Path(path))
