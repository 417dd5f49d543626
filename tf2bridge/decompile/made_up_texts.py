"""Texts that a graph can read: images, serialized examples and numbers, for inputs where words do not suit it."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterator, Sequence

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.ir import Function, Node, Value, all_nodes, array_of

_SEED = 7
_TEXTS = 2
"""How many different texts of a kind are made."""
_SIDE = 32
_MOST_NUMBERS = 10_000_000
"""The most numbers of a feature."""
_IMAGES = ("DecodeJpeg", "DecodePng", "DecodeImage", "DecodeBmp", "DecodeGif", "DecodeAndCropJpeg")
_OF_NUMBERS = ("StringToNumber", "DecodeCSV")


def texts_for(function: Function) -> Iterator[list[bytes]]:
    """Yields texts to try for the inputs of a graph that are texts, as its operations tell: one kind at a time."""
    nodes = list(all_nodes(function))
    types = {node.op for node in nodes}
    examples = [node for node in nodes if node.op in _PARSERS]
    if examples:
        yield [_serialized(examples, number) for number in range(_TEXTS)]
    if types.intersection(_IMAGES):
        images = [_image(number, types) for number in range(_TEXTS)]
        yield images
        if "DecodeBase64" in types:
            yield [base64.urlsafe_b64encode(image) for image in images]
    if types.intersection(_OF_NUMBERS):
        yield [b"%d" % (1 + number) for number in range(_TEXTS)]


def _image(number: int, types: set[str]) -> bytes:
    """Returns an image in a file format that the operations of a graph read: each of them reads PNG, but for BMP."""
    pixels = np.random.default_rng(_SEED + number).integers(0, 256, [_SIDE, _SIDE, 3], np.uint8)
    if "DecodeAndCropJpeg" in types:
        return bytes(tf.io.encode_jpeg(pixels).numpy())
    return bytes(tf.io.encode_png(pixels).numpy())


def _serialized(parsers: Sequence[Node], number: int) -> bytes:
    """Returns a serialized `tf.train.Example` that has all features that these operations read."""
    random = np.random.default_rng(_SEED + number)
    features = {}
    for node in parsers:
        for key, dtype, shape in _PARSERS[node.op](node):
            features[key.decode()] = _feature(dtype, [1 if size is None else size for size in shape or ()], random)
    return bytes(tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString())


def _feature(dtype: tf.DType, shape: Sequence[int], random: np.random.Generator) -> tf.train.Feature:
    """Returns a feature of a type and shape. Integers are 1, which is a valid label, and no byte 0 at the end."""
    count = math.prod(shape)
    if not 0 <= count <= _MOST_NUMBERS:
        count = 1  # the graph refuses it, where a hostile shape would fill the memory
    if dtype == tf.float32:
        return tf.train.Feature(float_list=tf.train.FloatList(value=random.standard_normal(count)))
    if dtype == tf.int64:
        return tf.train.Feature(int64_list=tf.train.Int64List(value=[1] * count))
    words = [b"word%d" % word for word in random.integers(0, 10, count)]
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=words))


_Features = list[tuple[bytes, tf.DType, Sequence[int | None] | None]]


def _of_parse_example(node: Node) -> _Features:
    """Returns the key, type and shape of each feature that `ParseExample` reads: sparse ones have one value."""
    sparse, dense = node.attributes["Nsparse"], node.attributes["Ndense"]
    keys = [key for value in node.inputs[2 : 2 + sparse + dense] for key in _texts(value)]
    return _features(node, keys[:sparse], keys[sparse:])


def _of_parse_example_v2(node: Node) -> _Features:
    sparse, dense = (_texts(value) for value in node.inputs[2:4])
    return _features(node, sparse, dense)


def _of_parse_single_example(node: Node) -> _Features:
    keys = [[_bytes(key) for key in node.attributes[name]] for name in ("sparse_keys", "dense_keys")]
    return _features(node, *keys)


def _features(node: Node, sparse: Sequence[bytes], dense: Sequence[bytes]) -> _Features:
    types, shapes = node.attributes["sparse_types"], node.attributes["dense_shapes"]
    features: _Features = [(key, dtype, [1]) for key, dtype in zip(sparse, types, strict=True)]
    return features + list(zip(dense, node.attributes["Tdense"], shapes, strict=True))


def _texts(value: Value) -> list[bytes]:
    array = array_of(value)
    return [] if array is None else [_bytes(text) for text in array.reshape(-1)]


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


_PARSERS = {
    "ParseExample": _of_parse_example,
    "ParseExampleV2": _of_parse_example_v2,
    "ParseSingleExample": _of_parse_single_example,
}
