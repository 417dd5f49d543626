"""Makes example inputs for a graph or model from their types and shapes. All parts use these rules.

- Floating and complex numbers come from the standard normal distribution.
- Integers are 0 or 1, which are valid labels and tokens of any vocabulary. A limit, such as the number of rows of an
  embedding, allows more.
- Booleans are drawn. A scalar boolean is False: it usually says whether the model trains.
- Texts are one of ten words.
- A keep probability is 1 and a drop rate is 0, as in inference.
- An unknown size is 2 in the first dimension, the batch, and 5 in all others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tf2bridge.formats.dtypes import STRING, numpy_type

BATCH, LENGTH = 2, 5
"""The values of unknown sizes: of the first dimension, and of all others."""
_KEEP = re.compile(r"keep|dropout_keep", re.I)
_RATE = re.compile(r"drop|rate", re.I)
_FLOATING = ("float16", "bfloat16", "float32", "float64")


def made_up(dtype: str, shape: Sequence[int | None], seed: int, limit: int = 0) -> NDArray[Any]:
    """Returns an example array.

    Args:
        dtype: the name of the type in TensorFlow.
        shape: the shape, with None for unknown sizes.
        seed: the seed of the random numbers.
        limit: integers are below this number; 0 means 2.
    """
    sizes = [size if size is not None else (LENGTH if axis else BATCH) for axis, size in enumerate(shape)]
    generator = np.random.default_rng(seed)
    if dtype == STRING:
        texts = np.empty(sizes, object)
        texts.reshape(-1)[:] = [b"word%d" % number for number in generator.integers(0, 10, int(np.prod(sizes)))]
        return texts
    kind = numpy_type(dtype)
    if limit or dtype not in (*_FLOATING, "complex64", "complex128"):
        return np.asarray(generator.integers(0, limit or 2, sizes)).astype(kind)
    drawn = generator.standard_normal(sizes)
    if kind.kind == "c":
        drawn = drawn + 1j * generator.standard_normal(sizes)
    return np.asarray(drawn).astype(kind)


def for_inference(name: str, dtype: str, shape: Sequence[int | None] | None) -> Any:
    """Returns the inference value of a scalar input such as a keep probability, or None if the name does not tell."""
    if shape:
        return None
    if dtype == "bool":
        return False
    if dtype in _FLOATING:
        return 1.0 if _KEEP.search(name) else 0.0 if _RATE.search(name) else None
    return None
