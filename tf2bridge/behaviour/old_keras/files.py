"""Gives models from h5 files optimizer variables with the names of 1.15, "training/Adam/...".

1.15 built the training function of a loaded model to get these variables. tf_keras makes only the variables, without
the scope (tf_keras/src/saving/legacy/hdf5_format.py of 2.21, `load_model_from_hdf5`).
"""

from __future__ import annotations

import functools
import importlib
from types import ModuleType
from typing import Any

from tf2bridge.patching import put

_MAKER = "_create_all_weights"


class _SavingUtilities(ModuleType):
    """The module `saving_utils` as the reader of h5 files sees it."""

    def __init__(self, original: ModuleType) -> None:
        super().__init__(original.__name__)
        self.__dict__["original"] = original

    def __getattr__(self, name: str) -> Any:
        return getattr(self.original, name)

    def try_build_compiled_arguments(self, model: Any) -> None:
        """Runs when the reader has compiled a model: its training function makes the variables of the optimizer."""
        self.original.try_build_compiled_arguments(model)
        if model._is_graph_network and hasattr(model, "_make_train_function"):
            vars(model.optimizer)[_MAKER] = functools.partial(_train, model)


def install() -> None:
    """Changes the reader, for the whole process."""
    reader: Any = importlib.import_module("tf_keras.src.saving.legacy.hdf5_format")
    put(reader, "saving_utils", _SavingUtilities(reader.saving_utils))
    put(reader, "load_model_from_hdf5", _tidied(reader.load_model_from_hdf5))


def _train(model: Any, variables: Any) -> None:
    del variables
    vars(model.optimizer).pop(_MAKER, None)
    model._make_train_function()


def _tidied(load: Any) -> Any:
    @functools.wraps(load)
    def changed(*args: Any, **kwargs: Any) -> Any:
        model = load(*args, **kwargs)
        if getattr(model, "optimizer", None) is not None:
            vars(model.optimizer).pop(_MAKER, None)
        return model

    return changed
