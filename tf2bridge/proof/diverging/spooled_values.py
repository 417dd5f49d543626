"""The values of a call's points: up to a limit in memory, the others in a temporary file."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tf2bridge.proof.numbers.pieces import BLOCK, Array

_SAMPLE = 16
_TELLING_INTEGERS = 8
Numbers = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Kept:
    """A stored value. Values of the same type, shape and bits are stored once.

    Attributes:
        read: returns it, from memory or from the file.
        telling: True if hardly another tensor has this value by chance: it is no small whole number, and not one
            number repeated.
        length, largest: the root of the sum of its squares, and its greatest size; 0 unless it is telling.
        sample: a few of its elements, at places that depend on its shape alone.
    """

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    read: Callable[[], Array]
    telling: bool
    length: float
    largest: float
    sample: Numbers

    def unlike(self, other: Kept, share: float) -> bool:
        """Returns True if an element of the sample differs from that of another value by more than this share of the
        largest element: the values then differ, too.
        """
        with np.errstate(all="ignore"):
            gaps = np.abs(self.sample - other.sample)
        return bool((gaps > share * (1 + 1e-6) * self.largest).any())


class Spool:
    """Stores values, at most `in_memory` bytes in memory. The file is deleted when nothing reads it any more."""

    def __init__(self, in_memory: int) -> None:
        self._room = in_memory
        self._known: dict[bytes, Kept] = {}
        self._file: Any = None

    def keep(self, value: Array) -> Kept:
        """Stores a value and returns it as it is stored; the caller may drop the array."""
        value = np.asarray(value, order="C")
        content = _bytes(value)
        key = hashlib.blake2b(content, digest_size=16, person=b"value").digest()
        key += f"{value.dtype.str}{value.dtype.name}{value.shape}".encode()
        if key not in self._known:
            self._known[key] = Kept(value.dtype, value.shape, self._placed(value, content), *_facts(value))
        return self._known[key]

    def _placed(self, value: Array, content: Any) -> Callable[[], Array]:
        size = len(content)
        if size <= self._room:
            self._room -= size
            own = value if value.base is None else value.copy()
            return lambda: own
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="tf2bridge-values-")  # noqa: SIM115 - as long as a value is read
        place = self._file.seek(0, 2)
        self._file.write(content)
        return partial(_read, self._file, place, size, value.dtype, value.shape)


class Values(Mapping[str, "Array | None"]):
    """Point -> value in the call, or None; a value is read when it is asked for."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._kept: dict[str, Kept | None] = {}

    def add(self, values: Mapping[str, Array | None]) -> None:
        """Stores more values; they replace earlier ones of the same names."""
        for name, value in values.items():
            self._kept[name] = None if value is None else self._spool.keep(value)

    def kept(self, name: str) -> Kept | None:
        """Returns the stored value of a point; None if it has none, or is not known."""
        return self._kept.get(name)

    def __getitem__(self, name: str) -> Array | None:
        kept = self._kept[name]
        return None if kept is None else kept.read()

    def __iter__(self) -> Iterator[str]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)


def _bytes(value: Array) -> Any:
    """Returns the bytes of an array; of texts their lengths, then the texts."""
    if value.dtype.hasobject:
        texts = [text if isinstance(text, bytes) else str(text).encode() for text in value.reshape(-1).tolist()]
        return np.asarray([len(text) for text in texts], np.int64).tobytes() + b"".join(texts)
    return value.reshape(-1).view(np.uint8).data if value.size else b""


def _read(file: Any, place: int, size: int, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Array:
    file.seek(place)
    content = file.read(size)
    if not dtype.hasobject:
        return np.frombuffer(content, dtype).reshape(shape)
    count = prod(shape)
    ends = np.cumsum(np.frombuffer(content, np.int64, count)) + 8 * count
    starts = [8 * count, *ends[:-1]]
    texts = np.empty(count, object)
    texts[:] = [content[start:end] for start, end in zip(starts, ends, strict=True)]
    return texts.reshape(shape)


def _facts(value: Array) -> tuple[bool, float, float, Numbers]:
    """Returns whether this is telling, its length, its largest element, and a sample of it."""
    kind = np.complex128 if value.dtype.kind == "c" else np.float64
    none = False, 0.0, 0.0, np.empty(0, kind)
    if value.dtype.kind not in "iufcV" or not value.size:
        return none
    first = np.asarray(value.reshape(-1)[0], kind)
    squares = apart = largest = 0.0
    for part in _parts(value, kind):
        sizes = np.abs(part)
        if not np.isfinite(sizes).all():
            return none
        squares += float(np.square(sizes).sum())
        apart, largest = max(apart, float(np.abs(part - first).max())), max(largest, float(sizes.max()))
    if value.dtype.kind in "iu":
        telling = _has_more_than(value, _TELLING_INTEGERS)
    elif value.size == 1:
        scaled = abs(complex(first).real) * 1024
        telling = bool(np.isfinite(scaled) and scaled != np.floor(scaled) and scaled > 0)
    else:
        telling = apart > 1e-3 * largest > 0
    if not telling:
        return none
    places = np.linspace(0, value.size - 1, min(value.size, _SAMPLE)).astype(np.int64)
    return True, float(np.sqrt(squares)), largest, value.reshape(-1)[places].astype(kind)


def _has_more_than(value: Array, count: int) -> bool:
    """Returns True if an array has more than so many different numbers."""
    seen: set[int] = set()
    for part in _parts(value, value.dtype):
        seen.update(np.unique(part).tolist())
        if len(seen) > count:
            return True
    return False


def _parts(value: Array, kind: Any) -> Iterator[Numbers]:
    flat = value.reshape(-1)
    return (flat[first : first + BLOCK].astype(kind) for first in range(0, len(flat), BLOCK))
