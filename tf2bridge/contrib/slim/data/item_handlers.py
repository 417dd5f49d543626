"""What makes an item of the parsed features of a tf.Example."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1
Features = Mapping[str, Any]


class ItemHandler(abc.ABC):
    """Makes one item of the features `keys`, one name or several."""

    def __init__(self, keys: str | Sequence[str]) -> None:
        self._keys = keys if isinstance(keys, list | tuple) else [str(keys)]

    @property
    def keys(self) -> Sequence[str]:
        """The features that the item is made of."""
        return self._keys

    @abc.abstractmethod
    def tensors_to_item(self, keys_to_tensors: Features) -> Any:
        """Returns the item, made of the parsed features by name."""


class ItemHandlerCallback(ItemHandler):
    """Makes an item by a function of the dictionary of parsed features."""

    def __init__(self, keys: str | Sequence[str], func: Callable[[Features], Any]) -> None:
        super().__init__(keys)
        self._func = func

    def tensors_to_item(self, keys_to_tensors: Features) -> Any:
        """Returns what the function does."""
        return self._func(keys_to_tensors)


class BoundingBox(ItemHandler):
    """Makes boxes, [boxes, 4], of four features: ymin, xmin, ymax, xmax."""

    def __init__(self, keys: Sequence[str] | None = None, prefix: str = "") -> None:
        """`prefix` comes before each of the keys. Raises ValueError unless there are four."""
        if keys is not None and len(keys) != 4:
            raise ValueError(f"BoundingBox takes 4 keys, not {len(keys)}")
        super().__init__([prefix + key for key in keys or ("ymin", "xmin", "ymax", "xmax")])

    def tensors_to_item(self, keys_to_tensors: Features) -> Any:
        """Returns the boxes, float32 [boxes, 4]."""
        sides = [_values(keys_to_tensors[key]) for key in self._keys]
        return v1.transpose(v1.concat([v1.expand_dims(side, 0) for side in sides], 0))


class Tensor(ItemHandler):
    """Makes a dense tensor of one feature, perhaps of a shape that is given or lies in other features."""

    def __init__(
        self,
        tensor_key: str,
        shape_keys: str | list[str] | None = None,
        shape: Any = None,
        default_value: Any = 0,
    ) -> None:
        """`default_value` fills what a sparse feature leaves out. Raises ValueError for both kinds of shape."""
        if shape_keys and shape is not None:
            raise ValueError("Tensor takes shape_keys or shape, not both")
        self._tensor_key = tensor_key
        self._shape_keys = [shape_keys] if isinstance(shape_keys, str) and shape_keys else shape_keys
        self._shape = shape
        self._default_value = default_value
        super().__init__([tensor_key, *(self._shape_keys or ())])

    def tensors_to_item(self, keys_to_tensors: Features) -> Any:
        """Returns the feature as a dense tensor."""
        tensor, shape = keys_to_tensors[self._tensor_key], self._shape
        if self._shape_keys:
            sizes = [_dense(keys_to_tensors[key]) for key in self._shape_keys]
            shape = v1.reshape(v1.stack(sizes), [-1])
        if not isinstance(tensor, tf.SparseTensor):
            return tensor if shape is None else v1.reshape(tensor, shape)
        if shape is not None:
            tensor = v1.sparse_reshape(tensor, shape)
        return v1.sparse_tensor_to_dense(tensor, self._default_value)


class LookupTensor(Tensor):
    """Makes what a lookup table has for the feature's values."""

    def __init__(
        self,
        tensor_key: str,
        table: Any,
        shape_keys: str | list[str] | None = None,
        shape: Any = None,
        default_value: Any = "",
    ) -> None:
        self._table = table
        super().__init__(tensor_key, shape_keys, shape, default_value)

    def tensors_to_item(self, keys_to_tensors: Features) -> Any:
        """Returns the table's values."""
        return self._table.lookup(super().tensors_to_item(keys_to_tensors))


class BackupHandler(ItemHandler):
    """Makes the item of `handler`, or that of `backup` where the first is empty."""

    def __init__(self, handler: ItemHandler, backup: ItemHandler) -> None:
        """Raises ValueError unless both are ItemHandlers."""
        for name, given in (("handler", handler), ("backup", backup)):
            if not isinstance(given, ItemHandler):
                raise ValueError(f"BackupHandler: {name} is a {type(given).__name__}, not an ItemHandler")
        self._handler = handler
        self._backup = backup
        super().__init__([*handler.keys, *backup.keys])

    def tensors_to_item(self, keys_to_tensors: Features) -> Any:
        """Returns the first item that is not empty."""
        item = self._handler.tensors_to_item(keys_to_tensors)
        empty = v1.equal(v1.reduce_prod(v1.shape(item)), 0)
        return v1.cond(empty, lambda: self._backup.tensors_to_item(keys_to_tensors), lambda: item)


class SparseTensor(ItemHandler):
    """Makes a SparseTensor of a feature of ids and one of values."""

    def __init__(
        self,
        indices_key: str | None = None,
        values_key: str | None = None,
        shape_key: str | None = None,
        shape: Any = None,
        densify: bool = False,
        default_value: Any = 0,
    ) -> None:
        """The shape is that of `shape_key`, else `shape`, else that of the ids; `densify` returns a dense tensor."""
        self._indices_key = indices_key or "indices"
        self._values_key = values_key or "values"
        self._shape_key = shape_key
        self._shape = shape
        self._densify = densify
        self._default_value = default_value
        super().__init__([self._indices_key, self._values_key, *([shape_key] if shape_key else [])])

    def tensors_to_item(self, keys_to_tensors: Features) -> Any:
        """Returns the values at the places that the ids name in the last dimension."""
        ids, values = keys_to_tensors[self._indices_key], keys_to_tensors[self._values_key]
        shape = self._shape_of(keys_to_tensors, ids)
        rank = v1.shape(ids.indices)[1]
        last = v1.cast(ids.values, tf.int64)
        outer = v1.slice(ids.indices, [0, 0], v1.stack([-1, rank - 1]))
        places = v1.concat([outer, v1.reshape(last, [-1, 1])], 1)
        tensor = tf.SparseTensor(places, values.values, shape)
        return v1.sparse_tensor_to_dense(tensor, self._default_value) if self._densify else tensor

    def _shape_of(self, keys_to_tensors: Features, ids: Any) -> Any:
        if self._shape_key:
            return _dense(keys_to_tensors[self._shape_key])
        return self._shape if self._shape else ids.dense_shape


def _dense(tensor: Any) -> Any:
    return v1.sparse_tensor_to_dense(tensor) if isinstance(tensor, tf.SparseTensor) else tensor


def _values(tensor: Any) -> Any:
    return tensor.values if isinstance(tensor, tf.SparseTensor) else tensor
