"""What lies in an HDF5 file: its datasets, as plain values, and their contents; runs in the process of `hdf5_child`.

Each group and each dataset is visited once, under the first of its names: several names for one group make of a small
file a tree that is exponentially large. What a dataset says of its size is compared with the bytes that it has.
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
"""The type of a dataset whose values no tensor has."""
_MOST_LINKS, _DEEPEST = 1 << 17, 100
"""Names in all groups of a file, and groups within one another."""
_LONGEST_NAMES = 16 << 20
"""Bytes of an attribute that lists names."""
_INFLATED, _SLACK = 1100, 1 << 16
"""How many times as large as it is stored deflate makes what it holds (1032 times at most), and for small ones."""
_ONCE = (h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_LZF, h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_FLETCHER32)
"""Filters whose results have a bound, as long as none of them is there twice."""

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
        """What is known of each dataset, as JSON can hold it."""
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
        """The values of a dataset of texts, last dimension fastest."""
        values = np.asarray(self.held[name][()], object).ravel().tolist()
        return [each.encode() if isinstance(each, str) else bytes(each) for each in values]

    def block(self, name: str, index: tuple[Any, ...]) -> bytes:
        """The values at an index, little-endian."""
        found = np.ascontiguousarray(self.held[name][index]).reshape(-1)
        return (found.astype(found.dtype.newbyteorder("<")) if found.dtype.byteorder == ">" else found).tobytes()

    def _walk(self, file: Any) -> None:
        """Names first what the attributes of a group list: Keras makes layers and weights in this order."""
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
        """The names of the layers that hold a dataset of Keras 3, outermost first; "" where the file does not say."""
        *parts, group, _ = ["", "", *name.split("/")]
        if group != _VARIABLES:
            return ""
        paths = ("/".join(parts[2:end]) for end in range(3, len(parts) + 1))
        return "/".join(self._layers[path] for path in paths if path in self._layers)

    def _named(self, group: Any, prefix: str) -> Iterator[tuple[str, str, Any]]:
        """Name, name as a weight, and object of what lies in a group and was not met before."""
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
        """What lies at a path in this very file; None for what is a link elsewhere, or not there."""
        for name in path.strip("/").split("/"):
            self._links += 1
            if self._links > _MOST_LINKS:
                raise ValueError(f"it has more than {_MOST_LINKS:,} names, the most that are read")
            if not isinstance(group, h5py.Group) or not _is_there(group, name):
                return None
            group = group[name]
        return group

    def _lies(self, data: Any, dtype: np.dtype[Any], whole: int, properties: Any) -> str:
        """What is wrong where a dataset has not the bytes in the file that its shape needs; "" for a sound one."""
        filters = [properties.get_filter(number)[0] for number in range(properties.get_nfilters())]
        stored = data.id.get_storage_size()
        if stored > self._size:
            return f"its values take {stored:,} bytes, and the file has {self._size:,}"
        if filters and (not set(filters) <= set(_ONCE) or len(set(filters)) < len(filters)):
            return "its values are packed in a way that is not read: write them without filters, or with gzip"
        most = stored * _INFLATED + _SLACK if filters else stored
        if whole > most:
            return f"only {stored:,} of the {whole:,} bytes of its values are in the file"
        if properties.get_layout() == h5py.h5d.CHUNKED:
            chunk = elements(properties.get_chunk(), dtype.itemsize) * dtype.itemsize
            if chunk > most:
                return f"a piece of it is said to have {chunk:,} bytes, and {stored:,} are in the file"
        return ""


def _place(data: Any, dtype: np.dtype[Any], properties: Any) -> int | None:
    """The first byte of a dataset that lies in one piece, each value as it is in memory; None for any other."""
    if properties.get_layout() == h5py.h5d.CHUNKED or (offset := data.id.get_offset()) is None:
        return None
    return int(offset) if data.id.get_type().equal(h5py.h5t.py_create(dtype, logical=True)) else None


def _kind(data: Any, dtype: np.dtype[Any]) -> str:
    """The type of a dataset, UNKNOWN for one that no tensor has; Keras 3 says bfloat16 in an attribute."""
    if dtype.kind == "V" and dtype.itemsize == 2 and data.attrs.get("dtype") == "bfloat16":
        return "bfloat16"
    if dtype.kind == "O" and h5py.check_string_dtype(dtype) is None:
        return UNKNOWN
    try:
        return tensorflow_type(dtype)
    except UnsupportedTypeError:
        return UNKNOWN


def _is_there(group: Any, name: str) -> bool:
    """Whether a group holds something of its file by this name, and no link elsewhere."""
    try:
        found = group.id.links.get_info(name.encode("utf-8", "surrogateescape"))
    except (KeyError, RuntimeError):  # by the release of h5py
        return False
    return bool(found.type == h5py.h5l.TYPE_HARD)


def _listed(group: Any, attribute: str) -> list[str]:
    """The names in an attribute; Keras splits one that is too long for HDF5 into NAME0, NAME1, ..."""
    if attribute in group.attrs:
        found = _names(group, attribute)
    else:
        found, number = [], 0
        while f"{attribute}{number}" in group.attrs:
            found += _names(group, f"{attribute}{number}")
            number += 1
    return [each.decode() if isinstance(each, bytes) else str(each) for each in found]


def _text(group: Any, attribute: str) -> str:
    """The text in an attribute; "" where there is none."""
    if attribute not in group.attrs or group.attrs.get_id(attribute).shape != ():
        return ""
    value = group.attrs[attribute]
    return value if isinstance(value, str) else ""


def _names(group: Any, attribute: str) -> list[Any]:
    held = group.attrs.get_id(attribute)
    if held.shape is not None and elements(held.shape) * max(1, held.dtype.itemsize) > _LONGEST_NAMES:
        raise ValueError(f"its list {attribute} has more than {_LONGEST_NAMES:,} bytes")
    return list(group.attrs[attribute])


def _naturally(name: str) -> list[Any]:
    """A key by which "10" sorts behind "9"."""
    return [(int(each), "") if each.isdecimal() else (-1, each) for each in re.split(r"(\d+)", name)]
