"""The records of the readers of TensorFlow 1.x, as data sets of (key, value) with their keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

_FRAME = 4 + 8 + 4
"""Bytes around a record of a TFRecord file: its length, and two checksums (core/lib/io/record_writer.h)."""

Reader = Callable[[tf.Tensor], tf.data.Dataset]


def records(node: Any) -> Reader:
    """Returns what gives the data set of (key, value), scalar strings, of a file, as this reader's node does."""
    return _READERS[node.op.removesuffix("V2")](node)


def _lines(node: Any) -> Reader:
    header = node.attr["skip_header_lines"].i

    def read(file: tf.Tensor) -> tf.data.Dataset:
        lines = tf.data.TextLineDataset(file).skip(header).enumerate(header + 1)
        return lines.map(lambda number, line: (_key(file, number), line))

    return read


def _examples(node: Any) -> Reader:
    compression = node.attr["compression_type"].s.decode()

    def read(file: tf.Tensor) -> tf.data.Dataset:
        def numbered(offset: tf.Tensor, record: tf.Tensor) -> Any:
            size = tf.cast(tf.strings.length(record), tf.int64)
            return offset + size + _FRAME, (_key(file, offset), record)

        return tf.data.TFRecordDataset(file, compression).scan(tf.constant(0, tf.int64), numbered)

    return read


def _blocks(node: Any) -> Reader:
    """Records of one length; what is left at the end of a file that is shorter is left out, as the reader does."""
    header, size, footer, hop = (node.attr[f"{name}_bytes"].i for name in ("header", "record", "footer", "hop"))
    encoding = node.attr["encoding"].s.decode()

    def read(file: tf.Tensor) -> tf.data.Dataset:
        content = tf.io.read_file(file)
        if encoding:
            content = tf.io.decode_compressed(content, encoding)
        room = tf.cast(tf.strings.length(content), tf.int64) - header - footer
        count = tf.maximum((room - size) // (hop or size) + 1, 0)

        def block(number: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
            return _key(file, number), tf.strings.substr(content, header + number * (hop or size), size)

        return tf.data.Dataset.range(count).map(block)

    return read


def _whole(_node: Any) -> Reader:
    return lambda file: tf.data.Dataset.from_tensors(file).map(lambda name: (name, tf.io.read_file(name)))


def _names(_node: Any) -> Reader:
    return lambda file: tf.data.Dataset.from_tensors((file, file))


def _key(file: tf.Tensor, number: tf.Tensor) -> tf.Tensor:
    return tf.strings.join([file, ":", tf.strings.as_string(number)])


_READERS: dict[str, Callable[[Any], Reader]] = {
    "TextLineReader": _lines,
    "TFRecordReader": _examples,
    "FixedLengthRecordReader": _blocks,
    "WholeFileReader": _whole,
    "IdentityReader": _names,
}
