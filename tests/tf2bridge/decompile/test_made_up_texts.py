"""Graphs that read images or serialized examples from texts: the texts that they are compared on are made up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tf2bridge.decompile.made_up_texts import texts_for
from tf2bridge.decompile.of_module import function_of_module

v1 = tf.compat.v1
FEATURES = {
    "age": tf.io.FixedLenFeature([3], tf.float32),
    "label": tf.io.FixedLenFeature([], tf.int64),
    "name": tf.io.FixedLenFeature([2], tf.string),
    "words": tf.io.VarLenFeature(tf.string),
}


def _examples(texts: tf.Tensor) -> tf.Tensor:
    parsed = v1.parse_example(texts, FEATURES)
    words = tf.cast(tf.strings.length(parsed["words"].values), tf.float32)
    return tf.reduce_sum(parsed["age"], 1) + tf.cast(parsed["label"], tf.float32) + tf.reduce_sum(words)


def _one_example(texts: tf.Tensor) -> tf.Tensor:
    return v1.parse_single_example(texts[0], FEATURES)["age"]


def _images(texts: tf.Tensor) -> tf.Tensor:
    return tf.map_fn(lambda text: tf.cast(tf.io.decode_jpeg(text, channels=3), tf.float32), texts, tf.float32)


def _encoded_images(texts: tf.Tensor) -> tf.Tensor:
    return tf.cast(tf.io.decode_png(tf.io.decode_base64(texts[0]), channels=1), tf.float32)


def _numbers(texts: tf.Tensor) -> tf.Tensor:
    return tf.strings.to_number(texts) * 2.0


READERS = (_examples, _one_example, _images, _encoded_images, _numbers)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
def test_texts_that_a_graph_reads(reader: object, tmp_path: Path) -> None:
    assert callable(reader)
    with tf.Graph().as_default() as graph:
        texts = v1.placeholder(tf.string, [None], "texts")
        tf.identity(reader(texts), "y")
    (tmp_path / "graph.pb").write_bytes(graph.as_graph_def().SerializeToString())
    module = tf2bridge.load(tmp_path / "graph.pb", ["y"], ["texts"])
    *_, made = texts_for(function_of_module(module))
    assert len(set(made)) == 2  # examples differ
    assert not any(text.endswith(b"\0") for text in made)  # arrays of NumPy cut zeros off
    module(tf.constant(made))


def test_a_graph_of_serialized_examples_is_compared(tmp_path: Path) -> None:
    with tf.Graph().as_default() as graph:
        tf.identity(_examples(v1.placeholder(tf.string, [None], "texts")), "y")
    (tmp_path / "graph.pb").write_bytes(graph.as_graph_def().SerializeToString())
    done = tf2bridge.decompile(tf2bridge.load(tmp_path / "graph.pb", ["y"], ["texts"]), tmp_path / "written")
    assert set(done.differences.values()) == {0.0}
    with np.load(tmp_path / "written" / "recorded.npz") as recorded:
        assert tf.train.Example.FromString(recorded["in texts"][0]).features.feature.keys() == FEATURES.keys()


def test_a_feature_of_a_hostile_size_is_not_made(tmp_path: Path) -> None:
    with tf.Graph().as_default() as graph:
        texts = v1.placeholder(tf.string, [None], "texts")
        parsed = v1.parse_example(texts, {"age": tf.io.FixedLenFeature([1 << 20, 1 << 22], tf.float32)})
        tf.identity(parsed["age"], "y")
    (tmp_path / "graph.pb").write_bytes(graph.as_graph_def().SerializeToString())
    module = tf2bridge.load(tmp_path / "graph.pb", ["y"], ["texts"])
    (made,) = texts_for(function_of_module(module))
    example = tf.train.Example.FromString(made[0])
    assert len(example.features.feature["age"].float_list.value) == 1
