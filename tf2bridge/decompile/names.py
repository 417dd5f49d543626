"""Python names for what has a name in the graph."""

from __future__ import annotations

import builtins
import keyword
import re

_TAKEN = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), "tf", "np", "keras", "self", "training"}


def identifier(name: str) -> str:
    """Returns a valid Python name, in lower case, that is no keyword and no name of `builtins`."""
    text = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").lower() or "value"
    text = f"_{text}" if text[0].isdigit() else text
    return f"{text}_" if text in _TAKEN else text


class Names:
    """Names that are taken in a scope of Python; a scope inside another one starts with the outer one's names."""

    def __init__(self, outer: Names | None = None) -> None:
        self._taken: set[str] = set(outer._taken) if outer else set(_TAKEN)

    def new(self, name: str) -> str:
        """Returns an identifier like `name` that is not taken yet, and takes it."""
        base = identifier(name)
        candidate, number = base, 1
        while candidate in self._taken:
            number += 1
            candidate = f"{base.rstrip('_')}_{number}"
        self._taken.add(candidate)
        return candidate

    def new_class(self, name: str) -> str:
        """Returns a name of a class like `name` that is not taken yet, and takes it."""
        base = re.sub(r"^\d+|\W", "", name, flags=re.ASCII) or "Block"
        candidate, number = base, 1
        while candidate in self._taken:
            number += 1
            candidate = f"{base}{number}"
        self._taken.add(candidate)
        return candidate
