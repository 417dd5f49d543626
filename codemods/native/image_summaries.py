"""Summaries of images: how TensorFlow 1 scaled their numbers, how many it wrote, and under which tags."""

from __future__ import annotations

import ast

from codemods.native.places import named_arguments
from codemods.native.refusals import NotNativeError

KINDS = ("summary.image", "image_summary")
"""Those of 1.x and of 0.x."""
_MOST = 3
"""How many images one summary has by default (`logging_ops.py` of 0.12.1, `summary.py` of 1.15.5)."""
_PARAMETERS = {
    "summary.image": ("name", "tensor", "max_outputs", "collections", "family"),
    "image_summary": ("tag", "tensor", "max_images", "collections", "name"),
}
SCALED = "scaled_images"
"""The name of the function that scales images."""
FORMULA = '''\
def scaled_images(images, most):
    """Returns the first images: black is 0, or grey is if some numbers are negative, and white the largest."""
    images = images[:most]
    if images.dtype == tf.uint8:
        return images
    images = tf.cast(images, tf.float32)
    known = tf.reduce_all(tf.math.is_finite(images), axis=-1, keepdims=True)
    least = tf.reduce_min(tf.where(known, images, tf.float32.max), axis=[1, 2, 3], keepdims=True)
    largest = tf.reduce_max(tf.where(known, images, tf.float32.min), axis=[1, 2, 3], keepdims=True)
    size = tf.maximum(tf.where(least < 0.0, -least, 0.0), largest)
    scale = tf.where(size < 1e-6, 0.0, tf.where(least < 0.0, 127.0, 255.0) / size)
    scaled = images * scale + tf.where(least < 0.0, 128.0, 0.0)
    red = [255.0, 0.0, 0.0, 255.0][: images.shape[-1]]
    return tf.cast(tf.where(known, scaled, red), tf.uint8)
'''
"""The numbers of `NormalizeFloatImage` in `summary_image_op.cc` of 1.15.5."""
ADD_SUMMARY = '''\
def add_summary(writer, summary, global_step=None):
    """Writes what a function summarised: a value for each kind of summary and tag, or several images."""
    with writer.as_default(global_step or 0):
        for (kind, tag), value in summary.items():
            tag = re.sub(r"[^-/\\w.]", "_", tag)
            if kind == "images":
                for place in range(len(value)):
                    tf.summary.image(f"{tag}/{place}", value[place : place + 1])
            else:
                getattr(tf.summary, kind)(tag, value)
'''
"""The function that writes summaries, where there are images among them."""


def arguments(call: ast.Call, function: str) -> dict[str, ast.expr]:
    """Returns the tag, the images and the greatest number of a summary: "tag", "tensor", "most".

    Raises:
        NotNativeError: It has other options.
    """
    tag, tensor, most, *_ = names = _PARAMETERS[function]
    given = named_arguments(call, names)
    if len(call.args) > len(names) or not {tag, tensor} <= given.keys() <= {tag, tensor, most}:
        raise NotNativeError(call, "NAT001", "a summary with options has no counterpart; remove them")
    made = {"tag": given[tag], "tensor": given[tensor]}
    return made | ({"most": given[most]} if most in given else {})


def most_of(given: dict[str, ast.expr], call: ast.Call) -> int:
    """Returns how many images a summary has at most.

    Raises:
        NotNativeError: The source does not say it: the tag of one image has no number.
    """
    most = given.get("most")
    value = most.value if isinstance(most, ast.Constant) else _MOST if most is None else None
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise NotNativeError(call, "NAT008", "the source does not say how many images this summary has; write a number")
    return value
