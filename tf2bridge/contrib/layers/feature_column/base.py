"""The base class of all feature columns of contrib.layers, and the checks that they share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import tensorflow as tf

from tf2bridge.internals.columns import feature_column as core

"""The columns of `tf.feature_column` before Keras: those of contrib can stand where these are wanted."""


class LinearLookup(NamedTuple):
    """The arguments of the lookup of a column in a linear model."""

    input_tensor: Any
    weight_tensor: Any
    vocab_size: int
    initializer: Any
    combiner: str


class DeepLookup(NamedTuple):
    """The arguments of the lookup of a column in a deep model."""

    input_tensor: Any
    weight_tensor: Any
    vocab_size: int
    initializer: Any
    combiner: str
    dimension: int
    shared_embedding_name: str | None
    hash_key: int | None
    max_norm: float | None
    trainable: bool


class _FeatureColumn:
    """A column: its `name`, its unique `key`, its parsing `config`, and its transformation to a tensor."""

    name: Any
    config: Any

    @property
    def key(self) -> str:
        """The unique text of this column. Columns are sorted by it."""
        return str(self)

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        """Puts the transformed tensor of this column into the dictionary."""
        raise NotImplementedError(f"Transform is not implemented for {self}.")

    def _to_dnn_input_layer(self, input_tensor: Any, *_: Any, output_rank: int = 2) -> Any:
        del input_tensor, output_rank
        raise ValueError(
            f"{_kind(self)} is not supported in DNN. Please use embedding_column or one_hot_column. column: {self}"
        )

    def _deep_embedding_lookup_arguments(self, input_tensor: Any) -> DeepLookup:
        raise NotImplementedError(f"No deep embedding lookup arguments for column {self}.")

    def _wide_embedding_lookup_arguments(self, input_tensor: Any) -> LinearLookup:
        raise NotImplementedError(f"No wide embedding lookup arguments for column {self}.")

    def _to_dense_tensor(self, input_tensor: Any) -> Any:
        raise NotImplementedError(f"No dense tensor representation for column {self}.")

    def _checkpoint_path(self) -> tuple[str, str] | None:
        return None

    def _key_without(self, field: str) -> str:
        """Returns the key without the field `field`: a function, whose text differs in every process."""
        fields: dict[str, Any] = self._asdict()  # type: ignore[attr-defined]  # all columns are named tuples
        fields_text = [f"{name}={value}" for name, value in fields.items() if name != field]
        return f"{type(self).__name__}({', '.join(fields_text)})"


class _LazyBuilderByColumnsToTensor:
    """Returns the tensor of a column or feature name. The first call transforms it."""

    def __init__(self, columns_to_tensors: dict[Any, Any]) -> None:
        self._columns_to_tensors = columns_to_tensors

    def get(self, key: Any) -> Any:
        """Returns the tensor of `key`.

        Raises:
            ValueError: no feature has this name, or the column makes no tensor.
            TypeError: `key` is neither a name nor a column.
        """
        if key in self._columns_to_tensors:
            return self._columns_to_tensors[key]
        if isinstance(key, str):
            raise ValueError(f"features dictionary doesn't contain key ({key})")
        if not isinstance(key, _FeatureColumn):
            raise TypeError(f'"key" must be either a "str" or "_FeatureColumn". Provided: {key}')
        key.insert_transformed_feature(self._columns_to_tensors)
        return self._columns_to_tensors[key]


class _Transformer:
    """Transforms each column once, and puts the tensors into the given dictionary."""

    def __init__(self, columns_to_tensors: dict[Any, Any]) -> None:
        self._columns_to_tensors = columns_to_tensors

    def transform(self, feature_column: Any) -> Any:
        """Returns the transformed tensor. Raises ValueError if the column makes no tensor."""
        return transformed(self._columns_to_tensors, feature_column)


def transformed(columns_to_tensors: dict[Any, Any], column: Any) -> Any:
    """Returns the transformed tensor of `column`. Raises ValueError if the column makes no tensor."""
    if column not in columns_to_tensors:
        column.insert_transformed_feature(columns_to_tensors)
    if column not in columns_to_tensors:
        raise ValueError(f"Column {column.name} is not supported.")
    return columns_to_tensors[column]


def in_order(feature_columns: Iterable[Any]) -> list[Any]:
    """Returns the distinct columns sorted by key, which is the order in which contrib builds them."""
    return sorted(set(feature_columns), key=lambda column: str(column.key))


def feature_config(column: Any) -> dict[str, Any]:
    """Returns the parsing config of the features of `column`. Raises TypeError if it is not a column of contrib."""
    if not isinstance(column, _FeatureColumn):
        raise TypeError(
            "feature_columns should only contain instances of _FeatureColumn, the columns of tf.contrib.layers. "
            f"Given column is {column!r}"
        )
    return dict(column.config)


def _kind(column: Any) -> str:
    return type(column).__name__.strip("_")


def id_weight_pair(ids: Any, weights: Any) -> Any:
    """Returns an IdWeightPair, as the core columns use it."""
    return core._CategoricalColumn.IdWeightPair(ids, weights)


def check_initializer(initializer: Callable[..., Any] | None, name: str) -> None:
    """Raises ValueError if the initializer is not callable."""
    if initializer is not None and not callable(initializer):
        raise ValueError(f"initializer must be callable if specified, not {initializer!r}. column_name: {name}")


def check_checkpoint(path: str | None, tensor_name: str | None) -> None:
    """Raises ValueError if only one of `path` and `tensor_name` is given."""
    if (path is None) != (tensor_name is None):
        raise ValueError("Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.")


def is_sparse(tensor: Any) -> bool:
    """Returns True if `tensor` is a SparseTensor."""
    return isinstance(tensor, tf.SparseTensor)
