"""Images of other sizes. TensorFlow 2 takes the centers of pixels, and TensorFlow 1 their corners."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from codemods.native.kinds import v1_name
from codemods.native.places import named_arguments
from codemods.native.refusals import NotNativeError
from codemods.native.translations import Translation

_FORMULA = '''\
def resize_images(images, size, method=0, align_corners=False):
    """Returns images of another size, as TensorFlow 1 computes them; those of this size stay as they are."""
    images = tf.convert_to_tensor(images)
    batch = images if len(images.shape) == 4 else images[None]
    stated = tf.get_static_value(tf.convert_to_tensor(size, tf.int32))
    if stated is not None and list(stated) == list(batch.shape[1:3]):
        return images
    ways = {0: "Bilinear", 1: "NearestNeighbor", 2: "Bicubic", 3: "Area"}
    names = {"bilinear": 0, "nearest": 1, "bicubic": 2, "area": 3}
    resize = getattr(tf.raw_ops, "Resize" + ways[names.get(method, method)])
    resized = resize(images=batch, size=size, align_corners=align_corners)
    return resized if len(images.shape) == 4 else resized[0]
'''
FORMULAS = {
    "image.resize_images": _FORMULA,
    "image.resize": _FORMULA.replace("def resize_images(", "def resize("),
}
"""Name -> the function that a program gets once (`image_ops_impl.py` of 1.15.5)."""
_OPS: Mapping[str, str] = {
    "image.resize_bilinear": "ResizeBilinear",
    "image.resize_nearest_neighbor": "ResizeNearestNeighbor",
    "image.resize_bicubic": "ResizeBicubic",
    "image.resize_area": "ResizeArea",
}
OPS = frozenset(_OPS)
_PARAMETERS = ("images", "size", "align_corners", "name", "half_pixel_centers")


def resize(translation: Translation, call: ast.Call) -> None:
    """tf.image.resize_bilinear(images, size) -> tf.raw_ops.ResizeBilinear(images=images, size=size)."""
    name = v1_name(translation.names, call.func) or ""
    given = named_arguments(call, _PARAMETERS)
    given.pop("name", None)
    if not {"images", "size"} <= given.keys() <= {*_PARAMETERS} or len(call.args) > len(_PARAMETERS):
        raise NotNativeError(call, "NAT001", f"tf.{name} with these options has no counterpart")
    parts = ", ".join(f"{key}={translation.text(value)}" for key, value in given.items())
    translation.put(call, f"{translation.tf}.raw_ops.{_OPS[name]}({parts})")
