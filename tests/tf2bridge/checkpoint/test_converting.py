"""Checkpoints converted and back: the files are as they were, and TensorFlow 1 and 2 read what is between."""

from __future__ import annotations

import contextlib
import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import oracles
from tests.tf2bridge.checkpoint import recorded
from tests.tf2bridge.formats.checkpoints.against_tensorflow import check_same_tensors
from tests.tf2bridge.graph import recorded as graphs
from tf2bridge.checkpoint.writing import bundle_writer
from tf2bridge.checkpoint.writing.converting import convert
from tf2bridge.checkpoint.writing.refusals import ExistingDestinationError, SameFileError
from tf2bridge.formats import sealing
from tf2bridge.formats.checkpoints.bundle import Bundle
from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError

FIXTURES = Path(__file__).parents[3] / "fixtures"
CHAR_RNN = FIXTURES / "legacy/char_rnn/genuine/run/model.ckpt-2"
KERAS = FIXTURES / "keras_files/weights"

RESTORE = """
import json, sys
import tensorflow as tf
reader = tf.train.NewCheckpointReader(sys.argv[1])
shapes = reader.get_variable_to_shape_map()
with tf.Graph().as_default(), tf.Session() as session:
    variables = [tf.get_variable(name, shapes[name], reader.get_tensor(name).dtype) for name in shapes]
    tf.train.Saver(variables).restore(session, sys.argv[1])
    print(json.dumps({v.op.name: session.run(v).astype("float64").ravel().tolist() for v in variables}))
"""


def files(prefix: Path) -> dict[str, bytes]:
    """The files of a V2 checkpoint by what follows their prefix."""
    return {path.name[len(prefix.name) :]: path.read_bytes() for path in bundle_writer.files_at(prefix)}


@pytest.mark.parametrize("release", recorded.RELEASES)
def test_there_and_back_the_files_are_the_same(release: str, tmp_path: Path) -> None:
    names = [name for name in recorded.ALL if name.startswith(f"{release}/")]
    prefixes = [recorded.unpacked(name, tmp_path).prefix for name in names]
    kept = [prefix for prefix in prefixes if prefix.with_name("model.ckpt.index").exists()]
    assert len(kept) > 20
    for prefix in kept:
        old = files(prefix)
        new, back = prefix.with_name("new"), prefix.with_name("back")
        convert(prefix, new)
        convert(new, back, format="saver")
        assert files(back) == old, prefix
        assert files(prefix) == old


def test_what_is_written_anew_is_what_a_saver_writes(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(bundle_writer, "_LIVE", 2.0)
    assert not convert(CHAR_RNN, tmp_path / "new", format="saver").kept
    assert files(tmp_path / "new") == files(CHAR_RNN)


@pytest.mark.parametrize("model", ["embeddings", "hub_text"])
def test_slices_written_anew_are_whole(model: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(bundle_writer, "_LIVE", 2.0)
    prefix = graphs.unpacked(f"1.15.5/{model}", tmp_path).folder / "model.ckpt"
    convert(prefix, tmp_path / "new", format="saver")
    check_same_tensors(tmp_path / "new")
    with open_checkpoint(prefix) as old, open_checkpoint(tmp_path / "new") as new:
        assert {name: array.tobytes() for name, array in old.items()} == {name: new[name].tobytes() for name in new}


def test_slices_stay_slices(tmp_path: Path) -> None:
    prefix = graphs.unpacked("1.15.5/embeddings", tmp_path).folder / "model.ckpt"
    assert convert(prefix, tmp_path / "new").kept
    with contextlib.closing(Bundle(prefix)) as old, contextlib.closing(Bundle(tmp_path / "new")) as new:
        assert any(old.parts(name) for name in old)
        for name in old:
            assert new[f"{name}/.ATTRIBUTES/VARIABLE_VALUE"].tobytes() == old[name].tobytes()
    check_same_tensors(tmp_path / "new")


def test_objects_stay_objects(tmp_path: Path) -> None:
    convert(KERAS, tmp_path / "new")
    assert files(tmp_path / "new") == files(KERAS)


def test_modules_of_tensorflow_2_restore_it(tmp_path: Path) -> None:
    import tensorflow as tf

    path = str(convert(CHAR_RNN, tmp_path / "model-7").path)
    with open_checkpoint(CHAR_RNN) as old:
        root, made = tf.train.Checkpoint(), {}
        for name, value in old.items():
            owner: Any = root
            for attribute in name.split("/")[:-1]:
                if not hasattr(owner, attribute):
                    setattr(owner, attribute, tf.Module())
                owner = getattr(owner, attribute)
            made[name] = tf.Variable(tf.zeros(value.shape, value.dtype))
            setattr(owner, name.split("/")[-1], made[name])
        root.restore(path).assert_consumed()
        for name, variable in made.items():
            np.testing.assert_array_equal(variable.numpy(), old[name], err_msg=name)
    assert root.save_counter.numpy() == 7


def test_a_saver_of_tensorflow_2_restores_it_by_its_old_names(tmp_path: Path) -> None:
    import tensorflow as tf

    v1 = tf.compat.v1
    path = str(convert(CHAR_RNN, tmp_path / "new").path)
    with open_checkpoint(CHAR_RNN) as old, tf.Graph().as_default(), v1.Session() as session:
        made = {
            name: v1.get_variable(name, info.shape, info.dtype, v1.zeros_initializer)
            for name, info in old.tensors.items()
        }
        v1.train.Saver(made).restore(session, path)
        for name, value in session.run(made).items():
            np.testing.assert_array_equal(value, old[name], err_msg=name)


@pytest.mark.oracle
@pytest.mark.parametrize("release", ["0.12.1", "1.15.5"])
def test_genuine_tensorflow_restores_what_came_back(release: str, tmp_path: Path) -> None:
    python = oracles.interpreter(release)
    convert(CHAR_RNN, tmp_path / "new")
    convert(tmp_path / "new", tmp_path / "back", format="saver")
    command = [str(python), "-c", RESTORE, str(tmp_path / "back")]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])
    with open_checkpoint(CHAR_RNN) as old:
        assert report == {name: old[name].astype("float64").ravel().tolist() for name in old}


@pytest.mark.parametrize("file", ["model.ckpt", "model-v1.ckpt"])
@pytest.mark.parametrize("form", ["saver", "checkpoint"])
def test_a_single_text_stays_what_it_is(file: str, form: str, tmp_path: Path) -> None:
    import tensorflow as tf

    source = recorded.unpacked("1.15.5/types", tmp_path).folder / file
    with open_checkpoint(source) as checkpoint:
        assert checkpoint["text"][()] == tf.train.load_checkpoint(str(source)).get_tensor("text") == b"one"
    convert(source, tmp_path / "new", format=form)
    read = tf.train.load_checkpoint(str(tmp_path / "new"))
    (name,) = (name for name in read.get_variable_to_shape_map() if name.startswith("text"))
    assert read.get_tensor(name) == b"one"


def test_a_link_shares_the_data(tmp_path: Path) -> None:
    convert(CHAR_RNN, tmp_path / "old", format="saver")
    convert(tmp_path / "old", tmp_path / "new", link=True)
    assert (tmp_path / "old.data-00000-of-00001").samefile(tmp_path / "new.data-00000-of-00002")
    check_same_tensors(tmp_path / "new")


def test_a_destination_that_exists_is_left(tmp_path: Path) -> None:
    convert(CHAR_RNN, tmp_path / "new")
    before = files(tmp_path / "new")
    with pytest.raises(ExistingDestinationError, match=r"new.index exists.*--force"):
        convert(CHAR_RNN, tmp_path / "new", format="saver")
    assert files(tmp_path / "new") == before


def test_forced_it_is_replaced(tmp_path: Path) -> None:
    convert(CHAR_RNN, tmp_path / "new")
    convert(CHAR_RNN, tmp_path / "new", format="saver", force=True)
    assert list(files(tmp_path / "new")) == [".index", ".data-00000-of-00001"]
    convert(CHAR_RNN, tmp_path / "new", format="saver", force=True)
    assert list(files(tmp_path / "new")) == [".index", ".data-00000-of-00002", ".data-00001-of-00002"]
    check_same_tensors(tmp_path / "new")


def test_the_seal_of_what_was_replaced_goes_with_it(tmp_path: Path) -> None:
    convert(CHAR_RNN, tmp_path / "new")
    sealing.seal(tmp_path / "new")
    convert(CHAR_RNN, tmp_path / "new", format="saver", force=True)
    check_same_tensors(tmp_path / "new")  # which opens it: a seal of other files is an error
    assert sealing.check(tmp_path / "new").state is sealing.State.UNSEALED


def test_the_source_is_no_destination(tmp_path: Path) -> None:
    convert(CHAR_RNN, tmp_path / "model", format="saver")
    (tmp_path / "link").symlink_to(tmp_path)
    for same in (tmp_path / "model", tmp_path / "link/model"):
        with pytest.raises(SameFileError, match="never written to"):
            convert(tmp_path / "model", same, force=True)
    (tmp_path / "other.index").symlink_to(tmp_path / "model.index")
    with pytest.raises(SameFileError):
        convert(tmp_path / "model", tmp_path / "other", force=True)


def test_a_damaged_source_is_not_passed_on(tmp_path: Path) -> None:
    convert(CHAR_RNN, tmp_path / "old", format="saver")
    data = tmp_path / "old.data-00000-of-00001"
    content = bytearray(data.read_bytes())
    content[1000] ^= 4
    data.write_bytes(content)
    with pytest.raises(
        DamagedCheckpointError,
        match=r"old.data-00000-of-00001: tensor 'rnnlm.RNN.MultiRNNCell.Cell0.BasicLSTMCell.Linear.Matrix'",
    ):
        convert(tmp_path / "old", tmp_path / "new")
    assert not list(tmp_path.glob("*new*"))
