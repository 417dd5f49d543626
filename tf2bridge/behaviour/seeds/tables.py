"""Dense hash tables without a key for removed entries, as in `tf.contrib.lookup` up to 1.12.

As in `rules`, a function takes the original and returns its replacement.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.patching import Function

_PARAMETERS = ("initial_num_buckets", "shared_name", "name", "checkpoint")
"""The parameters after `empty_key` up to 1.12 (contrib/lookup/lookup_ops.py)."""

_TEXT = b"\0 a key that stands for removed ones \0"


def without_deleted_key(original: Function) -> Function:
    """Returns `MutableDenseHashTable.__init__` with a default key for removed entries.

    Tables had no `remove`, so no entry gets this key. A program must not insert it.
    """

    @functools.wraps(original)
    def initialize(self: Any, key_dtype: Any, value_dtype: Any, default_value: Any, *args: Any, **kwargs: Any) -> None:
        given = {**dict(zip(("empty_key", *_PARAMETERS), args, strict=False)), **kwargs}
        if "deleted_key" in given or "empty_key" not in given:
            original(self, key_dtype, value_dtype, default_value, *args, **kwargs)
            return
        if given.get("shared_name", "") is None:
            del given["shared_name"]  # None is the default; TensorFlow 2 has no such parameter
        kind = tensorflow().as_dtype(key_dtype)
        original(
            self, key_dtype, value_dtype, default_value, **{**given, "deleted_key": _other(kind, given["empty_key"])}
        )

    return initialize


def _other(kind: Any, empty_key: Any) -> Any:
    """Returns a key, or a row of keys, that differs from the empty key and that programs are unlikely to use."""
    numpy: Any = importlib.import_module("numpy")
    empty = numpy.asarray(tensorflow().get_static_value(tensorflow().convert_to_tensor(empty_key, kind)))
    if kind == "string":
        return numpy.full(empty.shape, _TEXT, object)
    return numpy.full(empty.shape, kind.min + int((empty == kind.min).all()), kind.as_numpy_dtype)
