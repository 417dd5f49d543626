"""Values of the dotted names that replace removed names in `codemods.removed`."""

from __future__ import annotations

import builtins
import importlib
from typing import Any


def value_of(name: str) -> Any:
    """Returns the value of a dotted name, such as "time.process_time", "int", "errno" or "-numpy.inf".

    Raises:
        ImportError: The library is not installed.
        AttributeError: It has no such name.
    """
    if name.startswith("-"):
        return -value_of(name[1:])
    head, _, rest = name.partition(".")
    if hasattr(builtins, head):
        value, path = getattr(builtins, head), ""
    else:
        value, path = importlib.import_module(head), head
    for part in rest.split(".") if rest else ():
        path = f"{path}.{part}"
        value = getattr(value, part) if hasattr(value, part) else importlib.import_module(path)
    return value
