"""Answer the requests to the process of `hdf5_child`: list the datasets of a file, and read their values."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import h5py

from tf2bridge.formats.checkpoints.archived import Archive, member_of
from tf2bridge.formats.checkpoints.hdf5_datasets import Datasets
from tf2bridge.regular_files import opened

WRONG = (
    *(OSError, KeyError, IndexError, RuntimeError, ValueError, TypeError, AttributeError, NotImplementedError),
    *(OverflowError, zlib.error, BadZipFile, EOFError),
)
"""The errors of h5py for damaged files, which depend on the place of the damage."""


class Requests:
    """One open file at a time."""

    def __init__(self) -> None:
        self._open: list[Any] = []
        self._datasets: Datasets | None = None

    def answer(self, request: dict[str, Any]) -> tuple[str, bytes]:
        """Returns "values" and bytes, or "json" and a text: {"error": ...} for what went wrong."""
        do: dict[str, Callable[..., tuple[str, bytes]]] = {
            "open": self._opened,
            "block": self._block,
            "texts": self._texts,
            "close": self._closed,
        }
        try:
            return do[request.pop("do")](**request)
        except MemoryError:
            return _json({"error": "it takes more memory than a file of its size may"})
        except WRONG as error:
            return _json({"error": next(iter(str(error).splitlines()), type(error).__name__)[:200]})

    def _opened(self, path: str, member: str) -> tuple[str, bytes]:
        self._closed()
        try:
            if member:
                archive = Archive(Path(path))
                self._open.append(archive)
                file = member_of(archive, Path(path), member)
                size = archive.getinfo(member).file_size
            else:
                file = opened(path)
                size = os.fstat(file.fileno()).st_size
            self._open.append(file)
            self._open.append(h5py.File(file if member else path, "r"))
            self._datasets = Datasets(self._open[-1], size)
            return _json({"datasets": list(self._datasets.facts())})
        except BaseException:
            self._closed()
            raise

    def _block(self, name: str, lead: list[int], start: int | None, stop: int | None) -> tuple[str, bytes]:
        assert self._datasets is not None
        rows = () if start is None else (slice(start, stop),)
        return "values", self._datasets.block(name, (*lead, *rows))

    def _texts(self, name: str) -> tuple[str, bytes]:
        assert self._datasets is not None
        return _json({"texts": [text.decode("latin-1") for text in self._datasets.texts(name)]})

    def _closed(self) -> tuple[str, bytes]:
        self._datasets = None
        while self._open:
            self._open.pop().close()
        return _json({})


def _json(content: dict[str, Any]) -> tuple[str, bytes]:
    return "json", json.dumps(content).encode("utf-8", "surrogatepass")
