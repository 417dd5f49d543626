"""Small checkpoints that TensorFlow itself writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge import checkpoint
from tf2bridge.formats.checkpoints.stored import Checkpoint


def written(folder: Path, tensors: Mapping[str, Any]) -> Checkpoint:
    """A V2 checkpoint of these arrays, open."""
    names = sorted(tensors)
    values = [tf.constant(tensors[name]) for name in names]
    tf.raw_ops.SaveV2(
        prefix=str(folder / "model.ckpt"), tensor_names=names, shape_and_slices=[""] * len(names), tensors=values
    )
    result: Checkpoint = checkpoint.open(folder / "model.ckpt")
    return result


def of_shapes(folder: Path, shapes: Mapping[str, Sequence[int]]) -> Checkpoint:
    """The same of shapes: every value of every tensor is another."""
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()])
    arrays = {
        name: np.arange(end - int(np.prod(shape)), end, dtype=np.float32).reshape(shape)
        for (name, shape), end in zip(shapes.items(), ends, strict=True)
    }
    return written(folder, arrays)
