"""The values of a call's points: so many bytes of them in memory, the others in a file without a name."""

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
    """A value, wherever it lies; two of the same type, shape and bits are one.

    Attributes:
        read: gives it, from memory or from the file.
        telling: whether hardly another tensor has this value by chance: not a small whole number, nor one number
            repeated.
        length, largest: the root of the sum of its squares, and its greatest size; 0 unless it is telling.
        sample: a few of its elements, at places that its shape alone decides.
    """

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    read: Callable[[], Array]
    telling: bool
    length: float
    largest: float
    sample: Numbers

    def unlike(self, other: Kept, share: float) -> bool:
        """Whether an element of the sample is further from that of another value of this shape than this share of
        the largest element: then the whole is, too.
        """
        with np.errstate(all="ignore"):
            gaps = np.abs(self.sample - other.sample)
        return bool((gaps > share * (1 + 1e-6) * self.largest).any())


class Spool:
    """Keeps values. in_memory: how many bytes of them may stay there; the file goes when nothing reads it any more."""

    def __init__(self, in_memory: int) -> None:
        self._room = in_memory
        self._known: dict[bytes, Kept] = {}
        self._file: Any = None

    def keep(self, value: Array) -> Kept:
        """Returns the value as it is kept; the array itself need not be held any longer."""
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
    """Point -> value in the call, None where it has none; each is read when it is asked for."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._kept: dict[str, Kept | None] = {}

    def add(self, values: Mapping[str, Array | None]) -> None:
        """Keeps more values, in place of those that were there by these names."""
        for name, value in values.items():
            self._kept[name] = None if value is None else self._spool.keep(value)

    def kept(self, name: str) -> Kept | None:
        """How a point's value is kept; None where it has none, or is not known."""
        return self._kept.get(name)

    def __getitem__(self, name: str) -> Array | None:
        kept = self._kept[name]
        return None if kept is None else kept.read()

    def __iter__(self) -> Iterator[str]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)


def _bytes(value: Array) -> Any:
    """All that an array holds; of texts their lengths, and then the texts."""
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
    """Whether it is telling, its length, its largest element, and a sample of it."""
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
    """Whether an array has more than so many different numbers."""
    seen: set[int] = set()
    for part in _parts(value, value.dtype):
        seen.update(np.unique(part).tolist())
        if len(seen) > count:
            return True
    return False


def _parts(value: Array, kind: Any) -> Iterator[Numbers]:
    flat = value.reshape(-1)
    return (flat[first : first + BLOCK].astype(kind) for first in range(0, len(flat), BLOCK))
