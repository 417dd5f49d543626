"""Writes a decompiled model as a package: whole, or not at all."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.model_text import Written
from tf2bridge.decompile.refusals import OutputNotEmptyError, PackageNameError

_EMITTED = Path(__file__).with_name("emitted")
_TYPES = {
    "float64": "F64",
    "float32": "F32",
    "float16": "F16",
    "bfloat16": "BF16",
    "bool": "BOOL",
    **{f"int{bits}": f"I{bits}" for bits in (64, 32, 16, 8)},
    **{f"uint{bits}": f"U{bits}" for bits in (64, 32, 16, 8)},
}
_ENTRY = '''"""{about}"""

from .model import Model

__all__ = ["Model", "load"]


def load({parameters}):
    """Returns the model with the weights that the old graph had.{more}"""
    return Model.load({arguments})
'''
_MORE = """

    Args:
        python_functions: The name of each node that calls Python -> the function to call: no file holds them.
    """


def check_destination(path: Path) -> None:
    """Raises OutputNotEmptyError or PackageNameError if a package cannot be written there."""
    if not path.name.isidentifier():
        raise PackageNameError(path)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise OutputNotEmptyError(path)


def write_package(path: Path, written: Written, recorded: Mapping[str, Any], about: str) -> Path:
    """Writes the files of a package into a new directory beside its place. Returns the directory.

    `move_into_place` makes it the package; until then nothing is at `path`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent)) / path.name
    folder.mkdir()
    with_functions = bool(written.python_functions)
    entry = _ENTRY.format(
        about=about,
        parameters="python_functions" if with_functions else "",
        arguments="python_functions" if with_functions else "",
        more=_MORE if with_functions else "",
    )
    _write(folder / "__init__.py", entry)
    _write(folder / "model.py", written.source)
    _write(folder / "names.toml", "".join(f"{json.dumps(a)} = {json.dumps(b)}\n" for a, b in written.names.items()))
    _write(
        folder / "tables.json", json.dumps({path: _table(*table) for path, table in written.tables.items()}, indent=1)
    )
    for name in ("weights.py", "test_model.py"):
        shutil.copyfile(_EMITTED / name, folder / name)
    _write_weights(folder / "weights.safetensors", written.weights)
    np.savez(folder / "recorded.npz", **{name: _savable(array) for name, array in recorded.items()})
    return folder


def move_into_place(folder: Path, path: Path) -> None:
    """Makes the directory of `write_package` the package at `path`, in one step."""
    if path.exists():
        path.rmdir()
    folder.rename(path)
    folder.parent.rmdir()


def discard(folder: Path) -> None:
    """Removes the directory of `write_package`."""
    shutil.rmtree(folder.parent, ignore_errors=True)


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8", newline="\n")


def _savable(array: Any) -> Any:
    return array.astype("S") if array.dtype == object else array


def _table(keys: Any, values: Any) -> dict[str, Any]:
    return {"keys": _plain(keys), "values": _plain(values)}


def _plain(array: Any) -> dict[str, Any]:
    kind = tf.as_dtype(array.dtype).name
    items = array.reshape(-1).tolist()
    texts = [item.decode("latin-1") for item in items] if kind == "string" else items
    return {"dtype": kind, "shape": list(array.shape), "values": texts}


def _write_weights(path: Path, weights: Mapping[str, Any]) -> None:
    header: dict[str, Any] = {"__metadata__": {"format": "tf"}}
    end = 0
    for name, array in weights.items():
        start, end = end, end + array.nbytes
        kind = _TYPES[tf.as_dtype(array.dtype).name]
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [start, end]}
    text = json.dumps(header, separators=(",", ":")).encode("utf-8")
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for array in weights.values():
            file.write(np.ascontiguousarray(array).tobytes())
