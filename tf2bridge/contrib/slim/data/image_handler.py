"""`Image`: the item handler that decodes images."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.slim.data.item_handlers import ItemHandler

v1 = tf.compat.v1


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
        """`repeated`: the feature holds several images, and so does the item. `dct_method` is decode_jpeg's."""
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
        return v1.map_fn(lambda each: self._decode(each, kind), encoded, dtype=self._dtype)

    def _decode(self, encoded: Any, kind: Any) -> Any:
        """The image: raw bytes where its format is "raw" or "RAW", else what its first bytes say."""

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
