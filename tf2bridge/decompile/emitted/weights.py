"""The weights of the model: those of the old graph, beside this file, or those of any checkpoint of the old graph.

`names.toml` has a line for each variable: the path of the attribute, and the name that checkpoints have for it.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

HERE = Path(__file__).parent
TYPES = {
    "BOOL": "bool", "U8": "uint8", "I8": "int8", "U16": "uint16", "I16": "int16", "U32": "uint32", "I32": "int32",
    "U64": "uint64", "I64": "int64", "F16": "float16", "BF16": "bfloat16", "F32": "float32", "F64": "float64",
    "C64": "complex64", "F8_E5M2": "float8_e5m2", "F8_E4M3": "float8_e4m3fn",
}  # fmt: skip
"""Names of types in safetensors (github.com/huggingface/safetensors)."""


def fill(model: Any) -> None:
    """Gives the variables and tables of a model the values that the old graph had."""
    if hasattr(model, "call"):  # a model of Keras, whose layers have weights once it is traced
        model.call.get_concrete_function(*model.legacy_inputs.values())
        model.built = True
    for path, array in _arrays(HERE / "weights.safetensors"):
        _attribute(model, path).assign(array)
    for path, table in json.loads((HERE / "tables.json").read_text("utf-8")).items():
        keys, values = (_tensor(table[part]) for part in ("keys", "values"))
        handle = _attribute(model, path).resource_handle
        tf.raw_ops.LookupTableImportV2(table_handle=handle, keys=keys, values=values)


def restore(model: Any, checkpoint: str) -> None:
    """Gives the variables of a model the values in a checkpoint of the old graph, such as "model.ckpt-2000".

    Raises KeyError if the checkpoint lacks a variable.
    """
    reader = tf.train.load_checkpoint(checkpoint)
    for path, name in names().items():
        if not reader.has_tensor(name):
            raise KeyError(f"{checkpoint} has no tensor {name!r}, which belongs to {path}")
        _attribute(model, path).assign(reader.get_tensor(name))


def names() -> dict[str, str]:
    """Returns the path of each variable -> its name in checkpoints."""
    lines = (HERE / "names.toml").read_text("utf-8").splitlines()
    pairs = [line.split(" = ", 1) for line in lines if line.startswith('"')]
    return {json.loads(path): json.loads(name) for path, name in pairs}


def _attribute(model: Any, path: str) -> Any:
    return functools.reduce(getattr, path.split("."), model)


def _arrays(path: Path) -> Iterator[tuple[str, Any]]:
    data = np.memmap(path, np.uint8, "r")
    start = 8 + int.from_bytes(data[:8].tobytes(), "little")
    for name, entry in json.loads(data[8:start].tobytes()).items():
        if name != "__metadata__":
            first, last = (start + offset for offset in entry["data_offsets"])
            kind = tf.as_dtype(TYPES[entry["dtype"]]).as_numpy_dtype
            yield name, np.frombuffer(data[first:last].tobytes(), kind).reshape(entry["shape"])


def _tensor(stored: dict[str, Any]) -> tf.Tensor:
    kind = tf.as_dtype(stored["dtype"])
    if kind == tf.string:
        texts = [text.encode("latin-1") for text in stored["values"]]
        return tf.reshape(tf.constant(texts, tf.string), stored["shape"])
    return tf.constant(stored["values"], kind, stored["shape"])
