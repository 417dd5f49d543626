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
