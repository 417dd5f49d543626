"""Tables as contrib.lookup made them; the rest of it lies in TensorFlow's own lookup_ops."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.internals.ops import lookup_ops

v1 = tf.compat.v1


class HashTable(lookup_ops.InitializableLookupTableBaseV1):  # type: ignore[misc]  # TensorFlow has no types here
    """A table that `initializer` fills once; keys that it lacks give `default_value`.

    Its initializer joins the collection that `tf.tables_initializer` runs.
    """

    def __init__(self, initializer: Any, default_value: Any, shared_name: str | None = None, name: str | None = None):
        self._initializer = initializer
        self._default_value = default_value
        self._shared_name = shared_name
        self._name = name or "hash_table"
        self._table_name: str | None = None
        super().__init__(default_value, initializer)
        self._value_shape = self._default_value.get_shape()

    def _create_resource(self) -> Any:
        table = tf.raw_ops.HashTableV2(
            shared_name=self._shared_name or "",
            key_dtype=self._initializer.key_dtype,
            value_dtype=self._initializer.value_dtype,
            name=self._name,
        )
        self._table_name = None if tf.executing_eagerly() else table.op.name.split("/")[-1]
        return table

    @property
    def init(self) -> Any:
        """The op that fills the table."""
        return self.initializer

    @property
    def name(self) -> str | None:
        """The last part of the op's name."""
        return self._table_name

    def export(self, name: str | None = None) -> tuple[Any, Any]:
        """Returns (keys, values) of the table."""
        with v1.name_scope(name, f"{self.name}_Export", [self.resource_handle]) as name:
            keys, values = tf.raw_ops.LookupTableExportV2(
                table_handle=self.resource_handle, Tkeys=self._key_dtype, Tvalues=self._value_dtype, name=name
            )
        keys.set_shape([None])
        values.set_shape(keys.get_shape().concatenate(self._value_shape))
        return keys, values


def index_table_from_tensor(
    mapping: Any,
    num_oov_buckets: int = 0,
    default_value: int = -1,
    hasher_spec: Any = lookup_ops.FastHashSpec,
    dtype: Any = tf.string,
    name: str | None = None,
) -> Any:
    """Returns the table from the entries of `mapping` to their places. Raises ValueError without mapping."""
    _check_given(mapping)
    return lookup_ops.index_table_from_tensor(
        vocabulary_list=mapping,
        num_oov_buckets=num_oov_buckets,
        default_value=default_value,
        hasher_spec=hasher_spec,
        dtype=dtype,
        name=name,
    )


def index_to_string_table_from_tensor(mapping: Any, default_value: str = "UNK", name: str | None = None) -> Any:
    """Returns the table from places to the strings of `mapping`. Raises ValueError without mapping."""
    _check_given(mapping)
    return lookup_ops.index_to_string_table_from_tensor(vocabulary_list=mapping, default_value=default_value, name=name)


def _check_given(mapping: Any) -> None:
    if mapping is None:
        raise ValueError("mapping must be specified: the entries of the table")


def string_to_index_table_from_file(
    vocabulary_file: Any = None,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: int = -1,
    hasher_spec: Any = lookup_ops.FastHashSpec,
    name: str | None = None,
) -> Any:
    """Returns the table from the lines of a file to their numbers (`index_table_from_file`)."""
    return lookup_ops.index_table_from_file(
        vocabulary_file, num_oov_buckets, vocab_size, default_value, hasher_spec, key_dtype=tf.string, name=name
    )


def string_to_index_table_from_tensor(
    mapping: Any,
    num_oov_buckets: int = 0,
    default_value: int = -1,
    hasher_spec: Any = lookup_ops.FastHashSpec,
    name: str | None = None,
) -> Any:
    """Returns `index_table_from_tensor` of strings. Raises ValueError for another type."""
    with v1.name_scope(name, "string_to_index") as scope:
        mapping = tf.convert_to_tensor(mapping)
    if mapping.dtype.base_dtype != tf.string:
        raise ValueError(f"string_to_index_table_from_tensor takes strings, not {mapping.dtype}")
    return index_table_from_tensor(mapping, num_oov_buckets, default_value, hasher_spec, name=scope)


def string_to_index(tensor: Any, mapping: Any, default_value: int = -1, name: str | None = None) -> Any:
    """Returns the places of the strings `tensor` in `mapping`."""
    return index_table_from_tensor(mapping=mapping, default_value=default_value, name=name).lookup(tensor)


def index_to_string(tensor: Any, mapping: Any, default_value: str = "UNK", name: str | None = None) -> Any:
    """Returns the strings of `mapping` at the places `tensor`, int64."""
    return index_to_string_table_from_tensor(mapping=mapping, default_value=default_value, name=name).lookup(tensor)
