"""`tf.strings.split` of one text gives its words, also with `result_type="RaggedTensor"`. 2.21 nests them."""

from __future__ import annotations

import functools
import importlib
from typing import Any

from tf2bridge.patching import rebind


def install() -> None:
    """Changes the function in this process."""
    tf: Any = importlib.import_module("tensorflow")
    original = tf.compat.v1.strings.split

    @functools.wraps(original)
    def strings_split(
        input: Any = None,  # noqa: A002
        sep: Any = None,
        maxsplit: int = -1,
        result_type: str = "SparseTensor",
        source: Any = None,
        name: str | None = None,
    ) -> Any:
        given = source if input is None else input
        if result_type == "RaggedTensor" and not isinstance(given, tf.RaggedTensor):
            text = tf.convert_to_tensor(given, tf.string)
            if text.shape.rank == 0:
                return tf.strings.split(text, sep, maxsplit, name)
        return original(input, sep, maxsplit, result_type, source, name)

    rebind({id(original): (original, strings_split)})
