"""Modules of libraries that programs of 2016 to 2019 import under a removed name.

scikit-learn included joblib and six until 0.23, and had other names for `model_selection` until 0.20 (its release
notes). The functions are unchanged. The iterators, such as KFold, take other arguments now and are left out.
"""

from __future__ import annotations

import importlib
import importlib.util
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from codemods.removed.of_modules import CROSS_VALIDATION, OTHERS
from tf2bridge.v1.existing import ExistingModule

WHOLE = {name: row.new for name, row in OTHERS.items() if row.new}
"""Modules that are libraries of their own."""

_PARTS = {
    "sklearn.cross_validation": (
        "sklearn.model_selection",
        tuple(name.rpartition(".")[2] for name in CROSS_VALIDATION),
    ),
}
"""Modules of which only these names are what they were."""


def moved_spec(name: str) -> ModuleSpec | None:
    """Returns the spec of a module under its old name, None if it has not moved or its library is not installed."""
    if name in WHOLE and importlib.util.find_spec(WHOLE[name]) is not None:
        return ModuleSpec(name, ExistingModule(importlib.import_module(WHOLE[name])))
    return ModuleSpec(name, ExistingModule(_part(name))) if name in _PARTS else None


def _part(name: str) -> ModuleType:
    """Returns a module with the names that moved unchanged. Other names raise an error that says where they are now."""
    home, names = _PARTS[name]
    module = ModuleType(name)
    module.__dict__.update({kept: getattr(importlib.import_module(home), kept) for kept in names})

    def missing(wanted: str) -> Any:
        raise AttributeError(
            f"{name}.{wanted}: scikit-learn 0.20 removed {name}; "
            f"what is called {wanted} in {home} takes other arguments"
        )

    module.__dict__["__getattr__"] = missing
    return module
