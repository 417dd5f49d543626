"""Flags of a program that have the name of a flag of absl or TensorFlow: `--log_dir`, `--verbosity`, `--profile_file`.

Up to 1.12 no library defined flags with such names. Since 1.15 `import tensorflow` defines some thirty, and a program
that defines one of these again ends with a DuplicateFlagError. Here the name becomes the program's. The library still
reads its own flag, but the command line no longer sets that flag.
"""

from __future__ import annotations

import functools
import sys
from typing import Any

from absl import flags

from tf2bridge.patching import open_set, put, put_item

LIBRARIES = ("absl", "tensorflow", "tf_keras", "keras", "tf2bridge")
"""Packages whose flags are not the program's."""

flags.disclaim_key_flags()  # a flag is of the module that calls this one
_views: dict[Any, _OfLibrary] = {}
"""FLAGS of absl -> what its modules have in its place."""


def install() -> None:
    """Lets programs define flags whose names libraries use, in this process."""
    original, patches = flags.FlagValues.__setitem__, open_set()

    @functools.wraps(original)
    def define(self: Any, name: str, flag: Any) -> None:
        for taken in (name, flag.short_name):
            owner = self.find_module_defining_flag(taken, "")  # "" where there is no such flag
            if is_of_library(owner):
                with patches.collecting():
                    _keep(owner, self, taken)
                self[taken].allow_override = True
        original(self, name, flag)

    put(flags.FlagValues, "__setitem__", define)


def is_of_library(module: str) -> bool:
    """Returns whether a module, given by name, is part of a library and not of the program."""
    return module.partition(".")[0] in LIBRARIES


def _keep(owner: str, values: Any, name: str) -> None:
    """Makes libraries go on to see the current flag `name` after a program has replaced it in `values`."""
    view = _view(values)
    view.__dict__["_own"][name] = values[name]
    for holder in list(vars(sys.modules[owner]).values()) if owner in sys.modules else ():
        if isinstance(holder, flags.FlagHolder) and holder.name == name:
            put(holder, "_flagvalues", view)  # what `held.value` reads


def _view(values: Any) -> _OfLibrary:
    """Returns the FLAGS that modules of absl get when a program first replaces a flag."""
    if values in _views:
        return _views[values]
    put_item(_views, values, view := _OfLibrary(values))
    for name, module in list(sys.modules.items()):
        is_reader = name.startswith("absl.") and not name.startswith("absl.flags")
        if is_reader and vars(module).get("FLAGS") is values:
            put(module, "FLAGS", view)
    return view


class _OfLibrary:
    """FLAGS for a module of a library: it sees the library's flags where the program has replaced them."""

    def __init__(self, values: Any) -> None:
        self.__dict__.update(_values=values, _own={})

    def __getattr__(self, name: str) -> Any:
        return self._own[name].value if name in self._own else getattr(self._values, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._own:
            self._own[name].value = value
        else:
            setattr(self._values, name, value)

    def __getitem__(self, name: str) -> Any:
        return self._own[name] if name in self._own else self._values[name]

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self._values(*arguments, **keywords)
