"""The whole list of what `tf2bridge.v1` supplies itself; every other name is that of `tf.compat.v1`.

Each module beside this file lists one part of the namespace, in up to six dictionaries:
OWN, TF1 name -> "module:attribute" of the implementation;
ALIASES, TF1 name -> another TF1 name of the same meaning, parameters and default op name (contrib: as in 1.15.5);
SOURCES, namespace -> the module of TensorFlow or tf_keras whose names it holds;
MOVED, module below `tensorflow.python` that went away -> the public namespace that holds what it held;
HELD, module below `tensorflow.python` -> the modules of tf_keras or TensorFlow that hold what was private in it;
ENDED, TF1 name of OWN -> the first release that had it no more.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from tf2bridge.v1.namespace import Tree


def _parts() -> Iterator[object]:
    for found in pkgutil.iter_modules(__path__):
        yield importlib.import_module(f"{__name__}.{found.name}")


def _merged(kind: str) -> dict[str, str]:
    """The dictionaries of this name in all parts, as one. Raises ValueError where two parts list the same name."""
    whole: dict[str, str] = {}
    for part in _parts():
        rows: dict[str, str] = getattr(part, kind, {})
        if twice := whole.keys() & rows.keys():
            raise ValueError(f"listed twice in {kind}: {', '.join(sorted(twice))}")
        whole.update(rows)
    return whole


TREE = Tree(
    "tf2bridge.v1",
    own=_merged("OWN"),
    aliases=_merged("ALIASES"),
    sources=_merged("SOURCES"),
    moved=_merged("MOVED"),
    held=_merged("HELD"),
    ended=_merged("ENDED"),
)
