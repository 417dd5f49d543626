"""`TFExampleDecoder`, and the handlers of its items."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.slim.data.data_decoder import DataDecoder

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
        """Returns the result of the function."""
        return self._func(keys_to_tensors)


class BoundingBox(ItemHandler):
    """Makes boxes, [boxes, 4], of four features: ymin, xmin, ymax, xmax."""

    def __init__(self, keys: Sequence[str] | None = None, prefix: str = "") -> None:
        """Makes the handler. `prefix` comes before each key. Raises ValueError unless there are four keys."""
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
        """Makes the handler. `default_value` fills sparse features. Raises ValueError if both shapes are given."""
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
    """Makes the values of a lookup table for the values of the feature."""

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
    """Makes the item of `handler`, or the item of `backup` if the first is empty."""

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
        """Makes the handler. The shape is `shape_key`, `shape` or that of the ids. `densify` gives a dense tensor."""
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


class Image(ItemHandler):
    """Makes an image, [height, width, channels], of a feature of its bytes and one of its format."""

    def __init__(
        self,
        image_key: str | None = None,
        format_key: str | None = None,
        shape: Any = None,
        channels: int = 3,
        dtype: Any = tf.uint8,
        repeated: bool = False,
        dct_method: str = "",
    ) -> None:
        """Makes the handler. With `repeated` feature and item hold several images. `dct_method` is for decode_jpeg."""
        self._image_key = image_key or "image/encoded"
        self._format_key = format_key or "image/format"
        super().__init__([self._image_key, self._format_key])
        self._shape = shape
        self._channels = channels
        self._dtype = dtype
        self._repeated = repeated
        self._dct_method = dct_method

    def tensors_to_item(self, keys_to_tensors: Mapping[str, Any]) -> Any:
        """Returns the decoded image, or [images, height, width, channels]."""
        encoded, kind = keys_to_tensors[self._image_key], keys_to_tensors[self._format_key]
        if not self._repeated:
            return self._decode(encoded, kind)
        return v1.map_fn(lambda image: self._decode(image, kind), encoded, dtype=self._dtype)

    def _decode(self, encoded: Any, kind: Any) -> Any:
        """Decodes the image. The formats "raw" and "RAW" are raw bytes. Others are recognized by their first bytes."""

        def decode_any() -> Any:
            return v1.cast(v1.image.decode_image(encoded, channels=self._channels), self._dtype)

        def decode_jpeg() -> Any:
            image = v1.image.decode_jpeg(encoded, channels=self._channels, dct_method=self._dct_method)
            return v1.cast(image, self._dtype)

        def decode_by_content() -> Any:
            return v1.cond(v1.image.is_jpeg(encoded), decode_jpeg, decode_any, name="cond_jpeg")

        def decode_raw() -> Any:
            return v1.decode_raw(encoded, out_type=self._dtype)

        is_raw = v1.logical_or(v1.equal(kind, "raw"), v1.equal(kind, "RAW"))
        image = v1.case([(is_raw, decode_raw)], default=decode_by_content, exclusive=True)
        image.set_shape([None, None, self._channels])
        return image if self._shape is None else v1.reshape(image, self._shape)


class TFExampleDecoder(DataDecoder):
    """Parses an example by `keys_to_features`, and makes each item of it by its handler."""

    def __init__(self, keys_to_features: Mapping[str, Any], items_to_handlers: Mapping[str, ItemHandler]) -> None:
        self._keys_to_features = keys_to_features
        self._items_to_handlers = items_to_handlers

    def list_items(self) -> list[str]:
        """Returns the names of the items."""
        return list(self._items_to_handlers)

    def decode(self, serialized_example: Any, items: Sequence[str] | None = None) -> list[Any]:
        """Returns the tensor of each of the `items`, by default of all. Raises KeyError for an unknown one."""
        example = v1.parse_single_example(serialized_example, self._keys_to_features)
        for key in sorted(self._keys_to_features):
            feature = self._keys_to_features[key]
            if isinstance(feature, tf.io.FixedLenFeature):
                example[key] = v1.reshape(example[key], feature.shape)
        handlers = [self._items_to_handlers[item] for item in items or self._items_to_handlers]
        return [handler.tensors_to_item({key: example[key] for key in handler.keys}) for handler in handlers]
