"""Linear maps of cells, with variables that may be sharded, and wrappers that map a cell's inputs or outputs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.rnn.cell import RNNCell, check_cell, zeros_of

v1 = tf.compat.v1


def _parts(args: Any) -> list[Any]:
    if args is None or (tf.nest.is_nested(args) and not args):
        raise ValueError("`args` must be specified: one tensor at least")
    return list(args) if tf.nest.is_nested(args) else [args]


def _columns(parts: list[Any]) -> int:
    shapes = [part.get_shape() for part in parts]
    if any(shape.ndims != 2 or shape.dims[1].value is None for shape in shapes):
        raise ValueError(f"linear is expecting 2D arguments, and shape[1] to be provided: {shapes}")
    return sum(shape.dims[1].value for shape in shapes)


def _product(parts: list[Any], weights: Any) -> Any:
    return v1.matmul(parts[0] if len(parts) == 1 else v1.concat(parts, 1), weights)


def bias_variable(outer: Any, size: int, dtype: Any, initializer: Any = None) -> Any:
    """Returns the variable `bias`, [size], which is never partitioned; it begins with zeros."""
    with v1.variable_scope(outer) as inner:
        inner.set_partitioner(None)
        start = v1.constant_initializer(0.0, dtype=dtype) if initializer is None else initializer
        return v1.get_variable("bias", [size], dtype=dtype, initializer=start)


class Linear:
    """A linear map of one tensor, or of several concatenated tensors. All calls share its variables.

    `args` are tensors [batch, size] like those of the calls.

    Raises:
        ValueError: a tensor has another rank or an unknown size.
    """

    def __init__(
        self,
        args: Any,
        output_size: int,
        build_bias: bool,
        bias_initializer: Any = None,
        kernel_initializer: Any = None,
    ) -> None:
        parts = _parts(args)
        dtype = parts[0].dtype
        shape = [_columns(parts), output_size]
        self._nested = tf.nest.is_nested(args)
        self._biases = None
        with v1.variable_scope(v1.get_variable_scope()) as outer:
            self._weights = v1.get_variable("kernel", shape, dtype=dtype, initializer=kernel_initializer)
            if build_bias:
                self._biases = bias_variable(outer, output_size, dtype, bias_initializer)

    def __call__(self, args: Any) -> Any:
        """Returns [batch, output_size]."""
        product = _product(list(args) if self._nested else [args], self._weights)
        return product if self._biases is None else v1.nn.bias_add(product, self._biases)


def linear(
    args: Any,
    output_size: int,
    bias: bool,
    bias_initializer: Any = None,
    kernel_initializer: Any = None,
    *,
    bias_start: float | None = None,
    scope: Any = None,
) -> Any:
    """Returns the concatenated tensors `args`, each [batch, size], times `kernel`, plus `bias`: [batch, output_size].

    This is `_linear` of `core_rnn_cell` and `rnn_cell_impl`. TensorFlow 1.0 and 1.1 have a number `bias_start` in place
    of `bias_initializer`, and a `scope`. Both are accepted here too. Raises the errors of `Linear`.
    """
    parts = _parts(args)
    dtype = parts[0].dtype
    shape = [_columns(parts), output_size]
    start = bias_initializer if bias_start is None else bias_start
    if isinstance(start, (int, float)):
        start = v1.constant_initializer(start, dtype=dtype)
    with v1.variable_scope(scope or v1.get_variable_scope()) as outer:
        weights = v1.get_variable("kernel", shape, dtype=dtype, initializer=kernel_initializer)
        product = _product(parts, weights)
        return v1.nn.bias_add(product, bias_variable(outer, output_size, dtype, start)) if bias else product


def sharded(name: str, shape: list[int], dtype: Any, shards: int) -> Any:
    """Returns the variables name_0, name_1 ..., which share the rows of `shape` as evenly as they can, as one tensor.

    Raises:
        ValueError: there are more shards than rows.
    """
    if shards > shape[0]:
        raise ValueError(f"Too many shards of {name}: shape={shape}, num_shards={shards}")
    unit, more = divmod(shape[0], shards)
    sizes = [unit + (place < more) for place in range(shards)]
    parts = [v1.get_variable(f"{name}_{place}", [size, *shape[1:]], dtype=dtype) for place, size in enumerate(sizes)]
    if shards == 1:
        return parts[0]
    full = f"{v1.get_variable_scope().name}/{name}/concat:0"
    for known in v1.get_collection(v1.GraphKeys.CONCATENATED_VARIABLES):
        if known.name == full:
            return known
    concatenated = v1.concat(parts, 0, name=f"{name}/concat")
    v1.add_to_collection(v1.GraphKeys.CONCATENATED_VARIABLES, concatenated)
    return concatenated


class Wrapper(RNNCell):  # type: ignore[misc]  # tf_keras is untyped
    """A cell around another one, `_cell`, with the same sizes."""

    _cell: Any

    @property
    def state_size(self) -> Any:
        return self._cell.state_size

    @property
    def output_size(self) -> Any:
        return self._cell.output_size

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        return zeros_of(self, self._cell, batch_size, dtype)


class EmbeddingWrapper(Wrapper):
    """Looks up its inputs, class numbers [batch] or [batch, 1], in the variable `embedding`.

    Raises:
        TypeError: `cell` is not a cell.
        ValueError: a size is below 1.
    """

    def __init__(
        self,
        cell: Any,
        embedding_classes: int,
        embedding_size: int,
        initializer: Any = None,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        check_cell("cell", cell)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError(
                f"Both embedding_classes and embedding_size must be > 0: {embedding_classes}, {embedding_size}."
            )
        self._cell = cell
        self._embedding_classes = embedding_classes
        self._embedding_size = embedding_size
        self._initializer = initializer

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        with v1.device("/cpu:0"):
            initializer = self._initializer or v1.get_variable_scope().initializer
            if not initializer:
                # A variance of 1, which is that of the uniform distribution between these.
                initializer = v1.random_uniform_initializer(-math.sqrt(3), math.sqrt(3))
            dtype = (state[0] if isinstance(state, tuple) else state).dtype
            shape = [self._embedding_classes, self._embedding_size]
            embedding = v1.get_variable("embedding", shape, initializer=initializer, dtype=dtype)
            embedded = v1.nn.embedding_lookup(embedding, v1.reshape(inputs, [-1]))
            result: tuple[Any, Any] = self._cell(embedded, state)
            return result


class InputProjectionWrapper(Wrapper):
    """Maps the input of a cell linearly to `num_proj`, and through `activation`. Raises TypeError for no cell."""

    def __init__(
        self,
        cell: Any,
        num_proj: int,
        activation: Callable[[Any], Any] | None = None,
        input_size: Any = None,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        if input_size is not None:
            logging.warn("%s: The input_size parameter is deprecated.", self)
        check_cell("cell", cell)
        self._cell = cell
        self._num_proj = num_proj
        self._activation = activation
        self._linear: Linear | None = None

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        if self._linear is None:
            self._linear = Linear(inputs, self._num_proj, True)
        projected = self._linear(inputs)
        result: tuple[Any, Any] = self._cell(self._activation(projected) if self._activation else projected, state)
        return result


class OutputProjectionWrapper(Wrapper):
    """Maps the output of a cell linearly to `output_size`, and applies `activation`.

    Raises:
        TypeError: `cell` is not a cell.
        ValueError: `output_size` is below 1.
    """

    def __init__(
        self,
        cell: Any,
        output_size: int,
        activation: Callable[[Any], Any] | None = None,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        check_cell("cell", cell)
        if output_size < 1:
            raise ValueError(f"Parameter output_size must be > 0: {output_size}.")
        self._cell = cell
        self._output_size = output_size
        self._activation = activation
        self._linear: Linear | None = None

    @property
    def output_size(self) -> Any:
        return self._output_size

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        output, new_state = self._cell(inputs, state)
        if self._linear is None:
            self._linear = Linear(output, self._output_size, True)
        projected = self._linear(output)
        return self._activation(projected) if self._activation else projected, new_state
