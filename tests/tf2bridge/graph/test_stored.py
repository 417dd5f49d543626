"""SavedModels of several graphs and signatures, and modules of TensorFlow Hub, as genuine TensorFlow stored them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.core.example.feature_pb2 import BytesList

import tf2bridge
from tests.tf2bridge.graph.recorded import unpacked
from tf2bridge.formats.graphs.parsing import OWN
from tf2bridge.formats.graphs.reader import read
from tf2bridge.formats.graphs.refusals import TagsError, UnknownSignatureError
from tf2bridge.formats.kinds import Kind
from tf2bridge.graph.read_runnable import TENSORFLOWS


def close(ours: Any, expected: Any) -> None:
    np.testing.assert_allclose(ours, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("release", ["1.4.1", "1.12.3", "1.15.5"])
def test_graphs_are_chosen_by_tags_and_ends_by_signature(release: str, tmp_path: Path) -> None:
    model = unpacked(f"{release}/several_graphs", tmp_path)
    folder, x, out = model.folder / "several", model.part("in")["x"], model.part("out")
    served = tf2bridge.load(folder)
    assert set(served.graph.tags) == {"serve", "gpu"}
    close(served(x), out["y"])
    close(tf2bridge.load(folder, signature="features")(x=x), out["z_hidden"])
    close(tf2bridge.load(folder, tags=["train"])(x), out["z_hidden"])
    with pytest.raises(TagsError, match="name the tags of one: train; serve, gpu"):
        tf2bridge.load(folder, tags=["gpu"])
    with pytest.raises(UnknownSignatureError, match=r"no signature 'feature'; it has (features, serving_default|serv)"):
        tf2bridge.load(folder, signature="feature")


def test_a_text_module_has_its_vocabulary_its_parts_and_what_was_attached(tmp_path: Path) -> None:
    model = unpacked("1.15.5/hub_text", tmp_path)
    words = model.part("in")["words"]
    module = tf2bridge.load(model.folder / "hub")
    assert module.graph.kind is Kind.HUB
    assert list(module.inputs) == ["text"]
    assert [variable.name for variable in module.trainable_variables] == [
        "embeddings/rows/part_0:0",
        "embeddings/rows/part_1:0",
    ]
    close(module(words), model.part("out")["embedded"])
    close(tf2bridge.load(model.folder / "hub", signature="ids")(words), model.part("out")["ids"])
    assert BytesList.FromString(module.graph.attachments["vocabulary"]).value == [b"colours"]
    module.save(tmp_path / "again")
    before = [variable.numpy() for variable in module.variables]
    for variable in module.variables:
        variable.assign(variable * 0.0)
    module.restore(tmp_path / "again")
    for variable, value in zip(module.variables, before, strict=True):
        np.testing.assert_array_equal(variable, value)


def test_an_image_module_has_a_graph_to_serve_and_one_to_train(tmp_path: Path) -> None:
    model = unpacked("1.15.5/hub_image", tmp_path)
    images, out = model.part("in")["images"], model.part("out")
    served = tf2bridge.load(model.folder / "hub")
    trained = tf2bridge.load(model.folder / "hub", tags=["train"])
    close(served(images)["default"], out["served"])
    close(trained(images)["default"], out["trained"])
    assert list(served.outputs) == ["default", "maps"]
    assert len(served.trainable_variables) == 4
    assert "update_ops" in trained.collections
    assert "update_ops" not in served.collections
    assert trained.collections["regularization_losses"]


@pytest.mark.parametrize("release", ["1.4.1", "1.12.3", "1.15.5"])
def test_an_estimators_export_reads_examples_and_its_vocabulary(release: str, tmp_path: Path) -> None:
    model = unpacked(f"{release}/estimator_export", tmp_path)
    served = model.part("served")
    module = tf2bridge.load(model.folder / "estimator")
    module.export(tmp_path / "new")
    signature = tf.saved_model.load(tmp_path / "new").signatures["serving_default"]
    examples = tf.constant(served["examples"])
    for result in (module(examples), signature(examples)):
        close(result["scores"], served["scores"])
        np.testing.assert_array_equal(result["classes"].numpy().astype("S"), served["classes"])


@pytest.mark.parametrize("classes", [OWN, TENSORFLOWS])
@pytest.mark.parametrize("name", ["1.4.1/vocabulary", "1.15.5/vocabulary"])
def test_assets_of_both_kinds_of_record_are_read(name: str, classes: Any, tmp_path: Path) -> None:
    """Up to 1.15 assets were a collection; the field `asset_file_def` is that of later builders."""
    assets = read(unpacked(name, tmp_path).folder / "saved_model", classes=classes).assets
    assert [path.name for path in assets.values()] == ["vocabulary.txt", "vocabulary.txt"]
    assert all(path.is_file() for path in assets.values())
