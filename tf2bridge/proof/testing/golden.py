"""Values that a test stores once and is held to ever after."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from tf2bridge.proof.numbers.tolerance import Tolerance
from tf2bridge.proof.testing.computed_arrays import Arrays, named
from tf2bridge.proof.testing.equivalence import check, compared
from tf2bridge.proof.testing.refusals import DamagedValuesError, GenuineKeptError, NothingStoredError

_RELEASE = "tensorflow"
_PREFIX = "value:"


def held_to(path: Path, values: Any, tolerance: Tolerance, update: str) -> int:
    """Compares values with those stored at `path`, or stores them where `update` says so ("new" or "force").

    Returns how many there are. Raises NotEquivalentError, NothingStoredError, GenuineKeptError, DamagedValuesError.
    """
    __tracebackhide__ = True
    arrays = named(values)
    if update:
        keep_genuine(path, update)
        _write(path, arrays)
        return len(arrays)
    if not path.is_file():
        raise NothingStoredError(
            path, "store what TensorFlow 1.x computed with numpy.savez, by the names of the values"
        )
    rows = compared(_read(path), arrays, tolerance)
    check(rows, f"{path.name}: ")
    return len(rows)


def keep_genuine(path: Path, update: str) -> None:
    """Raises GenuineKeptError for a file that TensorFlow 2 did not write, unless the update is forced."""
    if update != "force" and path.is_file() and not (release := _release(path)).startswith("2."):
        raise GenuineKeptError(path, release)


def _release(path: Path) -> str:
    with _opened(path) as stored:
        return str(stored[_RELEASE]) if _RELEASE in stored else "1.x or by hand"


def _read(path: Path) -> Arrays:
    with _opened(path) as stored:
        try:
            own = {name: stored[name] for name in stored.files if name != _RELEASE}
        except (ValueError, OSError, zipfile.BadZipFile) as error:
            raise DamagedValuesError(path, str(error)) from error
    return {name.removeprefix(_PREFIX): array for name, array in own.items()}


def _opened(path: Path) -> Any:
    try:
        return np.load(path, allow_pickle=False)
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise DamagedValuesError(path, str(error)) from error


def _write(path: Path, values: Arrays) -> None:
    from tf2bridge.behaviour.installed import tensorflow

    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part-{os.getpid()}")
    arrays: dict[str, Any] = {f"{_PREFIX}{name}": array for name, array in values.items()}
    arrays[_RELEASE] = np.asarray(tensorflow().__version__)
    with part.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
    part.replace(path)
