"""Lookup tables of loaded graphs: where their content comes from, and where it goes.

What they compute is in test_recorded_graphs; the words are those of fixtures/graphs/feeds.py.
"""

from __future__ import annotations

import gc
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.core.protobuf import saved_model_pb2

import tf2bridge
from tests.tf2bridge.graph.recorded import Recorded, unpacked
from tf2bridge.formats.graphs.refusals import NoVocabularyError
from tf2bridge.graph.refusals import MissingValuesError, NotExportableError, TableContentError

v1 = tf.compat.v1


@pytest.fixture
def vocabulary(tmp_path: Path) -> Recorded:
    return unpacked("1.12.3/vocabulary", tmp_path)


@pytest.fixture
def mutable(tmp_path: Path) -> Recorded:
    return unpacked("1.15.5/table_mutable", tmp_path)


def written(path: Path, build: Any) -> Path:
    with tf.Graph().as_default() as graph:
        build()
    path.write_bytes(graph.as_graph_def().SerializeToString())
    return path


def of_file(path: str) -> None:
    """A graph that looks words up in a file, as `tf.contrib.lookup.index_table_from_file` builds it."""
    words = v1.placeholder(tf.string, [None], name="words")
    table = tf.raw_ops.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64, name="table")
    tf.raw_ops.InitializeTableFromTextFileV2(
        table_handle=table, filename=tf.constant(path, name="path"), key_index=-2, value_index=-1, name="fill"
    )
    missing = tf.constant(-1, tf.int64)
    tf.raw_ops.LookupTableFindV2(table_handle=table, keys=words, default_value=missing, name="ids")


def test_a_vocabulary_is_a_file_beside_the_graph_or_one_that_is_named(vocabulary: Recorded, tmp_path: Path) -> None:
    words, ids = vocabulary.part("in")["words"], vocabulary.part("out")["ids"]
    meta = vocabulary.folder / "model.ckpt.meta"
    np.testing.assert_array_equal(tf2bridge.load(meta, outputs=["ids"])(words), ids)
    moved = shutil.move(vocabulary.folder / "vocabulary.txt", tmp_path / "elsewhere")
    with pytest.raises(NoVocabularyError, match=r"assets=\{'vocabulary.txt': PATH\}"):
        tf2bridge.load(meta, outputs=["ids"])
    for name in ("vocabulary.txt", "hash_table/text_file_id_table_init/asset_filepath:0"):
        np.testing.assert_array_equal(tf2bridge.load(meta, outputs=["ids"], assets={name: moved})(words), ids)
    with pytest.raises(NoVocabularyError, match="absent"):
        tf2bridge.load(meta, outputs=["ids"], assets={"vocabulary.txt": tmp_path / "absent"})


def test_a_path_that_only_the_graph_names_is_read_if_permitted(tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    secret = tmp_path / "private" / "words.txt"
    secret.write_text("red\ngreen\n")
    path = written(tmp_path / "graph.pb", lambda: of_file(str(secret)))
    with pytest.raises(NoVocabularyError, match=r"words\.txt"):
        tf2bridge.load(path)
    module = tf2bridge.load(path, allow_ops=["InitializeTableFromTextFile*"])
    np.testing.assert_array_equal(module(np.array(["green", "blue"])), [1, -1])


def test_an_asset_is_no_file_outside_of_the_assets(vocabulary: Recorded) -> None:
    saved = vocabulary.folder / "saved_model" / "saved_model.pb"
    (vocabulary.folder / "secret").write_text("red\n")
    model = saved_model_pb2.SavedModel.FromString(saved.read_bytes())
    graph = model.meta_graphs[0]
    del graph.collection_def["saved_model_assets"]
    for name in ("hash_table/text_file_id_table_init/asset_filepath:0", "asset"):
        graph.asset_file_def.add(filename="../../secret").tensor_info.name = name
    saved.write_bytes(model.SerializeToString())
    shutil.rmtree(saved.parent / "assets")
    with pytest.raises(NoVocabularyError):
        tf2bridge.load(saved.parent)


def test_a_saved_model_keeps_the_vocabulary(vocabulary: Recorded, tmp_path: Path) -> None:
    words = tf.constant(vocabulary.part("in")["words"])
    module = tf2bridge.load(vocabulary.folder / "model.ckpt.meta", outputs=["ids", "names"])
    np.testing.assert_array_equal(tf.function(module)(words)["ids"], vocabulary.part("out")["ids"])
    module.export(tmp_path / "new")
    shutil.rmtree(vocabulary.folder)
    moved = shutil.move(tmp_path / "new", tmp_path / "moved")
    served = tf.saved_model.load(moved).signatures["serving_default"](words=words)
    np.testing.assert_array_equal(served["ids"], vocabulary.part("out")["ids"])
    np.testing.assert_array_equal(served["names"].numpy().astype("S"), vocabulary.part("out")["names"])
    assert [path.name for path in (moved / "assets").iterdir()] == ["vocabulary.txt"]


@pytest.mark.parametrize("name", ["0.12.1/table_in_control_flow", "1.15.5/table_columns"])
def test_a_frozen_export_fills_its_tables(name: str, tmp_path: Path) -> None:
    model = unpacked(name, tmp_path)
    ends = model.tensors("out")
    module = tf2bridge.load(model.folder / "model.ckpt.meta", outputs=list(ends.values()))
    module.export(tmp_path / "frozen.pb", format="frozen")
    again = tf2bridge.load(tmp_path / "frozen.pb", outputs=list(ends.values()))
    outputs = again(model.part("in"))
    with tf.Graph().as_default(), v1.Session() as session:
        tf.graph_util.import_graph_def(again.graph.graph_def, name="")
        session.run("init_all_tables")
        fed = {f"{key}:0": value for key, value in model.part("in").items()}
        by_session = session.run(ends, fed)
    for key, end in ends.items():
        np.testing.assert_allclose(outputs[end.removesuffix(":0")], model.part("out")[key], rtol=1e-5)
        np.testing.assert_allclose(by_session[key], model.part("out")[key], rtol=1e-5)


@pytest.mark.parametrize(("name", "output"), [("1.4.1/vocabulary", "ids"), ("1.15.5/table_columns", "mapped")])
def test_a_tflite_file_has_the_tables(name: str, output: str, tmp_path: Path) -> None:
    model = unpacked(name, tmp_path)
    module = tf2bridge.load(model.folder / "model.ckpt.meta", outputs=[output])
    module.export(tmp_path / "model.tflite", format="tflite")
    words = model.part("in")["words"].astype(object)
    interpreter = tf.lite.Interpreter(str(tmp_path / "model.tflite"))
    place = interpreter.get_input_details()[0]["index"]
    interpreter.resize_tensor_input(place, words.shape)
    interpreter.allocate_tensors()
    interpreter.set_tensor(place, words)
    interpreter.invoke()
    result = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
    np.testing.assert_array_equal(result, model.part("out")[output])


@pytest.mark.parametrize("form", ["frozen", "tflite"])
def test_tables_that_change_are_in_no_file_without_state(form: str, mutable: Recorded, tmp_path: Path) -> None:
    module = tf2bridge.load(mutable.folder / "model.ckpt.meta", outputs=["y"])
    with pytest.raises(NotExportableError, match=r"counts .*is a table that changes"):
        module.export(tmp_path / "out", format=form)


def test_tables_of_two_modules_share_nothing_and_are_restored(mutable: Recorded, tmp_path: Path) -> None:
    words = mutable.part("in")["words"]
    one, two = (tf2bridge.load(mutable.folder / "model.ckpt.meta", outputs=["found", "later"]) for _ in range(2))
    for module in (one, two):
        outputs = module(words)
        np.testing.assert_array_equal(outputs["found"], mutable.part("out")["found"])
        np.testing.assert_array_equal(outputs["later"], [1, 1, 1, 1])
    one.save(tmp_path / "changed.ckpt")
    assert tf.train.load_checkpoint(tmp_path / "changed.ckpt").has_tensor("rows-values")
    two.restore(mutable.folder / "model.ckpt")
    np.testing.assert_array_equal(two(words)["found"], mutable.part("out")["found"])
    two.restore(mutable.folder / "model.ckpt")
    two.restore(tmp_path / "changed.ckpt")
    np.testing.assert_array_equal(two(words)["found"], [1, 1, 1, 1])


def test_a_checkpoint_without_the_tables_content_is_refused(mutable: Recorded, tmp_path: Path) -> None:
    tf.raw_ops.SaveV2(prefix=str(tmp_path / "w"), tensor_names=["w"], shape_and_slices=[""], tensors=[tf.ones([2])])
    with pytest.raises(MissingValuesError, match="counts-keys"):
        tf2bridge.load(mutable.folder / "model.ckpt.meta", outputs=["found"], checkpoint=tmp_path / "w")


def test_a_session_has_the_tables_and_gives_back_what_changed(mutable: Recorded) -> None:
    words = mutable.part("in")["words"]
    module = tf2bridge.load(mutable.folder / "model.ckpt.meta", outputs=["found"])
    with module.session() as session:
        np.testing.assert_array_equal(session.run("found:0", {"words:0": words}), mutable.part("out")["found"])
        session.run("later:0", {"words:0": words})
    np.testing.assert_array_equal(module(words), [1, 1, 1, 1])


def test_a_function_keeps_its_tables(vocabulary: Recorded) -> None:
    module = tf2bridge.load(vocabulary.folder / "model.ckpt.meta", outputs=["ids"])
    function = module.function(["words"], ["ids"])
    del module
    gc.collect()
    np.testing.assert_array_equal(function(vocabulary.part("in")["words"])[0], vocabulary.part("out")["ids"])


def test_what_fills_a_table_may_be_fetched(tmp_path: Path) -> None:
    model = unpacked("1.15.5/table_columns", tmp_path)
    module = tf2bridge.load(model.folder / "model.ckpt.meta", outputs=["size"])
    assert module.function([], ["key_value_init/LookupTableImportV2", "init_all_tables"])() == [None, None]
    assert int(module()) == model.part("out")["size"]


def test_tables_of_one_shared_name_are_one(tmp_path: Path) -> None:
    def build() -> None:
        one, two = (
            tf.raw_ops.MutableHashTableV2(key_dtype=tf.string, value_dtype=tf.int64, shared_name=name, name="table")
            for name in ("common", "common")
        )
        word = v1.placeholder(tf.string, [1], name="word")
        insert = tf.raw_ops.LookupTableInsertV2(table_handle=one, keys=word, values=tf.constant([7], tf.int64))
        with tf.control_dependencies([insert]):
            tf.raw_ops.LookupTableFindV2(table_handle=two, keys=word, default_value=tf.constant(-1, tf.int64), name="y")

    module = tf2bridge.load(written(tmp_path / "graph.pb", build), outputs=["y"])
    np.testing.assert_array_equal(module(np.array(["red"])), [7])


def test_content_that_cannot_be_had_is_refused_with_the_table(tmp_path: Path) -> None:
    def build() -> None:
        table = tf.raw_ops.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64, name="table")
        values = v1.placeholder(tf.int64, [1], name="values")
        tf.raw_ops.LookupTableImportV2(table_handle=table, keys=tf.constant(["red"]), values=values)
        tf.raw_ops.LookupTableSizeV2(table_handle=table, name="size")

    with pytest.raises(TableContentError, match="table"):
        tf2bridge.load(written(tmp_path / "graph.pb", build), outputs=["size"])
    (tmp_path / "words.txt").write_text("red\nred\n")
    with pytest.raises(TableContentError, match="the table table cannot be filled"):
        tf2bridge.load(written(tmp_path / "twice.pb", lambda: of_file("words.txt")))
