"""Lookup tables of old graphs: their vocabularies in the package, and examples that look up what is in them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tf2bridge.decompile.decompiling import decompile
from tf2bridge.decompile.made_up_keys import keys_for
from tf2bridge.decompile.of_module import function_of_module

v1 = tf.compat.v1
WORDS = ["the", "cat", "café"]


def table_of(words: list[str] | list[bytes], default: int = -1) -> Any:
    numbers = tf.range(len(words), dtype=tf.int64)
    return v1.lookup.StaticHashTable(v1.lookup.KeyValueTensorInitializer(tf.constant(words), numbers), default)


def saved(folder: Path, build: Callable[[Any], Any], dtype: tf.DType = tf.string) -> Any:
    """Returns the module of a SavedModel whose graph computes `build` of an input."""
    with tf.Graph().as_default(), v1.Session() as session:
        given = v1.placeholder(dtype, [None, 2], "given")
        y = tf.identity(build(given), "y")
        session.run([v1.tables_initializer(), v1.global_variables_initializer()])
        builder = v1.saved_model.Builder(str(folder / "saved"))
        signature = v1.saved_model.predict_signature_def({"given": given}, {"y": y})
        builder.add_meta_graph_and_variables(
            session, ["serve"], {"serving_default": signature}, main_op=v1.tables_initializer()
        )
        builder.save()
    return tf2bridge.load(folder / "saved")


def test_vocabulary_stands_in_the_package(tmp_path: Path) -> None:
    def build(words: Any) -> Any:
        rows = v1.get_variable("rows", [3, 4], initializer=v1.ones_initializer())
        return tf.nn.embedding_lookup(rows, table_of(WORDS, 0).lookup(words))

    done = decompile(saved(tmp_path, build), tmp_path / "package", worst=0)
    source = (done.path / "model.py").read_text("utf-8")
    assert "keras.layers.StringLookup(" in source
    assert "oov_token='the'" in source
    assert "keras.layers.Embedding(3, 4)" in source  # what is looked up has a known shape
    tables = (done.path / "tables.json").read_text("utf-8")
    assert "café" in tables
    (table,) = json.loads(tables).values()
    assert table["keys"]["values"] == WORDS
    looked_up = set(np.load(done.path / "recorded.npz")["in given"].reshape(-1).tolist())
    assert looked_up & {word.encode() for word in WORDS}


def test_words_that_are_no_text_of_utf_8(tmp_path: Path) -> None:
    module = saved(tmp_path, lambda words: table_of([b"\xff", b"a"]).lookup(words))
    done = decompile(module, tmp_path / "package", worst=0)
    (table,) = json.loads((done.path / "tables.json").read_text("utf-8")).values()
    assert table["keys"] == {"dtype": "bytes", "shape": [2], "values": ["ÿ", "a"]}
    assert max(done.differences.values()) == 0


def test_graph_that_refuses_unknown_words(tmp_path: Path) -> None:
    def build(words: Any) -> Any:
        return tf.gather(tf.constant([1.0, 2.0, 3.0]), table_of(WORDS).lookup(words))

    done = decompile(saved(tmp_path, build), tmp_path / "package", worst=0)
    assert set(np.load(done.path / "recorded.npz")["in given"].reshape(-1)) <= {word.encode() for word in WORDS}


SPLITS: list[Callable[[Any], Any]] = [
    lambda texts: v1.string_split(tf.reshape(texts, [-1]), " ").values,
    lambda texts: v1.strings.split(texts, sep=" ", result_type="RaggedTensor").flat_values,
]


@pytest.mark.parametrize("split", SPLITS, ids=["StringSplit", "StringSplitV2"])
def test_texts_that_are_split_have_several_words(split: Callable[[Any], Any], tmp_path: Path) -> None:
    module = saved(tmp_path, lambda texts: table_of(WORDS).lookup(split(texts)))
    drawn = keys_for(function_of_module(module), with_others=False)
    known = {word.encode() for word in WORDS}
    assert {len(text.split(b" ")) for text in drawn["given"]} == {3}
    assert {word for text in drawn["given"] for word in text.split(b" ")} == known


def test_numbers_that_are_keys(tmp_path: Path) -> None:
    def build(numbers: Any) -> Any:
        values = v1.lookup.KeyValueTensorInitializer(tf.constant([70, 90], tf.int64), tf.constant([0.5, 1.5]))
        return v1.lookup.StaticHashTable(values, 0.0).lookup(numbers)

    module = saved(tmp_path, build, tf.int64)
    assert keys_for(function_of_module(module)) == {"given": [70, 90, 0, 1]}
