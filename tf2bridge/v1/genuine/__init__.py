"""The modules of genuine TensorFlow 0.12.1, 1.4.1, 1.12.3 and 1.15.5, and the names that each of them has.

    names("nn", "1.15.5")                                # dir(tf.nn) of that release
    origin("contrib.layers.python.layers.layers", "np")  # ("/numpy", ""): the module numpy

The data beside this file are built from the genuine releases by fixtures/module_names.py and read on first use. A row
is: module, releases (hexadecimal, bit 0 is the oldest), origin, names. The origin is "" for names that the module
defines itself, MODULES for modules, STAR for the names that `import *` takes, else the module that defines the names.
`name=other` is a name that its origin calls `other`. Modules outside TensorFlow begin with "/". Modules of
`tensorflow_estimator` are listed at `python.estimator...`, where releases before 1.13 had them.
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
    """Returns whether one of the releases has the module `tensorflow.<path>`."""
    return path in _rows() or path in _packages()


def has_module(path: str, release: str) -> bool:
    """Returns whether this release has the module `tensorflow.<path>`."""
    return any(mask & _bit(release) for mask, _, _ in _rows().get(path, ()))


def release_of(path: str, wanted: str) -> str | None:
    """Returns the wanted release if it has the module, else the newest release that has it, or None."""
    return next((release for release in (wanted, *reversed(MEASURED)) if has_module(path, release)), None)


def submodules(path: str) -> list[str]:
    """Returns the names of the modules below a module, in any release; empty if there is no such module."""
    return _packages().get(path, [])


def modules(release: str) -> list[str]:
    """Returns the dotted paths of all modules of a release."""
    return [path for path in _rows() if has_module(path, release)]


def names(path: str, release: str) -> list[str]:
    """Returns the sorted names of a module of one release, private names included; empty without such a module."""
    bit = _bit(release)
    return sorted({own for mask, source, own, _ in _names(path) if mask & bit and source != STAR})


def starred(path: str, release: str) -> list[str]:
    """Returns the names that `from tensorflow.<path> import *` binds in one release."""
    bit = _bit(release)
    listed = sorted({own for mask, source, own, _ in _names(path) if mask & bit and source == STAR})
    return listed or [name for name in names(path, release) if not name.startswith("_")]


@functools.cache
def origin(path: str, name: str, release: str = MEASURED[-1]) -> tuple[str, str] | None:
    """Returns the module that defines `name` of the module `path`, and its name there ("" for the module itself).

    The answer is that of the release, or of the newest release if the release lacks the name. It is None if no release
    has the name, or if `path` itself defines it.
    """
    rows = [
        (mask & _bit(release), mask.bit_length(), source, original)
        for mask, source, own, original in _names(path)
        if own == name and source != STAR
    ]
    if not rows:
        return None
    *_, source, original = max(rows)
    if source == MODULES:
        return original, ""
    return (source, original) if source else None


def _bit(release: str) -> int:
    return 1 << MEASURED.index(release)


def _names(path: str) -> Iterator[tuple[int, str, str, str]]:
    for mask, source, listed in _rows().get(path, ()):
        for text in listed.split():
            own, _, original = text.partition("=")
            yield mask, source, own, original or own


@functools.cache
def _rows() -> dict[str, list[_Row]]:
    rows: dict[str, list[_Row]] = {}
    for line in gzip.decompress(FILE.read_bytes()).decode().splitlines():
        path, mask, source, listed = line.split("\t")
        rows.setdefault(path, []).append((int(mask, 16), source, listed))
    return rows


@functools.cache
def _packages() -> dict[str, list[str]]:
    """Returns package -> last parts of the modules in it. Packages without rows of their own are included."""
    packages: dict[str, set[str]] = {}
    for path in _rows():
        parts = path.split(".")
        for count in range(len(parts)):
            packages.setdefault(".".join(parts[:count]), set()).add(parts[count])
    return {path: sorted(filter(None, below)) for path, below in packages.items()}
