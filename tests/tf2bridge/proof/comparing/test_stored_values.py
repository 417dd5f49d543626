"""Stored values held against stored values, from files that genuine TensorFlow wrote."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.tf2bridge.proof.comparing.files import checkpoint, graph, trace, written
from tf2bridge.checkpoint.writing.converting import convert
from tf2bridge.errors import NoSuchFileError
from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError
from tf2bridge.proof.comparing.any_two import compare
from tf2bridge.proof.comparing.outcome import Compared
from tf2bridge.proof.comparing.refusals import NoSuchTensorError, NotComparableError
from tf2bridge.proof.comparing.rows import first_divergence
from tf2bridge.proof.numbers.tolerance import Tolerance, Verdict
from tf2bridge.proof.traces.reader import Trace


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("compared")


def check_equal_bits(actual: Compared, count: int) -> None:
    assert first_divergence(actual.rows) is None
    assert [row.distance.verdict for row in actual.rows] == [Verdict.EQUAL] * count
    assert actual.equal
    assert not (actual.only_a or actual.only_b)


FORMS = [
    (name, form)
    for name in ("0.12.1/version_1", "1.4.1/types", "1.15.5/partitioned", "1.15.5/mlp_adam")
    for form in ("checkpoint", "saver", "safetensors", "npz")
    if (name, form) != ("1.4.1/types", "safetensors")  # which has neither texts nor complex numbers
]


@pytest.mark.parametrize("name, form", FORMS)
def test_a_checkpoint_is_itself_in_another_format(name: str, form: str, parent: Path) -> None:
    old = checkpoint(name, parent)
    new = parent / "converted" / form / name.replace("/", "_") / f"new.{form}"
    new.parent.mkdir(parents=True)
    convert(old, new, format=form)
    with open_checkpoint(old) as opened:
        count = len(opened)
    check_equal_bits(compare(old, new), count)
    check_equal_bits(compare(new, old), count)


def test_releases_call_a_variable_otherwise(parent: Path) -> None:
    comparison = compare(checkpoint("0.12.1/basic_lstm", parent), checkpoint("1.15.5/basic_lstm", parent))
    assert comparison.how == {"same name": 3, "name of another release": 6}
    renamed = {row.tensor: row.renamed for row in comparison.rows}
    assert renamed["net/RNN/BasicLSTMCell/Linear/Matrix"] == "net/rnn/basic_lstm_cell/kernel"


def test_the_first_that_differs_has_all_figures(parent: Path) -> None:
    old = checkpoint("1.15.5/mlp_adam", parent)
    with open_checkpoint(old) as opened:
        values = dict(opened)
    worst = values["hidden/weights"].copy()
    worst[2, 3] += np.float32(0.5)
    comparison = compare(old, {**values, "hidden/weights": worst})
    bad = first_divergence(comparison.rows)
    assert bad is not None
    assert (bad.tensor, bad.distance.verdict, bad.distance.worst) == ("hidden/weights", Verdict.DIFFERENT, (2, 3))
    assert bad.distance.mismatches == 1
    assert bad.distance.values == (worst[2, 3].item(), values["hidden/weights"][2, 3].item())
    assert sum(not row.passed for row in comparison.rows) == 1


def test_what_one_side_only_has_is_missing_unless_a_subset_is_asked_for(parent: Path) -> None:
    old = checkpoint("1.15.5/mlp_adam", parent)
    with open_checkpoint(old) as opened:
        part = {name: opened[name] for name in opened if "Adam" not in name}
    comparison = compare(old, part)
    missing = [row.tensor for row in comparison.rows if row.distance.verdict is Verdict.MISSING]
    assert missing == list(comparison.only_a) == [name for name in missing if "Adam" in name]
    assert not comparison.equal
    assert compare(old, part, subset=True).equal
    assert compare(part, old).only_b == comparison.only_a
    assert not compare({"x": np.ones(1)}, {"y": np.ones(1)}, subset=True).equal  # nothing at all was compared


def test_names_are_chosen_by_patterns_on_either_side(parent: Path) -> None:
    both = checkpoint("0.12.1/basic_lstm", parent), checkpoint("1.15.5/basic_lstm", parent)
    assert {row.tensor for row in compare(*both, names=["*/kernel"]).rows} == {"net/RNN/BasicLSTMCell/Linear/Matrix"}
    with pytest.raises(NoSuchTensorError, match=r"--tensors kernel\*: .*there are .*beta1_power"):
        compare(*both, names=["kernel*"])


def test_shapes_types_and_nan_rules_reach_the_rows() -> None:
    one = {"w": np.ones((2, 3), np.float32)}
    assert compare(one, {"w": np.ones((3, 2), np.float32)}).rows[0].distance.verdict is Verdict.SHAPE
    assert compare(one, {"w": np.ones((2, 3))}).rows[0].distance.verdict is Verdict.TYPE
    assert compare(one, {"w": np.ones((2, 3))}, tolerance=Tolerance(check_dtype=False)).equal
    nan = {"w": np.asarray([1.0, np.nan])}
    assert compare(nan, nan).equal
    assert not compare(nan, nan, tolerance=Tolerance(nan_equal=False)).equal


def test_a_frozen_graph_holds_the_variables_of_its_checkpoint(parent: Path) -> None:
    folder = graph("1.15.5/mlp_adam", parent)
    comparison = compare(folder / "frozen.pb", folder / "model.ckpt", subset=True)
    assert {row.tensor for row in comparison.rows} == {"hidden/weights", "hidden/biases", "out/weights", "out/biases"}
    assert comparison.equal
    result = compare(folder / "frozen.pb", folder / "model.ckpt")
    assert not result.only_a  # constants that never were variables need no counterpart
    assert "hidden/weights/Adam" in result.only_b


def test_two_frozen_graphs_are_compared_by_all_their_constants(parent: Path) -> None:
    frozen = graph("1.15.5/mlp_adam", parent) / "frozen.pb"
    comparison = compare(frozen, frozen)
    assert comparison.equal
    assert len(comparison.rows) > 4


def test_a_saved_model_holds_the_values_of_the_checkpoint(parent: Path) -> None:
    folder = graph("1.15.5/mlp_adam", parent)
    check_equal_bits(compare(folder / "model.ckpt", folder / "saved_model"), 15)
    check_equal_bits(compare(folder / "model.ckpt.meta", folder / "saved_model" / "saved_model.pb"), 15)


@pytest.mark.parametrize("program", ["mnist_towers", "freeze_script", "q_agent"])
def test_a_trace_is_itself(program: str) -> None:
    comparison = compare(trace(program), Trace(trace(program)))
    assert {row.distance.verdict for row in comparison.rows} == {Verdict.EQUAL}
    assert {row.kind for row in comparison.rows} == {"initial", "feed", "fetch", "final"}
    chosen = compare(trace(program), trace(program), names=[comparison.rows[0].tensor])
    assert {row.tensor for row in chosen.rows} == {comparison.rows[0].tensor}
    with pytest.raises(NoSuchTensorError):
        compare(trace(program), trace(program), names=["no such tensor"])


def test_a_trace_ends_with_what_its_program_saved() -> None:
    """The recorder peeked at the variables; the Saver wrote them. Genuine 1.4.1 did both."""
    with open_checkpoint(written("freeze_script", "model.ckpt")) as checkpoint:
        saved = {name: checkpoint[name] for name in checkpoint}
    check_equal_bits(compare(trace("freeze_script"), saved), len(saved))
    first = compare(trace("freeze_script"), saved, initial=True)
    assert {row.tensor for row in first.rows} == saved.keys()
    assert not first.equal


def test_by_position_names_do_not_matter() -> None:
    one = {"a": np.zeros(2), "b": np.ones(3)}
    assert compare(one, {"x": np.zeros(2), "y": np.ones(3)}, match="position").equal
    assert not compare(one, {"y": np.ones(3), "x": np.zeros(2)}, match="position").equal


def test_texts_are_compared(parent: Path) -> None:
    old = checkpoint("1.15.5/types", parent)
    with open_checkpoint(old) as opened:
        values = {name: opened[name] for name in opened}
        texts = [info.name for info in opened.tensors.values() if info.dtype == "string"]
    assert texts
    assert compare(old, values).equal
    other = values[texts[0]].copy()
    other.reshape(-1)[0] = b"another"
    bad = first_divergence(compare(old, {**values, texts[0]: other}).rows)
    assert bad is not None
    assert (bad.tensor, bad.distance.note) == (texts[0], "texts differ")


def test_a_damaged_file_is_an_error_and_no_difference(parent: Path, tmp_path: Path) -> None:
    old = checkpoint("1.15.5/mlp_adam", parent)
    for file in old.parent.glob("model.ckpt.*"):
        shutil.copy(file, tmp_path)
    data = tmp_path / "model.ckpt.data-00000-of-00001"
    content = bytearray(data.read_bytes())
    content[len(content) // 2] ^= 1
    data.write_bytes(content)
    with pytest.raises(DamagedCheckpointError):
        compare(old, tmp_path / "model.ckpt")


@pytest.mark.parametrize(
    "given, error, message",
    [
        ("nowhere", NoSuchFileError, "no such file or code to compare"),
        ("program.py", NotComparableError, "a program is named by a function of it, as program:build"),
        ("picture.png", NotComparableError, "a PNG image.*give a trace, a checkpoint"),
        (object(), NotComparableError, "object: it has neither values by names nor inputs and outputs"),
    ],
)
def test_what_cannot_be_compared_is_said(given: Any, error: type[Exception], message: str, tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    (tmp_path / "program.py").write_text("build = None\n")
    side = tmp_path / given if isinstance(given, str) else given
    with pytest.raises(error, match=message):
        compare({"x": np.ones(1)}, side)


def test_comparing_what_is_stored_does_not_import_tensorflow(parent: Path) -> None:
    old = checkpoint("1.15.5/basic_lstm", parent)
    code = (
        "import sys; from tf2bridge.proof import compare\n"
        f"assert compare({str(old)!r}, {str(old)!r}).equal\n"
        f"compare({str(trace('freeze_script'))!r}, {str(old)!r}, subset=True, initial=True)\n"
        f"assert compare({str(trace('q_agent'))!r}, {str(trace('q_agent'))!r}).equal\n"
        "print([name for name in ('tensorflow', 'keras', 'tf_keras') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
