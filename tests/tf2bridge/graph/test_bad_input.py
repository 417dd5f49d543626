"""What is wrong with a file or a name is one BridgeError that says what to do."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from click.testing import CliRunner
from google.protobuf import text_format

import tf2bridge
from tests.tf2bridge.graph.recorded import Recorded, unpacked
from tf2bridge.cli import cli
from tf2bridge.errors import BridgeError
from tf2bridge.formats import sidecars
from tf2bridge.formats.graphs.described import described
from tf2bridge.formats.graphs.reader import read
from tf2bridge.formats.graphs.refusals import DamagedGraphError, NoGraphError, UnknownNameError, UnsoundGraphError
from tf2bridge.formats.kinds import Kind
from tf2bridge.formats.refusals import ChecksumError
from tf2bridge.graph.read_runnable import read_runnable
from tf2bridge.graph.refusals import MissingValuesError, NewerGraphError, UnfedPlaceholderError, UnsupportedOpsError

LEGACY = Path(__file__).parents[3] / "fixtures/legacy"


@pytest.fixture(scope="module")
def mlp(tmp_path_factory: Any) -> Recorded:
    return unpacked("1.4.1/mlp_adam", tmp_path_factory.getbasetemp())


@pytest.fixture
def frozen(mlp: Recorded) -> Any:
    return read_runnable(mlp.folder / "frozen.pb").graph_def


def write(path: Path, graph_def: Any) -> Path:
    path.write_bytes(graph_def.SerializeToString())
    return path


def check_refused(path: Path, error: type[BridgeError], message: str, **options: Any) -> None:
    """Both ways to read a file say it, in one line that names the file."""
    with pytest.raises(error, match=message) as refusal:
        tf2bridge.load(path, **options)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "name, content, error, message",
    [
        ("empty.pb", b"", DamagedGraphError, "it is empty"),
        ("blank.pbtxt", b" \n\n", DamagedGraphError, "it is empty"),
        ("picture.pb", b"\x89PNG\r\n\x1a\n" + bytes(100), NoGraphError, "a PNG image"),
        ("keras.pb", b"\x89HDF\r\n\x1a\n" + bytes(100), NoGraphError, "an HDF5 file"),
        ("model.pb", b"PK\x03\x04" + bytes(100), NoGraphError, "unpack it first"),
        ("packed.pb", gzip.compress(b"node"), NoGraphError, "compressed with gzip"),
        ("lite.pb", b"\x1c\x00\x00\x00TFL3" + bytes(40), NoGraphError, "a TFLite model"),
        ("large.pb", b"version https://git-lfs.github.com/spec/v1\n", NoGraphError, "git lfs pull"),
        ("words.pbtxt", b"node { name: ", DamagedGraphError, "cannot be read"),
        ("program.pb", b"import tensorflow as tf\n", NoGraphError, "no graph of TensorFlow"),
        ("zeros.pb", bytes(1000), NoGraphError, "no graph of TensorFlow"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",  # gzip writes the time into its bytes
)
def test_what_is_no_graph_is_said_to_be_none(
    name: str, content: bytes, error: type[BridgeError], message: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    check_refused(tmp_path / name, error, f"{name}: .*{message}")
    with pytest.raises(error, match=message):
        read(tmp_path / name)


def test_a_part_of_a_checkpoint_says_how_to_name_it(mlp: Recorded, tmp_path: Path) -> None:
    shutil.copy(mlp.folder / "model.ckpt.index", tmp_path)
    check_refused(tmp_path / "model.ckpt.index", NoGraphError, "name it without .index")


def test_a_checkpoint_alone_holds_no_graph(mlp: Recorded, tmp_path: Path) -> None:
    for suffix in ("index", "data-00000-of-00001"):
        shutil.copy(mlp.folder / f"model.ckpt.{suffix}", tmp_path)
    check_refused(tmp_path / "model.ckpt", NoGraphError, "a checkpoint without its .meta")


def test_a_checkpoint_of_the_first_format_is_loaded_with_its_meta(tmp_path: Path) -> None:
    folder = shutil.copytree(LEGACY / "saver_swap/genuine/run", tmp_path / "run")
    check_refused(folder / "old.ckpt", NoGraphError, "a checkpoint")
    shutil.copy(folder / "list-1.meta", folder / "old.ckpt.meta")
    assert read(folder / "old.ckpt").kind is Kind.METAGRAPH
    assert read(folder / "old.ckpt").checkpoint == folder / "old.ckpt"


@pytest.mark.parametrize("file", ["frozen.pb", "model.ckpt.meta", "saved_model/saved_model.pb"])
def test_a_file_that_is_cut_off_is_refused_wherever_it_was_cut(file: str, mlp: Recorded, tmp_path: Path) -> None:
    content = (mlp.folder / file).read_bytes()
    path = tmp_path / Path(file).name
    for end in range(1, len(content), len(content) // 40):
        path.write_bytes(content[:end])
        try:
            facts = described(read(path))
        except BridgeError as error:
            assert str(path) in str(error)
            continue
        assert sum(facts["operations"].values())  # cut between two nodes


def test_another_models_checkpoint_is_refused(mlp: Recorded, tmp_path_factory: Any) -> None:
    other = unpacked("1.4.1/loop", tmp_path_factory.getbasetemp())
    check_refused(
        mlp.folder / "model.ckpt.meta", MissingValuesError, "hidden/weights", checkpoint=other.folder / "model.ckpt"
    )


def test_a_missing_output_names_the_nearest(mlp: Recorded) -> None:
    check_refused(
        mlp.folder / "frozen.pb", UnknownNameError, "'logist' is no tensor.*near are logits", outputs=["logist"]
    )


def test_an_unfed_placeholder_is_named_with_its_shape(mlp: Recorded) -> None:
    message = r"nothing feeds: labels float32 \(None, 3\); name them in `inputs`"
    check_refused(mlp.folder / "model.ckpt", UnfedPlaceholderError, message, outputs=["loss"], inputs=["x"])


def test_a_graph_that_is_newer_than_the_runtime(frozen: Any, tmp_path: Path) -> None:
    frozen.versions.min_consumer = 10**6
    text = f"GraphDef version 1000000 or later, and not {tf.version.GRAPH_DEF_VERSION}"
    check_refused(write(tmp_path / "new.pb", frozen), NewerGraphError, text)
    assert described(read(tmp_path / "new.pb"))["min consumer"] == 10**6


def test_a_graph_that_refuses_this_runtime(frozen: Any, tmp_path: Path) -> None:
    frozen.versions.bad_consumers.append(tf.version.GRAPH_DEF_VERSION)
    check_refused(write(tmp_path / "bad.pb", frozen), NewerGraphError, "install a newer one")


def test_a_newer_producer_is_no_reason_to_refuse(mlp: Recorded, frozen: Any, tmp_path: Path) -> None:
    frozen.versions.producer = 10**6
    module = tf2bridge.load(write(tmp_path / "new.pb", frozen), outputs=["logits"])
    np.testing.assert_allclose(module(mlp.part("in")["x"]), mlp.part("out")["logits"], rtol=1e-5)


def test_all_unknown_operations_are_listed_at_once_with_their_nodes(frozen: Any, tmp_path: Path) -> None:
    for node in frozen.node:
        if node.op in ("MatMul", "Relu"):
            node.op = f"My{node.op}"
    path = write(tmp_path / "own.pb", frozen)
    with pytest.raises(UnsupportedOpsError) as refusal:
        tf2bridge.load(path, outputs=["logits"])
    renamed = [f"{node.name} ({node.op})" for node in frozen.node if node.op.startswith("My")]
    assert len(renamed) == 3
    for item in renamed:
        assert f"{item} is no operation of TensorFlow" in str(refusal.value)
    assert [line.partition(" is no")[0] for line in described(read(path))["unsupported"]] == renamed


def test_nodes_that_do_not_fit_together(frozen: Any, tmp_path: Path) -> None:
    next(node for node in frozen.node if node.op == "MatMul").input[1] = "nowhere"
    check_refused(write(tmp_path / "torn.pb", frozen), UnsoundGraphError, "torn.pb: its nodes do not fit together")


def test_an_attribute_that_no_release_knew(frozen: Any, tmp_path: Path) -> None:
    next(node for node in frozen.node if node.op == "MatMul").attr["of_tomorrow"].b = True
    check_refused(write(tmp_path / "new.pb", frozen), UnsupportedOpsError, r"MatMul \(MatMul\) has .*: of_tomorrow")


def test_constants_whose_values_do_not_fit_their_shapes(frozen: Any, tmp_path: Path) -> None:
    weights, biases = (
        next(node for node in frozen.node if node.name == f"hidden/{name}") for name in ("weights", "biases")
    )
    weights.attr["value"].tensor.tensor_shape.dim[0].size = 3
    biases.attr["value"].tensor.dtype = 2
    out = next(node for node in frozen.node if node.name == "out/biases")
    out.attr["value"].tensor.ClearField("tensor_content")
    out.attr["value"].tensor.int_val.extend([1, 2, 3])  # TensorFlow would take zeros
    path = write(tmp_path / "torn.pb", frozen)
    check_refused(path, UnsupportedOpsError, r"biases \(Const\) is damaged: its value is float64 and not float32")
    check_refused(
        path, UnsupportedOpsError, r"weights \(Const\) is damaged: its value has 80 bytes, and its shape .* 60"
    )
    check_refused(
        path, UnsupportedOpsError, r"out/biases \(Const\) is damaged: its value is in int_val, and of type float32"
    )


def test_a_sidecar_guards_a_file_and_a_directory(mlp: Recorded, tmp_path: Path) -> None:
    for form, name in (("frozen", "new.pb"), ("saved_model", "new")):
        command = ["export", mlp.folder / "model.ckpt", tmp_path / name, "--format", form, "--outputs", "logits"]
        done = CliRunner().invoke(cli, [*map(str, command), "--sha256"], standalone_mode=False)
        assert done.exception is None
    checked = subprocess.run(
        ["sha256sum", "-c", "new.pb.sha256", "new.sha256"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked
    assert "new/variables/variables.index: OK" in checked.stdout
    x, expected = mlp.part("in")["x"], mlp.part("out")["logits"]
    np.testing.assert_allclose(tf2bridge.load(tmp_path / "new.pb", outputs=["logits"])(x), expected, rtol=1e-5)
    for path, changed in (("new.pb", "new.pb"), ("new", "new/variables/variables.index")):
        content = bytearray((tmp_path / changed).read_bytes())
        content[len(content) // 2] ^= 1
        (tmp_path / changed).write_bytes(content)
        text = rf"{changed}: has another SHA-256 .*{path}.sha256.*copy it again"
        check_refused(tmp_path / path, ChecksumError, text)
        done = CliRunner().invoke(cli, ["inspect", str(tmp_path / path)], standalone_mode=False)
        assert isinstance(done.exception, ChecksumError)


def test_a_new_export_does_not_keep_an_old_sidecar(mlp: Recorded, tmp_path: Path) -> None:
    command = ["export", str(mlp.folder / "model.ckpt"), str(tmp_path / "new.pb"), "--format", "frozen"]
    (tmp_path / "new.pb").write_bytes(b"old")
    sidecars.write(tmp_path / "new.pb")
    done = CliRunner().invoke(cli, [*command, "--outputs", "logits", "--force"], standalone_mode=False)
    assert done.exception is None
    assert not (tmp_path / "new.pb.sha256").exists()


@pytest.mark.parametrize(
    "text, message",
    [
        ("nothing of the kind\n", "no line of sha256sum"),
        ("0" * 64 + "  other.pb\n", "is not listed"),
        ("0" * 64 + "  frozen.pb\n", "has another SHA-256"),
        ("0" * 64 + "\n", "has another SHA-256"),
        ("", "is not listed"),
    ],
)
def test_a_sidecar_that_does_not_fit(text: str, message: str, mlp: Recorded, tmp_path: Path) -> None:
    shutil.copy(mlp.folder / "frozen.pb", tmp_path)
    (tmp_path / "frozen.pb.sha256").write_text(text)
    check_refused(tmp_path / "frozen.pb", ChecksumError, message)


def test_a_file_that_a_sidecar_lists_and_that_is_gone(mlp: Recorded, tmp_path: Path) -> None:
    copy = shutil.copytree(mlp.folder / "saved_model", tmp_path / "model")
    sidecars.write(copy)
    (copy / "variables/variables.index").unlink()
    check_refused(copy, ChecksumError, "variables.index: is missing")


def test_text_is_as_good_as_binary(mlp: Recorded, frozen: Any, tmp_path: Path) -> None:
    (tmp_path / "graph.pbtxt").write_text("# a comment\n" + text_format.MessageToString(frozen))
    sidecars.write(tmp_path / "graph.pbtxt")
    module = tf2bridge.load(tmp_path / "graph.pbtxt", outputs=["logits"])
    np.testing.assert_allclose(module(mlp.part("in")["x"]), mlp.part("out")["logits"], rtol=1e-5)
