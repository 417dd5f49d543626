"""Columns of combinations of the categories of other columns."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Iterator
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.layers.feature_column.base import (
    LinearLookup,
    _LazyBuilderByColumnsToTensor,
    check_checkpoint,
    feature_config,
)
from tf2bridge.contrib.layers.feature_column.numeric import _BucketizedColumn
from tf2bridge.contrib.layers.feature_column.sparse import _Categories, _SparseColumn
from tf2bridge.contrib.layers.sparse_feature_cross_op import sparse_feature_cross

v1 = tf.compat.v1

_Fields = collections.namedtuple(
    "_Fields", ("columns", "hash_bucket_size", "hash_key", "combiner", "ckpt_to_load_from", "tensor_name_in_ckpt")
)


class _CrossedColumn(_Categories, _Fields):
    """Every combination of the values of `columns` in an example, hashed."""

    def __new__(
        cls,
        columns: Iterable[Any],
        hash_bucket_size: int,
        hash_key: int | None,
        combiner: str = "sum",
        ckpt_to_load_from: str | None = None,
        tensor_name_in_ckpt: str | None = None,
    ) -> Any:
        """Makes the column.

        Raises:
            TypeError: a column cannot be crossed.
            ValueError: there are fewer than two columns or buckets.
        """
        crossed = list(columns)
        for column in crossed:
            if not isinstance(column, _SparseColumn | _CrossedColumn | _BucketizedColumn):
                raise TypeError(
                    "columns must be a set of _SparseColumn, _CrossedColumn, or _BucketizedColumn instances. "
                    f"(column {column} is a {type(column).__name__})"
                )
        if len(crossed) < 2:
            raise ValueError(f"columns must contain at least 2 elements. columns: {crossed}")
        if hash_bucket_size < 2:
            raise ValueError(f"hash_bucket_size must be at least 2. hash_bucket_size: {hash_bucket_size}")
        check_checkpoint(ckpt_to_load_from, tensor_name_in_ckpt)
        ordered = tuple(sorted(crossed, key=lambda column: str(column.name)))
        settings = (hash_bucket_size, hash_key, combiner, ckpt_to_load_from, tensor_name_in_ckpt)
        return super().__new__(cls, ordered, *settings)

    @property
    def name(self) -> str:
        return "_X_".join(sorted(column.name for column in self.columns))

    @property
    def config(self) -> dict[str, Any]:
        return {key: feature for column in self.columns for key, feature in feature_config(column).items()}

    @property
    def length(self) -> int:
        """The number of ids."""
        return int(self.hash_bucket_size)

    def id_tensor(self, input_tensor: Any) -> Any:
        """Returns the ids of a transformed tensor."""
        return input_tensor

    def weight_tensor(self, input_tensor: Any) -> Any:
        """Returns None: crossed columns have no weights."""
        del input_tensor

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        columns_to_tensors[self] = self._transform_feature(_LazyBuilderByColumnsToTensor(columns_to_tensors))

    def _transform_feature(self, inputs: Any) -> Any:
        tensors = [_crossable(column, inputs) for column in _leaves(self)]
        return sparse_feature_cross(
            tensors, hashed_output=True, num_buckets=self.hash_bucket_size, hash_key=self.hash_key, name="cross"
        )

    def _checkpoint_path(self) -> tuple[str, str] | None:
        if self.ckpt_to_load_from is None:
            return None
        return self.ckpt_to_load_from, self.tensor_name_in_ckpt

    def _wide_embedding_lookup_arguments(self, input_tensor: Any) -> LinearLookup:
        return LinearLookup(input_tensor, None, self.length, v1.zeros_initializer(), self.combiner)


def crossed_column(
    columns: Iterable[Any],
    hash_bucket_size: int,
    combiner: str = "sum",
    ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None,
    hash_key: int | None = None,
) -> Any:
    """Returns a column of the combinations of `columns`, hashed to `hash_bucket_size` ids.

    Raises:
        TypeError: a column cannot be crossed.
        ValueError: there are fewer than two columns or buckets.
    """
    return _CrossedColumn(columns, hash_bucket_size, hash_key, combiner, ckpt_to_load_from, tensor_name_in_ckpt)


def _leaves(column: Any) -> Iterator[Any]:
    for part in column.columns:
        if isinstance(part, _CrossedColumn):
            yield from _leaves(part)
        else:
            yield part


def _crossable(column: Any, inputs: Any) -> Any:
    """Returns the tensor to cross: the values of a sparse column, not its ids."""
    if isinstance(column, _SparseColumn):
        return inputs.get(column.name)
    return column.to_sparse_tensor(inputs.get(column))
