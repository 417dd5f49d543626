"""Inputs made up for a graph or model of which nothing is known but types and shapes: the one place of these rules.

Floating and complex numbers are drawn from the standard normal distribution. Whole numbers are 0 or 1, which are labels
and tokens of any vocabulary, or below a limit where the rows of an embedding say one. Booleans are drawn; a single one
says whether something is trained, and is False. Texts are of ten words. A keep probability is 1 and a drop rate 0, as
in inference. A size that is left open is 2 in the first dimension, the batch, and 5 in all others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tf2bridge.formats.dtypes import STRING, numpy_type

BATCH, LENGTH = 2, 5
"""Sizes for what is left open: the first dimension, and all others."""
_KEEP = re.compile(r"keep|dropout_keep", re.I)
_RATE = re.compile(r"drop|rate", re.I)
_FLOATING = ("float16", "bfloat16", "float32", "float64")


def made_up(dtype: str, shape: Sequence[int | None], seed: int, limit: int = 0) -> NDArray[Any]:
    """Returns an array of a type, as TensorFlow calls it, and a shape with None for sizes that are open."""
    sizes = [size if size is not None else (LENGTH if at else BATCH) for at, size in enumerate(shape)]
    generator = np.random.default_rng(seed)
    if dtype == STRING:
        texts = np.empty(sizes, object)
        texts.reshape(-1)[:] = [b"word%d" % each for each in generator.integers(0, 10, int(np.prod(sizes)))]
        return texts
    kind = numpy_type(dtype)
    if limit or dtype not in (*_FLOATING, "complex64", "complex128"):
        return np.asarray(generator.integers(0, limit or 2, sizes)).astype(kind)
    drawn = generator.standard_normal(sizes)
    if kind.kind == "c":
        drawn = drawn + 1j * generator.standard_normal(sizes)
    return np.asarray(drawn).astype(kind)


def for_inference(name: str, dtype: str, shape: Sequence[int | None] | None) -> Any:
    """What a single value besides the data is where nothing is trained, None where that is not known."""
    if shape:
        return None
    if dtype == "bool":
        return False
    if dtype in _FLOATING:
        return 1.0 if _KEEP.search(name) else 0.0 if _RATE.search(name) else None
    return None
