"""The functions and classes of `parameters`, made when they are first asked for: dots are written as "_"."""

from __future__ import annotations

import functools
from typing import Any

from tf2bridge.behaviour.arguments import OldClass, function
from tf2bridge.v0.parameters import CLASSES, FUNCTIONS

_DOTTED = {name.replace(".", "_"): name for name in (*FUNCTIONS, *CLASSES)}


@functools.cache
def _made(name: str) -> Any:
    return OldClass(name, CLASSES[name]) if name in CLASSES else function(name, FUNCTIONS[name])


def __getattr__(name: str) -> Any:
    if name in _DOTTED:
        return _made(_DOTTED[name])
    raise AttributeError(name)
