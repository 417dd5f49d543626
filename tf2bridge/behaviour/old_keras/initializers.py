"""`tf.keras.initializers.Initializer` of 1.15, which is the base of TensorFlow's own initializers, too.

tf_keras has a base of its own, and takes those of TensorFlow 1.x beside it.
"""

from __future__ import annotations

import importlib
from typing import Any

from tf2bridge import internals

_Base: Any = importlib.import_module("tf_keras.src.initializers.initializers").Initializer
_Old: Any = internals.ops.init_ops.Initializer


class _OfBoth(type):
    def __subclasscheck__(cls, kind: Any) -> bool:
        both = (_Base, _Old) if cls is Initializer else ()
        return super().__subclasscheck__(kind) or any(base in getattr(kind, "__mro__", ()) for base in both)

    def __instancecheck__(cls, value: Any) -> bool:
        return cls.__subclasscheck__(type(value))


class Initializer(_Base, metaclass=_OfBoth):  # type: ignore[misc]  # no types
    """The base class for initializers of programs. All initializers of tf_keras and TensorFlow count as instances."""
