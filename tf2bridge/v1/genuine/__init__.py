"""The modules of genuine TensorFlow 0.12.1, 1.4.1, 1.12.3 and 1.15.5, and the names that each of them has.

    names("nn", "1.15.5")                                # what dir(tf.nn) gives there
    origin("contrib.layers.python.layers.layers", "np")  # ("/numpy", ""): the module numpy

The data beside this file are built from the genuine releases by fixtures/module_names.py and read on first use. A row
is: module, releases (hexadecimal, bit 0 is the oldest), origin, names. The origin is "" for names that the module
defines itself, MODULES for modules, STAR for the names that `import *` takes, else the module that defines the names.
`name=other` is a name that is called `other` where it comes from. "/" is before modules outside TensorFlow. Modules
of `tensorflow_estimator` stand at `python.estimator...`, where releases before 1.13 had them.
"""

from __future__ import annotations

import functools
import gzip
from collections.abc import Iterator
from pathlib import Path

from tf2bridge.behaviour.release import MEASURED

FILE = Path(__file__).parent / "modules.tsv.gz"
MODULES = "*"
STAR = "__all__"
_Row = tuple[int, str, str]


def is_module(path: str) -> bool:
    """Whether one of the releases has the module `tensorflow.<path>`."""
    return path in _rows() or path in _packages()


def has_module(path: str, release: str) -> bool:
    """Whether this release has the module `tensorflow.<path>`."""
    return any(mask & _bit(release) for mask, _, _ in _rows().get(path, ()))


def release_of(path: str, wanted: str) -> str | None:
    """The wanted release if it has the module, else the newest that has it; None if none has it."""
    return next((release for release in (wanted, *reversed(MEASURED)) if has_module(path, release)), None)


def submodules(path: str) -> list[str]:
    """The names of the modules below a module, in any release; none if there is no such module."""
    return _packages().get(path, [])


def modules(release: str) -> list[str]:
    """The dotted paths of all modules of a release."""
    return [path for path in _rows() if has_module(path, release)]


def names(path: str, release: str) -> list[str]:
    """The names of a module of one release, in order, those that begin with "_" too; none if it has no such module."""
    bit = _bit(release)
    return sorted({own for mask, source, own, _ in _names(path) if mask & bit and source != STAR})


def starred(path: str, release: str) -> list[str]:
    """The names that `from tensorflow.<path> import *` gives in one release."""
    bit = _bit(release)
    listed = sorted({own for mask, source, own, _ in _names(path) if mask & bit and source == STAR})
    return listed or [name for name in names(path, release) if not name.startswith("_")]


@functools.cache
def origin(path: str, name: str, release: str = MEASURED[-1]) -> tuple[str, str] | None:
    """The module that `name` of the module `path` comes from, and its name there ("" if it is that module itself).

    The release decides, or else the newest that has the name. None if none has it, or if `path` itself defines it.
    """
    found = [
        (mask & _bit(release), mask.bit_length(), source, other)
        for mask, source, own, other in _names(path)
        if own == name and source != STAR
    ]
    if not found:
        return None
    *_, source, other = max(found)
    if source == MODULES:
        return other, ""
    return (source, other) if source else None


def _bit(release: str) -> int:
    return 1 << MEASURED.index(release)


def _names(path: str) -> Iterator[tuple[int, str, str, str]]:
    for mask, source, listed in _rows().get(path, ()):
        for text in listed.split():
            own, _, other = text.partition("=")
            yield mask, source, own, other or own


@functools.cache
def _rows() -> dict[str, list[_Row]]:
    found: dict[str, list[_Row]] = {}
    for line in gzip.decompress(FILE.read_bytes()).decode().splitlines():
        path, mask, source, listed = line.split("\t")
        found.setdefault(path, []).append((int(mask, 16), source, listed))
    return found


@functools.cache
def _packages() -> dict[str, list[str]]:
    """For each package, the last parts of the modules in it; packages above modules are there without rows, too."""
    found: dict[str, set[str]] = {}
    for path in _rows():
        parts = path.split(".")
        for count in range(len(parts)):
            found.setdefault(".".join(parts[:count]), set()).add(parts[count])
    return {path: sorted(filter(None, below)) for path, below in found.items()}
