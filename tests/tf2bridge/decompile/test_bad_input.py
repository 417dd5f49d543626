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


def of_three() -> None:
    tf.matmul(v1.placeholder(tf.float32, [None, None], "x"), tf.ones([3, 2]), name="y")


@pytest.fixture(autouse=True)
def _quiet_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TF_CPP_MIN_LOG_LEVEL", "3")


def test_a_queue_is_said(tmp_path: Path) -> None:
    done = CliRunner().invoke(decompile, [str(graph(tmp_path, queue)), "-o", str(tmp_path / "model")])
    assert done.exception is None, done.output
    assert "batch is an input: QueueDequeueManyV2 gave it in the old graph" in done.output
    assert "legacy_inputs = {'batch': tf.TensorSpec(" in (tmp_path / "model/model.py").read_text("utf-8")


def test_examples_that_do_not_fit(tmp_path: Path) -> None:
    done = CliRunner().invoke(decompile, [str(graph(tmp_path, of_three)), "-o", str(tmp_path / "model")])
    assert isinstance(done.exception, ExampleError)
    assert "Matrix size-incompatible: In[0]: [2,5], In[1]: [3,2]" in str(done.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["model.pb"]


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
    with pytest.raises(UncheckedPackageError, match=why):
        gate.measured(tmp_path / "model")
