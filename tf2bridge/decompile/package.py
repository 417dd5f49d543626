"""Writes a decompiled model as a package: whole, or not at all."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.checkpoint.writing import safetensors_writer
from tf2bridge.checkpoint.writing.outgoing import of_array
from tf2bridge.decompile.emitted.test_train import LARGEST_OF_MOVE
from tf2bridge.decompile.idioms.layer import Weight
from tf2bridge.decompile.lines import docstring
from tf2bridge.decompile.model_attributes import Contents
from tf2bridge.decompile.model_text import Written

_EMITTED = Path(__file__).with_name("emitted")
_ENTRY = '''{about}

from .model import Model
{imports}
__all__ = [{public}]


def load({parameters}):
    """Returns the model with the weights that the old graph had.{more}"""
    return Model.load({arguments})
'''
_MORE = """

    Args:
        python_functions: The name of each node that calls Python -> the function to call: no file holds them.
    """


@dataclass(frozen=True)
class Training:
    """The files of a package that can be trained.

    Attributes:
        source: The text of `train.py`.
        contents: The variables that the trainer adds to those of the model.
        recorded: The arrays of `recorded_training.npz`; None if nothing can be compared.
        modules: The files of `emitted` that `train.py` imports.
    """

    source: str
    contents: Contents
    recorded: Mapping[str, Any] | None
    modules: tuple[str, ...] = ("fitting.py",)


@contextlib.contextmanager
def new_package(
    path: Path,
    written: Written,
    recorded: Mapping[str, Any],
    about: str,
    stored: Mapping[str, str] = MappingProxyType({}),
    training: Training | None = None,
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
            _write_files(folder, written, recorded, about, stored, training is not None)
            if training is not None:
                _write_training(folder, training, stored)
        except OSError as error:  # NumPy's names no file
            error.filename = str(path)
            raise
        yield folder


def _write_files(
    folder: Path, written: Written, recorded: Mapping[str, Any], about: str, stored: Mapping[str, str], trains: bool
) -> None:
    contents = written.contents
    with_functions = bool(contents.python_functions)
    entry = _ENTRY.format(
        about=docstring(about),
        imports="from .train import Trainer\n" if trains else "",
        public='"Model", "Trainer", "load"' if trains else '"Model", "load"',
        parameters="python_functions" if with_functions else "",
        arguments="python_functions" if with_functions else "",
        more=_MORE if with_functions else "",
    )
    write_file(folder / "__init__.py", entry)
    write_file(folder / "model.py", written.source)
    write_contents(folder, contents, stored)
    if written.runs_everywhere or (contents.layers and not contents.needs_trace):
        write_file(folder / "layers.json", json.dumps(contents.built_for, indent=1))
    for name in ("test_model.py", *(f"{module}.py" for module in contents.own_modules)):
        shutil.copyfile(_EMITTED / name, folder / name)
    write_arrays(folder / "recorded.npz", recorded)


def write_contents(folder: Path, contents: Contents, stored: Mapping[str, str] = MappingProxyType({})) -> None:
    """Writes what a model is filled with, and `weights.py`, which fills it.

    Args:
        folder: The directory of the package.
        contents: What it is.
        stored: The old name of a variable -> its name in checkpoints, if that is another one.
    """
    _write_names(folder / "names.toml", contents.names, stored)
    tables = {
        path: {"keys": _plain(keys), "values": _plain(values)} for path, (keys, values) in contents.tables.items()
    }
    write_file(folder / "tables.json", json.dumps(tables, indent=1, ensure_ascii=False))
    shutil.copyfile(_EMITTED / "weights.py", folder / "weights.py")
    _write_weights(folder / "weights.safetensors", contents.weights)


def _write_training(folder: Path, training: Training, stored: Mapping[str, str]) -> None:
    write_file(folder / "train.py", training.source)
    for module in training.modules:
        shutil.copyfile(_EMITTED / module, folder / module)
    _write_names(folder / "training.toml", training.contents.names, stored)
    _write_weights(folder / "training.safetensors", training.contents.weights)
    if training.recorded is not None:
        write_arrays(folder / "recorded_training.npz", training.recorded)
        shutil.copyfile(_EMITTED / "test_train.py", folder / "test_train.py")


def _write_names(path: Path, names: Mapping[str, Weight], stored: Mapping[str, str]) -> None:
    write_file(path, "".join(f"{json.dumps(name)} = {_entry_of(weight, stored)}\n" for name, weight in names.items()))


def _write_weights(path: Path, weights: Mapping[str, Any]) -> None:
    tensors = {name: of_array(name, np.asarray(array)) for name, array in weights.items()}
    safetensors_writer.write(path, path, tensors)


def write_example(folder: Path, number: int, arrays: Mapping[str, Any]) -> None:
    """Writes the recorded arrays of an example into the directory of a package.

    Args:
        folder: The directory.
        number: The number of the example, from 1.
        arrays: The arrays.
    """
    write_arrays(_file_of_example(folder, number), arrays)


def add_to_example(folder: Path, number: int, arrays: Mapping[str, Any]) -> None:
    """Adds arrays to those of an example that `write_example` has written."""
    with zipfile.ZipFile(_file_of_example(folder, number), "a") as file:
        for name, array in arrays.items():
            with file.open(f"{name}.npy", "w") as member:
                np.lib.format.write_array(member, np.asarray(array))


def _file_of_example(folder: Path, number: int) -> Path:
    return folder / ("recorded.npz" if number == 1 else f"recorded_{number}.npz")


def write_step_limits(folder: Path, recorded: Mapping[str, Any], differences: Mapping[str, float]) -> None:
    """Lets the test of a step of Keras allow twice the differences that were measured, and at least the usual ones."""
    limits = {f"limit {name}": max(2 * size, LARGEST_OF_MOVE) for name, size in differences.items()}
    write_arrays(folder / "recorded_training.npz", {**recorded, **limits})


def write_arrays(path: Path, arrays: Mapping[str, Any]) -> None:
    """Writes the recorded arrays of a package."""
    np.savez(path, **{name: _savable(np.asarray(array)) for name, array in arrays.items()})


def _entry_of(weight: Weight, stored: Mapping[str, str]) -> str:
    """Returns what stands in `names.toml` for a weight."""
    names = [stored.get(name, name) for name in weight.variables]
    return json.dumps(names[0] if weight.is_a_variable else [names, weight.transform])


def write_file(path: Path, text: str) -> None:
    """Writes a text file with the same bytes on every system."""
    path.write_text(text, "utf-8", newline="\n")


def _savable(array: Any) -> Any:
    return array.astype("S") if array.dtype == object else array


def _plain(array: Any) -> dict[str, Any]:
    kind = tf.as_dtype(array.dtype).name
    items = array.reshape(-1).tolist()
    if kind == "string":
        try:
            items = [item.decode() for item in items]
        except UnicodeDecodeError:
            kind, items = "bytes", [item.decode("latin-1") for item in items]
    return {"dtype": kind, "shape": list(array.shape), "values": items}
