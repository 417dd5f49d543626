"""Functions that choose which versions of an export to keep: `gc` of Estimators and `tf.contrib.learn`."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

from tf2bridge.internals.support import gfile

Path = collections.namedtuple("Path", "path export_version")
Filter = Callable[[Iterable[Path]], list[Path]]


def largest_export_versions(n: int) -> Filter:
    """Keeps the `n` largest versions."""

    def keep(paths: Iterable[Path]) -> list[Path]:
        known = [(path.export_version, place, path) for place, path in enumerate(paths) if _has_version(path)]
        return sorted(path for _, _, path in sorted(known, reverse=True)[:n])

    return keep


def one_of_every_n_export_versions(n: int) -> Filter:
    """Keeps the largest version of each interval [0, n], (n, 2n], (2n, 3n] ..."""

    def keep(paths: Iterable[Path]) -> list[Path]:
        largest: dict[int, Path] = {}
        for path in filter(_has_version, paths):
            interval = (path.export_version - 1) // n if path.export_version else 0
            if interval not in largest or largest[interval].export_version < path.export_version:
                largest[interval] = path
        return sorted(largest.values())

    return keep


def mod_export_version(n: int) -> Filter:
    """Keeps the multiples of `n`."""
    return lambda paths: sorted(path for path in paths if path.export_version % n == 0)


def union(lf: Filter, rf: Filter) -> Filter:
    """Keeps the paths that one of two filters keeps."""

    def keep(paths: Iterable[Path]) -> list[Path]:
        given = list(paths)
        return sorted({*lf(given), *rf(given)})

    return keep


def negation(f: Filter) -> Filter:
    """Keeps the paths that another filter does not keep."""

    def keep(paths: Iterable[Path]) -> list[Path]:
        given = list(paths)
        return sorted(set(given) - set(f(given)))

    return keep


def get_paths(base_dir: Any, parser: Callable[[Path], Path | None]) -> list[Path]:
    """Returns the paths in a directory. `parser` returns the version of a path, or None to leave it out."""
    directory = tf.compat.as_str_any(base_dir)
    names = [tf.compat.as_str_any(name).rstrip("/") for name in gfile.ListDirectory(directory)]
    parsed = (parser(Path(f"{directory.rstrip('/')}/{name}", None)) for name in names)
    return sorted(path for path in parsed if path)


def _has_version(path: Path) -> bool:
    return path.export_version is not None
