"""`h5py` for programs of TF 1.x, with what h5py 3.0 changed or removed (its release notes).

Without a mode, a file is opened for writing or made. Attributes of variable-length ASCII are bytes, and datasets of
variable-length UTF-8 are str; h5py 3 swapped both. `dataset.value` is the whole dataset. Only what the program opens
by itself is so: libraries keep the installed h5py.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable
from types import ModuleType
from typing import Any

import h5py
import numpy as np

_MODES = ("r+", "r", "x")
"""What h5py 2 tried one after the other where no mode was given."""


def old_h5py() -> ModuleType:
    """Returns a module `h5py` whose files are as in h5py 2; all its other names are those of h5py."""
    module = ModuleType("h5py", h5py.__doc__)
    module.__dict__.update({name: value for name, value in vars(h5py).items() if name != "__builtins__"})
    module.__dict__["File"] = File
    module.__dict__["__getattr__"] = lambda name: getattr(h5py, name)
    return module


def _converted(value: Any, dtype: Any, encoding: str, convert: Callable[[Any], Any]) -> Any:
    """Returns what was read as `dtype`, with variable-length strings of this encoding converted."""
    if dtype.names and isinstance(value, np.ndarray | np.void):
        for name in set(dtype.names) & set(value.dtype.names or ()):
            value[name] = _converted(value[name], dtype[name], encoding, convert)
        return value
    kind = h5py.check_string_dtype(dtype)
    if kind is None or kind.length is not None or kind.encoding != encoding:
        return value
    if not isinstance(value, np.ndarray):
        return convert(value)
    return np.array([convert(one) for one in value.flat], object).reshape(value.shape)


def _bytes(value: Any) -> Any:
    return value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value


def _text(value: Any) -> Any:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


def _old(value: Any) -> Any:
    """Makes an object of h5py one of these classes, which add methods alone."""
    of_2 = {h5py.File: File, h5py.Group: Group, h5py.Dataset: Dataset}.get(type(value))
    if of_2 is not None:
        value.__class__ = of_2
    return value


class Attributes(h5py.AttributeManager):  # type: ignore[misc]  # h5py has no types
    """The attributes of an object."""

    def __getitem__(self, name: Any) -> Any:
        return _converted(super().__getitem__(name), self.get_id(name).dtype, "ascii", _bytes)


class _Object:
    """What groups and datasets have in common."""

    @property
    def attrs(self) -> Any:
        attributes = super().attrs  # type: ignore[misc]  # of h5py's class, which stands behind this one
        attributes.__class__ = Attributes
        return attributes

    @property
    def file(self) -> Any:
        return _old(super().file)  # type: ignore[misc]  # as above

    @property
    def parent(self) -> Any:
        return _old(super().parent)  # type: ignore[misc]  # as above


class Dataset(_Object, h5py.Dataset):  # type: ignore[misc]  # h5py has no types
    """A dataset."""

    @property
    def value(self) -> Any:
        """All that it holds; h5py 3.0 removed this name."""
        return self[()]

    def __getitem__(self, args: Any, *more: Any, **options: Any) -> Any:
        value = super().__getitem__(args, *more, **options)
        return _converted(value, getattr(value, "dtype", self.dtype), "utf-8", _text)

    def __array__(self, *args: Any, **options: Any) -> Any:
        return _converted(super().__array__(*args, **options), self.dtype, "utf-8", _text)

    def read_direct(self, dest: Any, *args: Any, **options: Any) -> None:
        super().read_direct(dest, *args, **options)
        if dest.dtype.hasobject:
            dest[...] = _converted(dest, self.dtype, "utf-8", _text)


class Group(_Object, h5py.Group):  # type: ignore[misc]  # h5py has no types
    """A group, whose members are of these classes, too."""

    def __getitem__(self, name: Any) -> Any:
        return _old(super().__getitem__(name))

    def create_group(self, *args: Any, **options: Any) -> Any:
        return _old(super().create_group(*args, **options))

    def create_dataset(self, *args: Any, **options: Any) -> Any:
        return _old(super().create_dataset(*args, **options))


class _OfAllFiles(ABCMeta):
    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, h5py.File)


class File(Group, h5py.File, metaclass=_OfAllFiles):  # type: ignore[misc]  # h5py has no types
    """A file."""

    def __init__(self, name: Any, mode: str | None = None, *args: Any, **options: Any) -> None:
        for tried in (mode,) if mode is not None else _MODES:
            try:
                super().__init__(name, tried, *args, **options)
            except OSError:
                if tried in (mode, _MODES[-1]):
                    raise
            else:
                return
