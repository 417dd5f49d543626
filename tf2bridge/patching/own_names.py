"""The result of `vars()` for our modules: their names with values that are looked up when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from types import ModuleType
from typing import Any

_HELD = vars(ModuleType)["__dict__"].__get__
"""Returns the dictionary that Python keeps for a module, even if the class of the module defines `__dict__`."""


def own_names(module: Any) -> dict[str, Any]:
    """Returns the dictionary of the names that have been set in a module, or in another object."""
    if not isinstance(module, ModuleType):
        return getattr(module, "__dict__", {})
    names: dict[str, Any] = _HELD(module)
    return names


class Names(MutableMapping[str, Any]):
    """The names that `dir()` lists, as a module's dictionary: `tf.train.__dict__["AdamOptimizer"]`."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getitem__(self, name: str) -> Any:
        own = own_names(self._module)
        if name in own:
            return own[name]
        if name not in dir(self._module):
            raise KeyError(name)
        return getattr(self._module, name)

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self._module, name, value)

    def __delitem__(self, name: str) -> None:
        del own_names(self._module)[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*own_names(self._module), *dir(self._module))))

    def __len__(self) -> int:
        return sum(1 for _ in self)
