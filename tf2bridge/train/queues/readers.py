"""The records of TensorFlow 1.x's readers as data sets of (key, value), with the readers' keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

_FRAME = 4 + 8 + 4
"""Bytes around a record of a TFRecord file: its length, and two checksums (core/lib/io/record_writer.h)."""

Reader = Callable[[tf.Tensor], tf.data.Dataset]


def reading(node: Any, keyed: bool) -> Reader:
    """Returns the function from a file name to the data set of (key, value) that a reader's node gives.

    Keys and values are scalar strings. The keys are empty unless `keyed`: to make them takes longer than to read
    values.
    """
    return _READERS[node.op.removesuffix("V2")](node, keyed)


def _lines(node: Any, keyed: bool) -> Reader:
    header = node.attr["skip_header_lines"].i

    def read(file: tf.Tensor) -> tf.data.Dataset:
        lines = tf.data.TextLineDataset(file).skip(header)
        return _numbered(file, lines.enumerate(header + 1)) if keyed else lines.map(_without_key)

    return read


def _examples(node: Any, keyed: bool) -> Reader:
    compression = node.attr["compression_type"].s.decode()

    def framed(offset: tf.Tensor, record: tf.Tensor) -> tuple[tf.Tensor, tuple[tf.Tensor, tf.Tensor]]:
        return offset + tf.cast(tf.strings.length(record), tf.int64) + _FRAME, (offset, record)

    def read(file: tf.Tensor) -> tf.data.Dataset:
        records = tf.data.TFRecordDataset(file, compression)
        return _numbered(file, records.scan(tf.constant(0, tf.int64), framed)) if keyed else records.map(_without_key)

    return read


def _blocks(node: Any, keyed: bool) -> Reader:
    """Reads records of one length. A shorter rest at the end of a file is left out, as the reader leaves it out."""
    header, size, footer, hop = (node.attr[f"{name}_bytes"].i for name in ("header", "record", "footer", "hop"))
    encoding = node.attr["encoding"].s.decode()

    def read(file: tf.Tensor) -> tf.data.Dataset:
        content = tf.io.read_file(file)
        if encoding:
            content = tf.io.decode_compressed(content, encoding)
        room = tf.cast(tf.strings.length(content), tf.int64) - header - footer
        count = tf.maximum((room - size) // (hop or size) + 1, 0)

        def block(number: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
            return number, tf.strings.substr(content, header + number * (hop or size), size)

        blocks = tf.data.Dataset.range(count).map(block)
        return _numbered(file, blocks) if keyed else blocks.map(lambda _number, value: _without_key(value))

    return read


def _whole(_node: Any, _keyed: bool) -> Reader:
    return lambda file: tf.data.Dataset.from_tensors(file).map(lambda name: (name, tf.io.read_file(name)))


def _names(_node: Any, _keyed: bool) -> Reader:
    return lambda file: tf.data.Dataset.from_tensors((file, file))


def _numbered(file: tf.Tensor, records: tf.data.Dataset) -> tf.data.Dataset:
    """Returns the records with the readers' keys: the name of the file, and the number or place of the record in it."""
    return records.map(lambda number, value: (tf.strings.join([file, ":", tf.strings.as_string(number)]), value))


def _without_key(value: tf.Tensor) -> tuple[str, tf.Tensor]:
    return "", value


_READERS: dict[str, Callable[[Any, bool], Reader]] = {
    "TextLineReader": _lines,
    "TFRecordReader": _examples,
    "FixedLengthRecordReader": _blocks,
    "WholeFileReader": _whole,
    "IdentityReader": _names,
}
