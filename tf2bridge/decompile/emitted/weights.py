"""The weights of the model: those of the old graph, beside this file, or those of any checkpoint of the old graph.

`names.toml` has a line for each variable: the path of the attribute, and the name that checkpoints have for it. If the
attribute is not one old variable as it is, the line has the names of the old variables, and what is done with them, in
order. They are joined along the last axis; then

    "parts 0:3 2:4" takes these rows of two variables before they are joined,
    "rows 0:3" takes the rows 0, 1 and 2,
    "blocks 0 2 1 3" takes four blocks of equal size along the last axis, in another order,
    "add 0 1.0 0 0" adds a number to each of four blocks,
    "only 1 0" makes the second of two blocks zeros,
    "shape 4 3" gives four rows of three numbers,
    "transpose" exchanges rows and columns,
    "steps 0.9" gives the number of steps after which 0.9 to the power of one more step is the number.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keras  # noqa: F401 - NumPy knows bfloat16 by name from then on
import numpy as np

HERE = Path(__file__).parent
TYPES = {
    "BOOL": "bool", "U8": "uint8", "I8": "int8", "U16": "uint16", "I16": "int16", "U32": "uint32", "I32": "int32",
    "U64": "uint64", "I64": "int64", "F16": "float16", "BF16": "bfloat16", "F32": "float32", "F64": "float64",
    "C64": "complex64", "F8_E5M2": "float8_e5m2", "F8_E4M3": "float8_e4m3fn",
}  # fmt: skip
"""Names of types in safetensors (github.com/huggingface/safetensors)."""


def fill(model: Any) -> None:
    """Gives the variables and tables of a model the values that the old graph had."""
    if (HERE / "layers.json").exists():  # layers have weights once they are built
        for path, shape in json.loads((HERE / "layers.json").read_text("utf-8")).items():
            attribute(model, path).build(shape)
        model.built = True
    elif hasattr(getattr(model, "call", None), "get_concrete_function"):  # or once they are traced
        model.call.get_concrete_function(*model.legacy_inputs.values())
        model.built = True
    fill_variables(model, "weights.safetensors")
    if tables := json.loads((HERE / "tables.json").read_text("utf-8")):
        _fill_tables(model, tables)


def stored(file: str = "weights.safetensors") -> dict[str, Any]:
    """Returns the values in a file beside this one: the path of an attribute -> the array."""
    return dict(_arrays(HERE / file))


def fill_variables(owner: Any, file: str) -> None:
    """Gives the variables of a model, or of a trainer, the values in a file beside this one."""
    for path, array in _arrays(HERE / file):
        attribute(owner, path).assign(array)


def new_like(variables: list[Any]) -> list[Any]:
    """Returns new variables with the shapes of others, such as those of an optimizer. No gradient changes them."""
    import tensorflow as tf

    return [tf.Variable(tf.zeros_like(variable), trainable=False) for variable in variables]


def restore(model: Any, checkpoint: str, file: str = "names.toml") -> None:
    """Gives the variables of a model the values in a checkpoint of the old graph, such as "model.ckpt-2000".

    Raises KeyError if the checkpoint lacks a variable. TensorFlow must be installed, on other backends of Keras too.
    """
    import tensorflow as tf

    reader = tf.train.load_checkpoint(checkpoint)
    for path, (variables, transform) in names(file).items():
        for name in variables:
            if not reader.has_tensor(name):
                raise KeyError(f"{checkpoint} has no tensor {name!r}, which belongs to {path}")
        arrays = [reader.get_tensor(name) for name in variables]
        attribute(model, path).assign(transformed(arrays, transform))


def names(file: str = "names.toml") -> dict[str, tuple[list[str], str]]:
    """Returns the path of each variable -> the names in checkpoints, and what is done with the old variables."""
    lines = (HERE / file).read_text("utf-8").splitlines()
    pairs = [line.split(" = ", 1) for line in lines if line.startswith('"')]
    entries = {json.loads(path): json.loads(entry) for path, entry in pairs}
    return {path: ([entry], "") if isinstance(entry, str) else tuple(entry) for path, entry in entries.items()}


def transformed(arrays: list[Any], transform: str, is_gradient: bool = False) -> Any:
    """Returns what an attribute holds, made of old variables; or its gradient, made of theirs: nothing is added."""
    steps = [step.split() for step in transform.split(", ") if step]
    if steps and steps[0][0] == "parts":
        bounds = [[int(number) for number in rows.split(":")] for rows in steps.pop(0)[1:]]
        arrays = [array[first:last] for array, (first, last) in zip(arrays, bounds, strict=True)]
    array = arrays[0] if len(arrays) == 1 else np.concatenate(arrays, -1)
    for action, *numbers in steps:
        if action == "rows":
            first, last = map(int, numbers[0].split(":"))
            array = array[first:last]
        elif action == "blocks":
            blocks = np.split(array, len(numbers), -1)
            array = np.concatenate([blocks[int(number)] for number in numbers], -1)
        elif action == "shape":
            array = array.reshape([int(number) for number in numbers])
        elif action == "transpose":
            array = array.T
        elif action == "steps":
            array = np.round(np.log(np.maximum(array, 1e-37)) / np.log(float(numbers[0]))).astype(np.int64) - 1
        elif action == "add" and not is_gradient:
            array = array + np.repeat(np.array(numbers, array.dtype), array.shape[-1] // len(numbers))
        elif action == "only" and not is_gradient:
            array = array * np.repeat(np.array(numbers, array.dtype), array.shape[-1] // len(numbers))
    return array


def attribute(owner: Any, path: str) -> Any:
    """Returns what is at a path of attributes and numbers of items, such as "dense.kernel" or "momentum.0"."""
    for part in path.split("."):
        owner = owner[int(part)] if part.isdigit() else getattr(owner, part)
    return owner


def _arrays(path: Path) -> Iterator[tuple[str, Any]]:
    data = np.memmap(path, np.uint8, "r")
    start = 8 + int.from_bytes(data[:8].tobytes(), "little")
    for name, entry in json.loads(data[8:start].tobytes()).items():
        if name != "__metadata__":
            first, last = (start + offset for offset in entry["data_offsets"])
            kind = np.dtype(TYPES[entry["dtype"]])
            yield name, np.frombuffer(data[first:last].tobytes(), kind).reshape(entry["shape"])


def table(path: str) -> Any:
    """Returns what fills a table of `tf.lookup`: the keys and values that `tables.json` has for an attribute."""
    import tensorflow as tf

    stored = _stored_table(path)
    return tf.lookup.KeyValueTensorInitializer(_tensor(stored["keys"]), _tensor(stored["values"]))


def vocabulary(path: str) -> list[str]:
    """Returns the words that `tables.json` has for an attribute, in the order of their numbers."""
    stored = _stored_table(path)
    return next(part["values"] for part in stored.values() if part["dtype"] == "string")


def _stored_table(path: str) -> dict[str, Any]:
    tables: dict[str, dict[str, Any]] = json.loads((HERE / "tables.json").read_text("utf-8"))
    return tables[path]


def _fill_tables(model: Any, tables: dict[str, Any]) -> None:
    import tensorflow as tf

    for path, stored in tables.items():
        if hasattr(attribute(model, path), "insert"):  # others have their contents from the start
            keys, values = (_tensor(stored[part]) for part in ("keys", "values"))
            handle = attribute(model, path).resource_handle
            tf.raw_ops.LookupTableImportV2(table_handle=handle, keys=keys, values=values)


def _tensor(stored: dict[str, Any]) -> Any:
    import tensorflow as tf

    if stored["dtype"] in ("string", "bytes"):
        encoding = "utf-8" if stored["dtype"] == "string" else "latin-1"
        texts = [text.encode(encoding) for text in stored["values"]]
        return tf.reshape(tf.constant(texts, tf.string), stored["shape"])
    return tf.constant(stored["values"], tf.as_dtype(stored["dtype"]), stored["shape"])
