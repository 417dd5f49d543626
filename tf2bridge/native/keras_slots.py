"""How Keras names what an optimizer keeps: the slots of TensorFlow 1 by the choices of a map."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from codemods.native.choices import KerasChoice


def native_slots(choices: Sequence[KerasChoice], names: Iterable[str], paths: Mapping[str, str]) -> dict[str, str]:
    """Returns recorded variable of an optimizer -> the variable of Keras that stands for it, or "" for none.

    Keras names what it keeps for the variable `net/w` after it, `net_w_0_momentum`.

    Args:
        choices: The choices of the map.
        names: The names of all recorded variables.
        paths: Recorded variable -> its native name, where that is another one.
    """
    names = list(names)
    slots = {slot: ending for choice in choices if choice.keras for slot, ending in choice.slots.items()}
    native_names: dict[str, str] = {}
    for name in names:
        before, _, last = name.rpartition("/")
        if re.sub(r"(_power)_\d+$", r"\1", last) in slots and last.startswith("beta"):
            native_names[name] = ""
        elif last in slots:
            base = max((of for of in names if f"/{before}".endswith(f"/{of}")), key=len, default="")
            path = paths.get(base, base)
            is_named = base and ":" not in path and slots[last]
            native_names[name] = f"{path.replace('/', '_')}_0_{slots[last]}" if is_named else ""
    return native_names
