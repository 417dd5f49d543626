"""Tensors reshaped to the rank that a model needs."""

from __future__ import annotations

import logging
import math
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import add_arg_scope
from tf2bridge.contrib.layers.utils import collect_named_outputs

v1 = tf.compat.v1
_log = logging.getLogger(__name__)


@add_arg_scope
def _inner_flatten(inputs: Any, new_rank: Any, output_collections: Any = None, scope: Any = None) -> Any:
    """Returns `inputs` with its last dimensions merged into one, so that the rank is `new_rank`.

    Raises:
        ValueError: the rank of `inputs` is lower.
    """
    with v1.name_scope(scope, "InnerFlatten", [inputs, new_rank]) as sc:
        if isinstance(inputs, tf.SparseTensor):
            flattened = _sparse(inputs, new_rank)
        else:
            flattened = _dense(tf.convert_to_tensor(inputs), new_rank)
    return collect_named_outputs(output_collections, sc, flattened)


inner_flatten = _inner_flatten


def _sparse(inputs: Any, new_rank: int) -> Any:
    rank = inputs.dense_shape.shape.as_list()[0]
    if rank < new_rank:
        raise ValueError(
            f"Inputs has rank less than new_rank. {inputs} must have rank at least {new_rank}, but has {rank}"
        )
    outer, inner = inputs.dense_shape[: new_rank - 1], inputs.dense_shape[new_rank - 1 :]
    shape = tf.concat((outer, [tf.reduce_prod(inner)]), 0)
    return tf.sparse.reshape(inputs, shape)


def _dense(inputs: Any, new_rank: Any) -> Any:
    enough = v1.debugging.assert_rank_at_least(inputs, new_rank, message="inputs has rank less than new_rank")
    with v1.control_dependencies([enough]):
        outer = v1.strided_slice(tf.shape(inputs), [0], [new_rank - 1])
        reshaped = tf.reshape(inputs, tf.concat((outer, [-1]), 0))
    if isinstance(new_rank, int) and inputs.shape.rank is not None:
        sizes = inputs.shape.as_list()
        inner = sizes[new_rank - 1 :]
        flat = None if None in inner else math.prod(inner)
        reshaped.set_shape([*sizes[: new_rank - 1], flat])
    return reshaped


def reshaped_numbers(tensor: Any, output_rank: int, name: str | None = None) -> Any:
    """Returns numbers of rank `output_rank`, with at most one dimension added.

    Raises:
        ValueError: the rank is too low.
    """
    rank = tensor.shape.rank
    if rank is not None:
        if output_rank > rank + 1:
            raise ValueError(
                f"Error while processing column {name}. Rank of input Tensor ({rank}) should be the same as "
                f"output_rank ({output_rank}): 3 for sequences, 2 for the rest."
            )
        if output_rank == rank + 1:
            _log.warning("the column %s has the rank %d instead of %d; a dimension is added", name, rank, output_rank)
            return tf.expand_dims(tensor, -1, name="expand_dims")
        if output_rank == rank:
            return tensor
    return inner_flatten(tensor, output_rank)


def reshaped_input(tensor: Any, name: str, output_rank: int) -> Any:
    """Returns a dense or sparse tensor of rank `output_rank`, with at most one dimension added.

    Raises:
        ValueError: the rank is too low.
    """
    rank = tensor.shape.rank
    sparse = isinstance(tensor, tf.SparseTensor)
    if rank is None and sparse:
        rank = tensor.dense_shape.shape.as_list()[0]
    if rank is None:
        raise ValueError(
            f"Error while processing column {name}. Rank of input Tensor can not be None: set it with set_shape"
        )
    if output_rank > rank + 1:
        raise ValueError(
            f"Error while processing column {name}. Rank of input Tensor ({rank}) should be the same as "
            f"output_rank ({output_rank}): 3 for sequences, 2 for the rest."
        )
    if output_rank < rank:
        return inner_flatten(tensor, output_rank)
    if output_rank == rank:
        return tensor
    if sparse:
        return tf.sparse.reshape(tensor, tf.concat([tensor.dense_shape, [1]], 0))
    more = tf.expand_dims(tensor, -1)
    more.set_shape([*tensor.shape.as_list(), 1])
    return more
