"""Gives variables of recurrent Keras layers the names of 1.15: "lstm/kernel", without the name of the cell in between.

tf_keras opens a name scope for the cell (tf_keras/src/layers/rnn/base_rnn.py, stacked_rnn_cells.py of 2.21), 1.15.5 did
not. A layer without a name gets one from its class by other rules: "conv_lst_m2d" was that of ConvLSTM2D. A checkpoint
that names its variables depends on both.
"""

from __future__ import annotations

import contextlib
import importlib
import re
from types import ModuleType
from typing import Any

from tf2bridge.patching import put

_MODULES = ("tf_keras.src.layers.rnn.base_rnn", "tf_keras.src.layers.rnn.stacked_rnn_cells")


class _BackendWithoutScopes(ModuleType):
    """The module `backend` for these two files, with name scopes that do nothing."""

    def __init__(self, backend: ModuleType) -> None:
        super().__init__(backend.__name__)
        self.__dict__["original"] = backend

    def __getattr__(self, name: str) -> Any:
        return getattr(self.original, name)

    def name_scope(self, name: str) -> contextlib.AbstractContextManager[None]:
        """No scope."""
        del name
        return contextlib.nullcontext()


def install() -> None:
    """Uses the names of 1.15, for the whole process."""
    for name in _MODULES:
        module: Any = importlib.import_module(name)
        put(module, "backend", _BackendWithoutScopes(module.backend))
    words: Any = importlib.import_module("tf_keras.src.utils.generic_utils")
    put(words, "to_snake_case", snake_case)


def snake_case(name: str) -> str:
    """Returns the name that 1.15 gave to a layer of the class `name` ("Conv2D" -> "conv2d").

    Digits belong to a word.
    """
    words = re.sub("(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    words = re.sub("([a-z])([A-Z])", r"\1_\2", words).lower()
    return f"private{words}" if words.startswith("_") else words
