"""Writes a decompiled model as a package: whole, or not at all."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.checkpoint.writing import safetensors_writer
from tf2bridge.checkpoint.writing.outgoing import of_array
from tf2bridge.decompile.idioms.layer import Weight
from tf2bridge.decompile.model_text import Written
from tf2bridge.decompile.refusals import OutputNotEmptyError, PackageNameError

_EMITTED = Path(__file__).with_name("emitted")
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


@contextlib.contextmanager
def new_package(
    path: Path,
    written: Written,
    recorded: Mapping[str, Any],
    about: str,
    stored: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Path]:
    """Gives a directory beside `path` that holds the package. It goes with the block, if it is not put in place there.

    `move_into_place` makes it the package; until then nothing is at `path`.

    Args:
        path: The package.
        written: Its source, and what else it holds.
        recorded: The arrays of `recorded.npz`.
        about: The docstring of the package.
        stored: The old name of a variable -> its name in checkpoints, if that is another one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as parent:
        folder = Path(parent) / path.name
        folder.mkdir()
        try:
            _write_files(folder, written, recorded, about, stored)
        except OSError as error:  # NumPy's names no file
            error.filename = str(path)
            raise
        yield folder


def _write_files(
    folder: Path, written: Written, recorded: Mapping[str, Any], about: str, stored: Mapping[str, str]
) -> None:
    contents = written.contents
    with_functions = bool(contents.python_functions)
    entry = _ENTRY.format(
        about=about,
        parameters="python_functions" if with_functions else "",
        arguments="python_functions" if with_functions else "",
        more=_MORE if with_functions else "",
    )
    write_text(folder / "__init__.py", entry)
    write_text(folder / "model.py", written.source)
    write_text(
        folder / "names.toml",
        "".join(f"{json.dumps(path)} = {_entry_of(weight, stored)}\n" for path, weight in contents.names.items()),
    )
    tables = {
        path: {"keys": _plain(keys), "values": _plain(values)} for path, (keys, values) in contents.tables.items()
    }
    write_text(folder / "tables.json", json.dumps(tables, indent=1))
    for name in ("weights.py", "test_model.py"):
        shutil.copyfile(_EMITTED / name, folder / name)
    tensors = {name: of_array(name, np.asarray(array)) for name, array in contents.weights.items()}
    safetensors_writer.write(folder / "weights.safetensors", folder / "weights.safetensors", tensors)
    write_recorded(folder, recorded)


def write_recorded(folder: Path, recorded: Mapping[str, Any]) -> None:
    """Writes what the old graph computed into the directory of a package."""
    np.savez(folder / "recorded.npz", **{name: _savable(np.asarray(array)) for name, array in recorded.items()})


def _entry_of(weight: Weight, stored: Mapping[str, str]) -> str:
    """Returns what stands in `names.toml` for a weight."""
    names = [stored.get(name, name) for name in weight.variables]
    return json.dumps(names[0] if weight.is_a_variable else [names, weight.transform])


def move_into_place(folder: Path, path: Path) -> None:
    """Makes the directory of `new_package` the package at `path`, in one step."""
    if path.exists():
        path.rmdir()
    folder.rename(path)


def write_text(path: Path, text: str) -> None:
    """Writes a text file with the same bytes on every system."""
    path.write_text(text, "utf-8", newline="\n")


def _savable(array: Any) -> Any:
    return array.astype("S") if array.dtype == object else array


def _plain(array: Any) -> dict[str, Any]:
    kind = tf.as_dtype(array.dtype).name
    items = array.reshape(-1).tolist()
    texts = [item.decode("latin-1") for item in items] if kind == "string" else items
    return {"dtype": kind, "shape": list(array.shape), "values": texts}
