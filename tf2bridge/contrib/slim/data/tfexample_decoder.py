"""`TFExampleDecoder`: the items of a serialized tf.Example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.slim.data.data_decoder import DataDecoder
from tf2bridge.contrib.slim.data.item_handlers import ItemHandler

v1 = tf.compat.v1


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
