"""Lists the datasets of an HDF5 file and reads their values, in the process of `hdf5_child`.

Each group and dataset is visited once, under its first name: with several names for groups, a small file can hold an
exponentially large tree. The stated size of a dataset is compared with its stored bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import h5py
import numpy as np

from tf2bridge.formats.dtypes import STRING, tensorflow_type
from tf2bridge.formats.refusals import UnsupportedTypeError
from tf2bridge.formats.sizes import elements

UNKNOWN = "unknown"
"""The type of a dataset that is no type of TensorFlow."""
_MOST_LINKS, _DEEPEST = 1 << 17, 100
"""The limits of names in all groups of a file, and of nested groups."""
_LONGEST_NAMES = 16 << 20
"""The limit in bytes of an attribute that lists names."""
_INFLATED, _SLACK = 1100, 1 << 16
"""The limit of inflated bytes: a multiple of the stored bytes (deflate has at most 1032), and an allowance."""
_ONCE = (h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_LZF, h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_FLETCHER32)
"""Filters whose output is bounded, as long as none of them is applied twice."""

_VARIABLES = "vars"
"""The group in which Keras 3 keeps the variables of a layer; its attribute "name" is the layer's name."""


class Datasets:
    """The datasets of an open file by name, in the order in which Keras loads them. Raises what h5py does."""

    def __init__(self, file: Any, size: int) -> None:
        self._size = size
        self._links = 0
        self._seen = {file.id}
        self._weights: dict[str, str] = {}
        self._layers: dict[str, str] = {}
        self.held: dict[str, Any] = {}
        self._walk(file)

    def facts(self) -> Iterator[dict[str, Any]]:
        """Yields the facts about each dataset, as values for JSON."""
        for name, data in self.held.items():
            if (shape := data.shape) is None:
                raise ValueError(f"{name} is an empty dataset")
            dtype, properties = data.dtype, data.id.get_create_plist()
            kind, size = _kind(data, dtype), elements(shape, dtype.itemsize) * dtype.itemsize
            elsewhere = bool(properties.get_external_count() or properties.get_layout() == h5py.h5d.VIRTUAL)
            checked = kind != UNKNOWN and not elsewhere
            yield {
                "name": name,
                "weight": self._weights.get(name, "").removesuffix(":0"),
                "layer": self._layer_of(name),
                "shape": list(shape),
                "kind": kind,
                "type": str(dtype),
                "bytes": size,
                "elsewhere": elsewhere,
                "place": _place(data, dtype, properties) if size and checked and kind != STRING else None,
                "lies": self._lies(data, dtype, size, properties) if checked else "",
            }

    def texts(self, name: str) -> list[bytes]:
        """Returns the values of a dataset of strings in row-major order."""
        values = np.asarray(self.held[name][()], object).ravel().tolist()
        return [text.encode() if isinstance(text, str) else bytes(text) for text in values]

    def block(self, name: str, index: tuple[Any, ...]) -> bytes:
        """Returns the values at an index, little-endian."""
        values = np.ascontiguousarray(self.held[name][index]).reshape(-1)
        return (values.astype(values.dtype.newbyteorder("<")) if values.dtype.byteorder == ">" else values).tobytes()

    def _walk(self, file: Any) -> None:
        """Visits all groups. Names that attributes list come first: Keras makes layers and weights in this order."""
        waiting = [iter(self._named(file, ""))]
        while waiting:
            name, weight, item = next(waiting[-1], ("", "", None))
            if item is None:
                waiting.pop()
            elif isinstance(item, h5py.Dataset):
                self.held[name] = item
                if weight:
                    self._weights[name] = weight
            else:
                if len(waiting) > _DEEPEST:
                    raise ValueError(f"its groups lie more than {_DEEPEST} deep within one another")
                waiting.append(iter(self._named(item, f"{name}/")))
                path, _, last = name.rpartition("/")
                if last == _VARIABLES and path and (layer := _text(item, "name")):
                    self._layers[path] = layer

    def _layer_of(self, name: str) -> str:
        """Returns the names of the layers around a dataset of Keras 3, outermost first, or "" if the file has none."""
        *parts, group, _ = ["", "", *name.split("/")]
        if group != _VARIABLES:
            return ""
        paths = ("/".join(parts[2:end]) for end in range(3, len(parts) + 1))
        return "/".join(self._layers[path] for path in paths if path in self._layers)

    def _named(self, group: Any, prefix: str) -> Iterator[tuple[str, str, Any]]:
        """Yields name, name as a weight, and object of the members of a group that were not visited before."""
        for weight in _listed(group, "weight_names"):
            data = self._linked(group, weight)
            if not isinstance(data, h5py.Dataset):
                raise ValueError(f"the weight {prefix}{weight} is listed and is not there")
            if self._is_new(data):
                yield f"{prefix}{weight}", weight, data
        for name in dict.fromkeys([*_listed(group, "layer_names"), *sorted(group, key=_naturally)]):
            item = self._linked(group, name)
            if isinstance(item, (h5py.Dataset, h5py.Group)) and self._is_new(item):
                yield f"{prefix}{name}", "", item

    def _is_new(self, item: Any) -> bool:
        if item.id in self._seen:
            return False
        self._seen.add(item.id)
        return True

    def _linked(self, group: Any, path: str) -> Any:
        """Returns the object at a path in this file, or None for a link to another file or a missing object."""
        for name in path.strip("/").split("/"):
            self._links += 1
            if self._links > _MOST_LINKS:
                raise ValueError(f"it has more than {_MOST_LINKS:,} names, the most that are read")
            if not isinstance(group, h5py.Group) or not _is_there(group, name):
                return None
            group = group[name]
        return group

    def _lies(self, data: Any, dtype: np.dtype[Any], needed: int, properties: Any) -> str:
        """Returns what is wrong if the file lacks bytes that a dataset's shape needs, or ""."""
        filters = [properties.get_filter(number)[0] for number in range(properties.get_nfilters())]
        stored = data.id.get_storage_size()
        if stored > self._size:
            return f"its values take {stored:,} bytes, and the file has {self._size:,}"
        if filters and (not set(filters) <= set(_ONCE) or len(set(filters)) < len(filters)):
            return "its values are packed in a way that is not read: write them without filters, or with gzip"
        most = stored * _INFLATED + _SLACK if filters else stored
        if needed > most:
            return f"only {stored:,} of the {needed:,} bytes of its values are in the file"
        if properties.get_layout() == h5py.h5d.CHUNKED:
            chunk = elements(properties.get_chunk(), dtype.itemsize) * dtype.itemsize
            if chunk > most:
                return f"a piece of it is said to have {chunk:,} bytes, and {stored:,} are in the file"
        return ""


def _place(data: Any, dtype: np.dtype[Any], properties: Any) -> int | None:
    """Returns the offset of a dataset that lies in one piece in the memory's format, or None."""
    if properties.get_layout() == h5py.h5d.CHUNKED or (offset := data.id.get_offset()) is None:
        return None
    return int(offset) if data.id.get_type().equal(h5py.h5t.py_create(dtype, logical=True)) else None


def _kind(data: Any, dtype: np.dtype[Any]) -> str:
    """Returns the type of a dataset, or UNKNOWN. Keras 3 marks bfloat16 by an attribute."""
    if dtype.kind == "V" and dtype.itemsize == 2 and data.attrs.get("dtype") == "bfloat16":
        return "bfloat16"
    if dtype.kind == "O" and h5py.check_string_dtype(dtype) is None:
        return UNKNOWN
    try:
        return tensorflow_type(dtype)
    except UnsupportedTypeError:
        return UNKNOWN


def _is_there(group: Any, name: str) -> bool:
    """Returns whether a group has an object of its own file, and not a link, by this name."""
    try:
        link = group.id.links.get_info(name.encode("utf-8", "surrogateescape"))
    except (KeyError, RuntimeError):  # by the release of h5py
        return False
    return bool(link.type == h5py.h5l.TYPE_HARD)


def _listed(group: Any, attribute: str) -> list[str]:
    """Returns the names in an attribute. Keras splits an attribute that is too long for HDF5 into NAME0, NAME1, ..."""
    if attribute in group.attrs:
        names = _names(group, attribute)
    else:
        names, number = [], 0
        while f"{attribute}{number}" in group.attrs:
            names += _names(group, f"{attribute}{number}")
            number += 1
    return [name.decode() if isinstance(name, bytes) else str(name) for name in names]


def _text(group: Any, attribute: str) -> str:
    """Returns the text in an attribute, or ""."""
    if attribute not in group.attrs or group.attrs.get_id(attribute).shape != ():
        return ""
    value = group.attrs[attribute]
    return value if isinstance(value, str) else ""


def _names(group: Any, attribute: str) -> list[Any]:
    stored = group.attrs.get_id(attribute)
    if stored.shape is not None and elements(stored.shape) * max(1, stored.dtype.itemsize) > _LONGEST_NAMES:
        raise ValueError(f"its list {attribute} has more than {_LONGEST_NAMES:,} bytes")
    return list(group.attrs[attribute])


def _naturally(name: str) -> list[Any]:
    """Returns a sort key that puts "10" after "9"."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]
