"""Flags of a program that have the name of a flag of absl or TensorFlow: `--log_dir`, `--v`, `--profile_file`.

Up to 1.12 no library had flags in the program's way; since 1.15 `import tensorflow` defines some twenty, and a program
that defines one of these again ends with a DuplicateFlagError. Here the program's flag takes the library's place.
"""

from __future__ import annotations

import functools
from typing import Any

from absl import flags

_originals: list[Any] = []
_replaced: set[str] = set()
LIBRARIES = ("absl", "tensorflow", "tf_keras", "keras", "tf2bridge")
"""Packages whose flags are not the program's."""

flags.disclaim_key_flags()  # a flag is of the module that calls this one


def install() -> None:
    """Lets programs define flags that libraries have, in this process; twice is harmless."""
    if _originals:
        return
    original = flags.FlagValues.__setitem__

    @functools.wraps(original)
    def define(self: Any, name: str, flag: Any) -> None:
        for taken in {name, flag.short_name} & set(self):
            owner = self.find_module_defining_flag(taken, "")
            if is_of_library(owner):
                self[taken].allow_override = True
                _replaced.add(owner)
        original(self, name, flag)

    _originals.append(original)
    flags.FlagValues.__setitem__ = define


def is_of_library(module: str) -> bool:
    """Whether the flags of a module, by its name, are not the program's."""
    return module.partition(".")[0] in LIBRARIES


def has_replaced_those_of(module: str) -> bool:
    """Whether the program has a flag in place of one of this library's module."""
    return module in _replaced
