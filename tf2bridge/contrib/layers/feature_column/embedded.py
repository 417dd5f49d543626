"""Columns that make categories dense: one-hot, embedded, embedded together, embedded by hashes."""

from __future__ import annotations

import collections
import math
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.layers.feature_column.base import (
    DeepLookup,
    _FeatureColumn,
    check_checkpoint,
    check_initializer,
    feature_config,
)
from tf2bridge.contrib.layers.feature_column.flattening import inner_flatten
from tf2bridge.contrib.layers.feature_column.lookups import embedded
from tf2bridge.contrib.layers.feature_column.sparse import _SparseColumn, _WeightedSparseColumn
from tf2bridge.internals.columns import feature_column as core

v1 = tf.compat.v1

_OneHot = collections.namedtuple("_OneHot", ("sparse_id_column",))
_Embedding = collections.namedtuple(
    "_Embedding",
    [
        "sparse_id_column",
        "dimension",
        "combiner",
        "initializer",
        "ckpt_to_load_from",
        "tensor_name_in_ckpt",
        "shared_embedding_name",
        "shared_vocab_size",
        "max_norm",
        "trainable",
    ],
    defaults=("mean", None, None, None, None, None, None, True),
)
_Scattered = collections.namedtuple(
    "_Scattered", ("column_name", "size", "dimension", "hash_key", "combiner", "initializer")
)


class _OfSparse(_FeatureColumn, core._DenseColumn):  # type: ignore[misc]  # TensorFlow has no types
    """The base class of dense columns that are made of a column of categories."""

    sparse_id_column: Any

    @property
    def config(self) -> dict[str, Any]:
        return feature_config(self.sparse_id_column)

    @property
    def _parse_example_spec(self) -> Any:
        return self.config

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        if self.sparse_id_column not in columns_to_tensors:
            self.sparse_id_column.insert_transformed_feature(columns_to_tensors)
        columns_to_tensors[self] = columns_to_tensors[self.sparse_id_column]


class _OneHotColumn(_OfSparse, _OneHot):
    """One number for each category: its count in the example, or the sum of its weights."""

    @property
    def name(self) -> str:
        return f"{self.sparse_id_column.name}_one_hot"

    @property
    def length(self) -> int:
        """The number of categories."""
        return int(self.sparse_id_column.length)

    @property
    def _variable_shape(self) -> Any:
        return tf.TensorShape([self.length])

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        del weight_collections, trainable
        return inputs.get(self)

    def _transform_feature(self, inputs: Any) -> Any:
        return self._to_dnn_input_layer(inputs.get(self.sparse_id_column))

    def _to_dnn_input_layer(self, input_tensor: Any, *_: Any, output_rank: int = 2) -> Any:
        ids = inner_flatten(self.sparse_id_column.id_tensor(input_tensor), output_rank)
        weights = self.sparse_id_column.weight_tensor(input_tensor)
        if weights is not None:
            return self._weighted(ids, weights)
        dense = v1.sparse_tensor_to_dense(ids, default_value=-1)
        hot = tf.one_hot(dense, depth=self.length, on_value=1.0, off_value=0.0)
        return tf.reduce_sum(hot, axis=[output_rank - 1])

    def _weighted(self, ids: Any, weights: Any) -> Any:
        merged = v1.sparse_merge(sp_ids=ids, sp_values=weights, vocab_size=self.length)
        merged = tf.sparse.slice(merged, v1.zeros_like(merged.dense_shape), merged.dense_shape)
        dense = v1.sparse_tensor_to_dense(merged)
        return tf.reshape(dense, tf.concat([tf.shape(dense)[:-1], [self.length]], axis=0))


class _EmbeddingColumn(_OfSparse, _Embedding):
    """A trained vector for each category. The vectors of an example's categories are combined."""

    def __new__(cls, sparse_id_column: Any, dimension: int, *args: Any, **kwargs: Any) -> Any:
        """Makes the column.

        Raises:
            ValueError: the initializer is not callable, or only one of checkpoint and tensor name is given.
        """
        column = super().__new__(cls, sparse_id_column, dimension, *args, **kwargs)
        check_initializer(column.initializer, sparse_id_column.name)
        check_checkpoint(column.ckpt_to_load_from, column.tensor_name_in_ckpt)
        if column.initializer is None:
            deviation = 1 / math.sqrt(sparse_id_column.length)
            initializer = v1.truncated_normal_initializer(mean=0.0, stddev=deviation)
            fields = {**column._asdict(), "initializer": initializer}
            column = super().__new__(cls, **fields)
        return column

    @property
    def name(self) -> str:
        kind = "embedding" if self.shared_embedding_name is None else "shared_embedding"
        return f"{self.sparse_id_column.name}_{kind}"

    @property
    def length(self) -> int:
        """The number of vectors."""
        shared = self.shared_vocab_size
        return int(self.sparse_id_column.length if shared is None else shared)

    @property
    def key(self) -> str:
        return self._key_without("initializer")

    @property
    def _variable_shape(self) -> Any:
        return tf.TensorShape([self.dimension])

    def _deep_embedding_lookup_arguments(self, input_tensor: Any) -> DeepLookup:
        return DeepLookup(
            input_tensor=self.sparse_id_column.id_tensor(input_tensor),
            weight_tensor=self.sparse_id_column.weight_tensor(input_tensor),
            vocab_size=self.length,
            dimension=self.dimension,
            initializer=self.initializer,
            combiner=self.combiner,
            shared_embedding_name=self.shared_embedding_name,
            hash_key=None,
            max_norm=self.max_norm,
            trainable=self.trainable,
        )

    def _wide_embedding_lookup_arguments(self, input_tensor: Any) -> Any:
        del input_tensor
        raise ValueError(f"Column {self} is not supported in linear models. Please use sparse_column.")

    def _checkpoint_path(self) -> tuple[str, str] | None:
        if self.ckpt_to_load_from is None:
            return None
        return self.ckpt_to_load_from, self.tensor_name_in_ckpt

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        lookup = self._deep_embedding_lookup_arguments(inputs.get(self))
        return embedded(self, lookup, weight_collections, trainable)

    def _transform_feature(self, inputs: Any) -> Any:
        return inputs.get(self.sparse_id_column)


class _ScatteredEmbeddingColumn(_FeatureColumn, core._DenseColumn, _Scattered):  # type: ignore[misc]
    """Vectors whose numbers are selected by hashes from one vector of weights."""

    def __new__(
        cls,
        column_name: str,
        size: int,
        dimension: int,
        hash_key: int,
        combiner: str = "sqrtn",
        initializer: Any = None,
    ) -> Any:
        """Makes the column. Raises ValueError if the initializer is not callable."""
        check_initializer(initializer, column_name)
        initializer = initializer or v1.truncated_normal_initializer(mean=0.0, stddev=0.1)
        return super().__new__(cls, column_name, size, dimension, hash_key, combiner, initializer)

    @property
    def name(self) -> str:
        return f"{self.column_name}_scattered_embedding"

    @property
    def config(self) -> dict[str, Any]:
        return {self.column_name: v1.VarLenFeature(tf.string)}

    @property
    def key(self) -> str:
        return self._key_without("initializer")

    @property
    def _parse_example_spec(self) -> Any:
        return self.config

    @property
    def _variable_shape(self) -> Any:
        return tf.TensorShape([self.dimension])

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        columns_to_tensors[self] = columns_to_tensors[self.column_name]

    def _deep_embedding_lookup_arguments(self, input_tensor: Any) -> DeepLookup:
        return DeepLookup(
            input_tensor=input_tensor,
            weight_tensor=None,
            vocab_size=self.size,
            initializer=self.initializer,
            combiner=self.combiner,
            dimension=self.dimension,
            shared_embedding_name=None,
            hash_key=self.hash_key,
            max_norm=None,
            trainable=True,
        )

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        lookup = self._deep_embedding_lookup_arguments(inputs.get(self))
        return embedded(self, lookup, weight_collections, trainable)

    def _transform_feature(self, inputs: Any) -> Any:
        return inputs.get(self.column_name)


def one_hot_column(sparse_id_column: Any) -> Any:
    """Returns a column with one number for each category of `sparse_id_column`."""
    return _OneHotColumn(sparse_id_column)


def embedding_column(
    sparse_id_column: Any,
    dimension: int,
    combiner: str = "mean",
    initializer: Any = None,
    ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None,
    max_norm: float | None = None,
    trainable: bool = True,
) -> Any:
    """Returns a column with a vector of `dimension` numbers for each category.

    Raises:
        ValueError: the initializer is not callable, or only one of checkpoint and tensor name is given.
    """
    return _EmbeddingColumn(
        sparse_id_column,
        dimension,
        combiner,
        initializer,
        ckpt_to_load_from,
        tensor_name_in_ckpt,
        max_norm=max_norm,
        trainable=trainable,
    )


def shared_embedding_columns(
    sparse_id_columns: Any,
    dimension: int,
    combiner: str = "mean",
    shared_embedding_name: str | None = None,
    initializer: Any = None,
    ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None,
    max_norm: float | None = None,
    trainable: bool = True,
) -> Any:
    """Returns embedding columns that share their vectors: a tuple, or a list if there is only one column.

    Raises:
        TypeError: `sparse_id_columns` is not a sequence of sparse columns.
        ValueError: the sequence is empty, or its columns have different ids.
    """
    if not isinstance(sparse_id_columns, Sequence) or isinstance(sparse_id_columns, str):
        raise TypeError(
            "sparse_id_columns must be a non-string sequence (ex: list or tuple) "
            f"instead of type {type(sparse_id_columns)}."
        )
    if not sparse_id_columns:
        raise ValueError("The input sparse_id_columns should have at least one element.")
    for column in sparse_id_columns:
        if not isinstance(column, _SparseColumn | _WeightedSparseColumn):
            raise TypeError(
                f"Elements of sparse_id_columns must be _SparseColumn or _WeightedSparseColumn, but {column} is not."
            )
    settings = (dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt)
    options: dict[str, Any] = {"max_norm": max_norm, "trainable": trainable}
    if len(sparse_id_columns) == 1:
        return [_EmbeddingColumn(sparse_id_columns[0], *settings, shared_embedding_name, **options)]
    first = sparse_id_columns[0]
    for column in sparse_id_columns[1:]:
        column_asked, column_compared = (first, column) if isinstance(first, _WeightedSparseColumn) else (column, first)
        if not column_asked.is_compatible(column_compared):
            raise ValueError(
                f"The input sparse id columns are not compatible: {first.name} and {column.name} have other ids"
            )
    name = shared_embedding_name or _shared_name(sparse_id_columns)
    return tuple(_EmbeddingColumn(column, *settings, name, first.length, **options) for column in sparse_id_columns)


def scattered_embedding_column(
    column_name: str,
    size: int,
    dimension: int,
    hash_key: int,
    combiner: str = "mean",
    initializer: Callable[..., Any] | None = None,
) -> Any:
    """Returns a column of vectors whose numbers are selected by hashes from `size` weights.

    Raises:
        ValueError: a size or an argument is not valid.
    """
    if dimension < 1 or size < 1:
        raise ValueError(
            "Dimension and size must be greater than 0. "
            f"dimension: {dimension}, size: {size}, column_name: {column_name}"
        )
    if combiner not in ("mean", "sqrtn", "sum"):
        raise ValueError(
            f"Combiner must be one of 'mean', 'sqrtn' or 'sum'. combiner: {combiner}, column_name: {column_name}"
        )
    return _ScatteredEmbeddingColumn(column_name, size, dimension, hash_key, combiner, initializer)


def _shared_name(columns: Sequence[Any]) -> str:
    plain: list[Any] = sorted(column for column in columns if isinstance(column, _SparseColumn))
    weighted: list[Any] = [column for column in columns if isinstance(column, _WeightedSparseColumn)]
    names = [column.name for column in (*plain, *sorted(weighted, key=lambda column: column.name))]
    suffix = f"_plus_{len(names) - 3}_others" if len(names) > 3 else ""
    return f"{'_'.join(names[:3])}{suffix}_shared_embedding"
