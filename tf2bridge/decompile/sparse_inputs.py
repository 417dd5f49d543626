"""Inputs that are the parts of a sparse tensor, as `tf.sparse_placeholder` of TensorFlow 1.x makes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tf2bridge.decompile.ir import Function, Kind, Spec, Value, all_nodes
from tf2bridge.internals.framework import op_def_registry

_INDICES, _VALUES, _SHAPES = "indices", "values", ("shape", "dense_shape")
_PER_ROW = 2
"""How many values a row has: few enough for a row of labels that is shorter than its sequence."""


class SparseInput(NamedTuple):
    """The names of the inputs that are one sparse tensor; `shape` is empty if the graph does not take it."""

    indices: str
    values: str
    shape: str = ""


def sparse_inputs(function: Function) -> tuple[SparseInput, ...]:
    """Returns the sparse tensors among the parameters of a graph.

    They are told by the operations that take all parts of one, or by the names of their parts.
    """
    parts: dict[str, SparseInput] = {}
    for node in all_nodes(function):
        definition = op_def_registry.get(node.op)
        names = [argument.name for argument in definition.input_arg] if definition else []
        if len(names) == len(node.inputs):  # none of them is a list
            for sparse in _in_roles({name: _parameter(given) for name, given in zip(names, node.inputs, strict=True)}):
                parts[sparse.indices] = max(
                    parts.get(sparse.indices, sparse), sparse, key=lambda part: bool(part.shape)
                )
    for sparse in _in_roles({parameter.name: parameter.name for parameter in function.parameters}, "/"):
        parts.setdefault(sparse.indices, sparse)
    return tuple(parts.values())


def _in_roles(names: Mapping[str, str], between: str = "_") -> list[SparseInput]:
    """Returns the sparse tensors whose parts have the same name but for its end.

    Args:
        names: The role of each part, such as "labels_indices" -> the name of the input, or nothing.
        between: What is before the last word of a role.
    """
    tensors = []
    for role, indices in names.items():
        start = role.removesuffix(_INDICES)
        if start != role and (not start or start.endswith(between)):
            values = names.get(f"{start}{_VALUES}", "")
            shape = next(filter(None, (names.get(f"{start}{end}", "") for end in _SHAPES)), "")
            if indices and values:
                tensors.append(SparseInput(indices, values, shape))
    return tensors


def _parameter(value: Value) -> str:
    return value.node.name if value.node.op == Kind.PARAMETER else ""


def arrays_of(
    sparse: Sequence[SparseInput], inputs: Mapping[str, Spec], batch: int, length: int, seed: int
) -> dict[str, Any]:
    """Returns the arrays of inputs that are parts of sparse tensors.

    Args:
        sparse: The sparse tensors.
        inputs: All inputs.
        batch: The size of their first dimension.
        length: The size of others.
        seed: The seed of the random numbers.
    """
    arrays: dict[str, Any] = {}
    for tensor in sparse:
        rank = _rank(tensor, inputs)
        columns = [np.arange(_PER_ROW)] * (rank - 1)
        indices = np.stack([np.repeat(np.arange(batch), _PER_ROW), *(np.tile(column, batch) for column in columns)], 1)
        dtype = inputs[tensor.values].dtype
        draw = np.random.default_rng(seed)
        count = len(indices)
        values = draw.integers(0, 2, count) if dtype.is_integer else draw.standard_normal(count)
        arrays[tensor.indices] = indices.astype(np.int64)
        arrays[tensor.values] = np.asarray(values, dtype.as_numpy_dtype)
        if tensor.shape:
            arrays[tensor.shape] = np.array([batch, *[length] * (rank - 1)], np.int64)
    return arrays


def _rank(tensor: SparseInput, inputs: Mapping[str, Spec]) -> int:
    """Returns the rank of a sparse tensor: as its indices or its shape say, or that of a matrix."""
    indices, shape = inputs[tensor.indices].shape, inputs[tensor.shape].shape if tensor.shape else None
    return (indices[1] if indices and len(indices) > 1 else None) or (shape[0] if shape else None) or 2
