"""Holds all attributes of all modules and classes of the libraries that we change against what they were.

python everything.py CODE       runs CODE between two looks; prints what differs, one "place: before -> after" a line
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

LIBRARIES = ("tensorflow", "keras", "tf_keras", "absl", "numpy")

ABSENT = "absent"


def is_theirs(name: object) -> bool:
    """Whether a module, by its name, is one of these libraries."""
    return str(name).partition(".")[0] in LIBRARIES


def own(owner: Any) -> dict[str, Any]:
    """What an object holds itself: of a module, what is in its dictionary, whatever its class says."""
    if isinstance(owner, ModuleType):
        return dict(ModuleType.__getattribute__(owner, "__dict__"))
    return dict(vars(owner))


def places() -> dict[tuple[str, str], Any]:
    """(module or class, name) -> what is there."""
    values: dict[tuple[str, str], Any] = {}
    classes: dict[int, Any] = {}
    for name, module in list(sys.modules.items()):
        if isinstance(module, ModuleType) and is_theirs(name):
            for attribute, value in own(module).items():
                values[name, attribute] = value
                if isinstance(value, type) and is_theirs(value.__module__):
                    classes[id(value)] = value
    for cls in classes.values():
        for attribute, value in own(cls).items():
            values[f"{cls.__module__}:{cls.__qualname__} {id(cls)}", attribute] = value
        values[f"{cls.__module__}:{cls.__qualname__} {id(cls)}", "__name__"] = cls.__name__
    return values


def differences(before: dict[tuple[str, str], Any], after: dict[tuple[str, str], Any]) -> list[str]:
    """What is not as it was; modules and classes that were loaded since are left out."""
    owners = {owner for owner, _ in before}
    lines = []
    for place in sorted(before.keys() | {place for place in after if place[0] in owners}):
        old, new = before.get(place, ABSENT), after.get(place, ABSENT)
        same = old is new or (isinstance(old, str) and old == new)
        imported = isinstance(new, ModuleType) and (
            old is ABSENT or type(old) is not ModuleType
        )  # or a lazy module was
        if not same and not imported:
            lines.append(f"{place[0].partition(' ')[0]} {place[1]}: {old!r:.80} -> {new!r:.80}")
    return lines


def main() -> None:
    import absl.flags
    import absl.logging
    import keras
    import numpy as np
    import tensorflow as tf
    import tf_keras

    assert absl, (keras, np, tf, tf_keras)
    before = places()
    exec(compile(sys.argv[1], "use", "exec"), {"__name__": "__main__"})  # noqa: S102 - the test's own code
    print("\n".join(differences(before, places())))


if __name__ == "__main__":
    main()
