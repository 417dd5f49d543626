"""Columns of categories, with or without weights: hashed, numbered, by keys, or by a vocabulary file."""

from __future__ import annotations

import collections
import logging
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.layers.feature_column.base import LinearLookup, _FeatureColumn, feature_config, id_weight_pair
from tf2bridge.contrib.layers.feature_column.flattening import reshaped_numbers
from tf2bridge.contrib.layers.sparse_ops import dense_to_sparse_tensor
from tf2bridge.internals.columns import feature_column as core
from tf2bridge.internals.ops import lookup_ops

v1 = tf.compat.v1
_log = logging.getLogger(__name__)

_SparseIdLookupConfig = collections.namedtuple(
    "_SparseIdLookupConfig",
    ("vocabulary_file", "keys", "num_oov_buckets", "vocab_size", "default_value"),
    defaults=(None, None, 0, None, -1),
)
_Fields = collections.namedtuple(
    "_Fields", ("column_name", "is_integerized", "bucket_size", "lookup_config", "combiner", "dtype")
)
_Weighted = collections.namedtuple("_Weighted", ("sparse_id_column", "weight_column_name", "dtype"))


class _Categories(_FeatureColumn, core._CategoricalColumn):  # type: ignore[misc]  # TensorFlow has no types
    """The interface that the core columns expect of columns of categories: ids and weights."""

    @property
    def _parse_example_spec(self) -> Any:
        return self.config

    @property
    def _num_buckets(self) -> int:
        return int(self.length)

    def _get_sparse_tensors(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        del weight_collections, trainable
        tensor = inputs.get(self)
        return id_weight_pair(self.id_tensor(tensor), self.weight_tensor(tensor))


class _SparseColumn(_Categories, _Fields):
    """A feature of categories, as text or integers."""

    def __new__(
        cls,
        column_name: str,
        is_integerized: bool = False,
        bucket_size: int | None = None,
        lookup_config: Any = None,
        combiner: str = "sum",
        dtype: Any = tf.string,
    ) -> Any:
        """Makes the column. Raises ValueError if sizes, dtypes and lookups do not fit together."""
        of = f"column_name: {column_name}"
        if is_integerized and bucket_size is None:
            raise ValueError(f"bucket_size must be set if is_integerized is True. {of}")
        if (is_integerized or dtype != tf.string) and not dtype.is_integer:
            wanted = "an integer if is_integerized is True" if is_integerized else "string or integer"
            raise ValueError(f"dtype must be {wanted}. dtype: {dtype}, {of}")
        if (bucket_size is None) == (not lookup_config):
            wanted = "one" if bucket_size is None else "one and only one"
            raise ValueError(f"{wanted} of bucket_size or lookup_config must be set. {of}")
        if bucket_size is not None and bucket_size < 1:
            raise ValueError(f"bucket_size must be at least 1. bucket_size: {bucket_size}, {of}")
        if lookup_config and lookup_config.vocabulary_file and lookup_config.vocab_size is None:
            raise ValueError(f"vocab_size must be defined. {of}")
        return super().__new__(cls, column_name, is_integerized, bucket_size, lookup_config, combiner, dtype)

    @property
    def name(self) -> str:
        return str(self.column_name)

    @property
    def length(self) -> int:
        """The number of ids."""
        if self.bucket_size is not None:
            return int(self.bucket_size)
        return int(self.lookup_config.vocab_size + self.lookup_config.num_oov_buckets)

    @property
    def config(self) -> dict[str, Any]:
        return {self.column_name: v1.VarLenFeature(self.dtype)}

    def id_tensor(self, input_tensor: Any) -> Any:
        """Returns the ids of a transformed tensor."""
        return input_tensor

    def weight_tensor(self, input_tensor: Any) -> Any:
        """Returns None: sparse columns have no weights."""
        del input_tensor

    def is_compatible(self, other_column: Any) -> bool:
        """Returns True if both columns have the same ids, as far as their arguments tell."""
        if self.lookup_config and other_column.lookup_config:
            return bool(self.lookup_config == other_column.lookup_config)
        same = self.dtype == other_column.dtype or (self.dtype.is_integer and other_column.dtype.is_integer)
        compatible = bool(self.length == other_column.length and same)
        if compatible:
            _log.warning("the columns %s and %s may have different vocabularies", self.name, other_column.name)
        return compatible

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        columns_to_tensors[self] = self._do_transform(self._sparse(columns_to_tensors[self.name]))

    def _transform_feature(self, inputs: Any) -> Any:
        return self._do_transform(self._sparse(inputs.get(self.name)))

    def _do_transform(self, input_tensor: Any) -> Any:
        raise NotImplementedError

    def _sparse(self, tensor: Any) -> Any:
        """Returns the tensor as a SparseTensor. A dense feature loses the values "" and -1."""
        if isinstance(tensor, tf.SparseTensor):
            return tensor
        ignored = "" if tensor.dtype == tf.string else -1
        return dense_to_sparse_tensor(reshaped_numbers(tensor, 2, self.name), ignore_value=ignored)

    def _wide_embedding_lookup_arguments(self, input_tensor: Any) -> LinearLookup:
        ids, weights = self.id_tensor(input_tensor), self.weight_tensor(input_tensor)
        return LinearLookup(ids, weights, self.length, v1.zeros_initializer(), self.combiner)


class _SparseColumnIntegerized(_SparseColumn):
    def _do_transform(self, input_tensor: Any) -> Any:
        ids = tf.math.floormod(input_tensor.values, self.bucket_size, name="mod")
        return tf.SparseTensor(input_tensor.indices, ids, input_tensor.dense_shape)


class _SparseColumnHashed(_SparseColumn):
    def __new__(cls, column_name: str, *args: Any, hash_keys: Any = None, **kwargs: Any) -> Any:
        """Makes the column. Raises ValueError unless `hash_keys` is a list of pairs of integers."""
        if hash_keys is not None:
            if not isinstance(hash_keys, list) or not hash_keys:
                raise ValueError(f"hash_keys must be a non-empty list. hash_keys: {hash_keys!r}")
            if not all(_is_pair(pair) for pair in hash_keys):
                raise ValueError(f"Each element of hash_keys must be a pair of integers. hash_keys: {hash_keys!r}")
        column = super().__new__(cls, column_name, *args, **kwargs)
        column.hash_keys = hash_keys
        return column

    def _do_transform(self, input_tensor: Any) -> Any:
        values = tf.as_string(input_tensor.values) if self.dtype.is_integer else input_tensor.values
        if not self.hash_keys:
            ids = v1.string_to_hash_bucket_fast(values, self.bucket_size, name="lookup")
            return tf.SparseTensor(input_tensor.indices, ids, input_tensor.dense_shape)
        hashed = [v1.string_to_hash_bucket_strong(values, self.bucket_size, key) for key in self.hash_keys]
        hashed_ids = [tf.SparseTensor(input_tensor.indices, ids, input_tensor.dense_shape) for ids in hashed]
        return tf.sparse.concat(1, hashed_ids, name="lookup")


class _SparseColumnKeys(_SparseColumn):
    def _do_transform(self, input_tensor: Any) -> Any:
        table = lookup_ops.index_table_from_tensor(
            vocabulary_list=tuple(self.lookup_config.keys),
            default_value=self.lookup_config.default_value,
            dtype=self.dtype,
            name="lookup",
        )
        return table.lookup(input_tensor)


class _SparseColumnVocabulary(_SparseColumn):
    def _do_transform(self, st: Any) -> Any:
        text = tf.SparseTensor(st.indices, tf.as_string(st.values), st.dense_shape) if self.dtype.is_integer else st
        table = lookup_ops.index_table_from_file(
            vocabulary_file=self.lookup_config.vocabulary_file,
            num_oov_buckets=self.lookup_config.num_oov_buckets,
            vocab_size=self.lookup_config.vocab_size,
            default_value=self.lookup_config.default_value,
            name=f"{self.name}_lookup",
        )
        return table.lookup(text)


class _WeightedSparseColumn(_Categories, _Weighted):
    """A sparse column whose values are weighted by another feature."""

    @property
    def name(self) -> str:
        return f"{self.sparse_id_column.name}_weighted_by_{self.weight_column_name}"

    @property
    def length(self) -> int:
        """The number of ids."""
        return int(self.sparse_id_column.length)

    @property
    def config(self) -> dict[str, Any]:
        return {**feature_config(self.sparse_id_column), self.weight_column_name: v1.VarLenFeature(self.dtype)}

    @property
    def lookup_config(self) -> Any:
        """The lookup config of the column of ids."""
        return self.sparse_id_column.lookup_config

    def id_tensor(self, input_tensor: Any) -> Any:
        """Returns the ids of a transformed tensor."""
        return input_tensor[0]

    def weight_tensor(self, input_tensor: Any) -> Any:
        """Returns the weights of a transformed tensor."""
        return input_tensor[1]

    def is_compatible(self, other_column: Any) -> bool:
        """Returns True if the columns of ids are compatible."""
        other_ids = getattr(other_column, "sparse_id_column", other_column)
        return bool(self.sparse_id_column.is_compatible(other_ids))

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        if self.sparse_id_column not in columns_to_tensors:
            self.sparse_id_column.insert_transformed_feature(columns_to_tensors)
        ids, weights = columns_to_tensors[self.sparse_id_column], columns_to_tensors[self.weight_column_name]
        columns_to_tensors[self] = self._do_transform(ids, weights)

    def _transform_feature(self, inputs: Any) -> Any:
        return self._do_transform(inputs.get(self.sparse_id_column), inputs.get(self.weight_column_name))

    def _do_transform(self, ids: Any, weights: Any) -> Any:
        if not isinstance(weights, tf.SparseTensor):
            weights = dense_to_sparse_tensor(weights)
        return ids, weights if self.dtype.is_floating else tf.cast(weights, tf.float32)

    def _wide_embedding_lookup_arguments(self, input_tensor: Any) -> LinearLookup:
        ids, weights = input_tensor
        return LinearLookup(ids, weights, self.length, v1.zeros_initializer(), self.sparse_id_column.combiner)


def sparse_column_with_integerized_feature(
    column_name: str, bucket_size: int, combiner: str = "sum", dtype: Any = tf.int64
) -> Any:
    """Returns a column whose values are the ids, modulo `bucket_size`. Raises ValueError for other dtypes."""
    return _SparseColumnIntegerized(column_name, True, bucket_size, combiner=combiner, dtype=dtype)


def sparse_column_with_hash_bucket(
    column_name: str, hash_bucket_size: int, combiner: str = "sum", dtype: Any = tf.string, hash_keys: Any = None
) -> Any:
    """Returns a column whose values are hashed to `hash_bucket_size` ids, once for each pair of `hash_keys`."""
    return _SparseColumnHashed(
        column_name, bucket_size=hash_bucket_size, combiner=combiner, dtype=dtype, hash_keys=hash_keys
    )


def sparse_column_with_keys(
    column_name: str, keys: Any, default_value: int = -1, combiner: str = "sum", dtype: Any = tf.string
) -> Any:
    """Returns a column whose ids are the positions in `keys`. Other values have the id `default_value`."""
    config = _SparseIdLookupConfig(keys=tuple(keys), vocab_size=len(tuple(keys)), default_value=default_value)
    return _SparseColumnKeys(column_name, lookup_config=config, combiner=combiner, dtype=dtype)


def sparse_column_with_vocabulary_file(
    column_name: str,
    vocabulary_file: str,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: int = -1,
    combiner: str = "sum",
    dtype: Any = tf.string,
) -> Any:
    """Returns a column whose ids are the lines of a file. Raises ValueError if the number of lines is missing."""
    if vocab_size is None:
        raise ValueError(f"vocab_size should be defined, how many lines of the file count. column_name: {column_name}")
    config = _SparseIdLookupConfig(vocabulary_file, None, num_oov_buckets, vocab_size, default_value)
    return _SparseColumnVocabulary(column_name, lookup_config=config, combiner=combiner, dtype=dtype)


def weighted_sparse_column(sparse_id_column: Any, weight_column_name: str, dtype: Any = tf.float32) -> Any:
    """Returns `sparse_id_column` weighted by another feature. Raises ValueError if `dtype` is not numeric."""
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype is not convertible to float. Given {dtype} for the weights {weight_column_name}")
    return _WeightedSparseColumn(sparse_id_column, weight_column_name, dtype)


def _is_pair(keys: Any) -> bool:
    return isinstance(keys, list) and len(keys) == 2 and all(isinstance(key, int) for key in keys)
