"""What cannot be written or checked is said in one line, and leaves nothing behind; a queue is said."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from click.testing import CliRunner

from tf2bridge import v1
from tf2bridge.commands.decompiles import decompile
from tf2bridge.decompile import gate
from tf2bridge.decompile.examples import run_on_fitting
from tf2bridge.decompile.ir import Spec
from tf2bridge.decompile.refusals import ExampleError, UncheckedPackageError
from tf2bridge.systems import HARD


def graph(folder: Path, build: Any) -> Path:
    with tf.Graph().as_default() as made:
        build()
    (folder / "model.pb").write_bytes(made.as_graph_def().SerializeToString())
    return folder / "model.pb"


def queue() -> None:
    rows = v1.FIFOQueue(10, [tf.float32], [[3]], name="rows").dequeue_many(4, name="batch")
    tf.tanh(rows, name="y")


def of_both() -> None:
    x = v1.placeholder(tf.float32, [None, None], "x")
    tf.add(tf.matmul(x, tf.ones([3, 2])), tf.matmul(x, tf.ones([4, 2])), name="y")


def checked() -> None:
    x = v1.placeholder(tf.float32, [None, None], "x")
    with v1.control_dependencies([v1.assert_less(x, 5.0, name="small")]):
        tf.square(x, name="y")


@pytest.fixture(autouse=True)
def _quiet_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TF_CPP_MIN_LOG_LEVEL", "3")


def test_assertions_are_said(tmp_path: Path) -> None:
    done = CliRunner().invoke(decompile, [str(graph(tmp_path, checked)), "-o", str(tmp_path / "model")])
    assert done.exception is None, done.output
    assert "assertions of the old graph are not in the package: small" in done.output
    assert "return tf.square(x)" in (tmp_path / "model/model.py").read_text("utf-8")


def test_a_queue_is_said(tmp_path: Path) -> None:
    done = CliRunner().invoke(decompile, [str(graph(tmp_path, queue)), "-o", str(tmp_path / "model")])
    assert done.exception is None, done.output
    assert "batch is an input: QueueDequeueManyV2 gave it in the old graph" in done.output
    assert "legacy_inputs = {'batch': tf.TensorSpec(" in (tmp_path / "model/model.py").read_text("utf-8")


def test_examples_that_do_not_fit(tmp_path: Path) -> None:
    done = CliRunner().invoke(decompile, [str(graph(tmp_path, of_both)), "-o", str(tmp_path / "model")])
    assert isinstance(done.exception, ExampleError)
    assert "Shapes (None, 3) and (None, 4) are not compatible" in str(done.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["model.pb"]


def test_sizes_that_only_the_graph_knows() -> None:
    spec = {"rows": Spec(tf.float32, (None, 3)), "factor": Spec(tf.float32, None)}

    def run(arrays: Any) -> Any:
        if arrays["rows"].shape[0] != 7:
            raise ValueError("Graph execution error:\nDimension 0: shape[0] = [2,64] vs. shape[1] = [7,64]")
        return arrays["rows"].shape, arrays["factor"].shape

    assert run_on_fitting(run, spec, {}) == ((7, 3), (2,))
    with pytest.raises(ValueError, match="Dimension 0"):
        run_on_fitting(run, spec, {"rows": np.zeros([2, 3])})


def test_sides_of_images_that_no_error_names() -> None:
    spec = {"images": Spec(tf.float32, (None, None, None, 1)), "keep": Spec(tf.float32, None)}

    def run(arrays: Any) -> Any:
        if arrays["images"].shape[1] < 32 or arrays["keep"].ndim:
            raise ValueError("could not create a descriptor")
        return arrays["images"].shape

    assert run_on_fitting(run, spec, {}) == (2, 32, 32, 1)


def test_sizes_of_the_weights_that_inputs_meet(tmp_path: Path) -> None:
    """No error names them all at once. The sizes of a factor, and of what is made rows of, are likely ones."""

    def build() -> Any:
        state, action = (v1.placeholder(tf.float32, [None, None], name) for name in ("state", "action"))
        steps = v1.placeholder(tf.float32, [None, None, None], "steps")
        values = tf.matmul(tf.nn.relu(state / 255.0 @ tf.ones([7, 6])), tf.ones([6, 3]))
        rows = tf.reshape(steps, [-1, 4]) @ tf.ones([4, 2])
        return tf.reduce_sum(values * action, 1) + tf.reduce_sum(rows)

    with tf.Graph().as_default() as whole:
        tf.identity(build(), "y")
    (tmp_path / "open.pb").write_bytes(whole.as_graph_def().SerializeToString())
    done = CliRunner().invoke(decompile, [str(tmp_path / "open.pb"), "-o", str(tmp_path / "model"), "--worst", "0"])
    assert done.exception is None, done.output
    source = "".join((tmp_path / "model/model.py").read_text("utf-8").split())
    for spec in (
        "'state':tf.TensorSpec([None,7])",
        "'action':tf.TensorSpec([None,None])",
        "'steps':tf.TensorSpec([None,None,None])",
    ):
        assert spec in source
    shapes = {
        name: array.shape for name, array in np.load(tmp_path / "model/recorded.npz").items() if name.startswith("in ")
    }
    assert shapes == {"in state": (2, 7), "in action": (2, 3), "in steps": (2, 5, 4)}


@pytest.mark.parametrize("padding", [0, 1])
def test_words_that_fill_sentences_up(padding: int) -> None:
    spec = {"words": Spec(tf.int32, (None, None))}

    def run(arrays: Any) -> Any:
        lengths = (arrays["words"] != padding).sum(1)
        if not lengths.all() or lengths.max() + 1 != arrays["words"].shape[1]:
            raise ValueError("assertion failed: [All values in memory_sequence_length must greater than zero.]")
        return arrays["words"]

    words = run_on_fitting(run, spec, {})
    assert words.shape == (2, 5)
    assert set(words[:, :-1].reshape(-1)) == {2, 3}


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: Any, **_arrays: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(np, "savez", full)
    done = CliRunner().invoke(decompile, [str(graph(tmp_path, queue)), "-o", str(tmp_path / "model")])
    assert isinstance(done.exception, OSError)
    assert done.exception.filename == str(tmp_path / "model")
    assert [path.name for path in tmp_path.iterdir()] == ["model.pb"]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (f"import os\nos.kill(os.getpid(), {int(HARD)})", "there is not enough memory"),
        ("raise MemoryError", "there is not enough memory"),
        ("import time\ntime.sleep(60)", "it takes more than 1 s"),
    ],
)
def test_a_package_that_cannot_be_checked(code: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model/__init__.py").write_text("")
    (tmp_path / "model/test_model.py").write_text(code)
    monkeypatch.setattr(gate, "SECONDS", 1 if "sleep" in code else 60)
    with gate.Gate() as processes, pytest.raises(UncheckedPackageError, match=why):
        processes.measured(tmp_path / "model")
