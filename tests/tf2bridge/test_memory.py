"""A command that gets no memory says so in one line, whoever was refused: Python, the loader, or a library of C++."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tf2bridge.systems.memory import is_out_of_memory

ROOT = Path(__file__).parents[2]
TRACE = ROOT / "fixtures/legacy/mnist_towers/genuine/mnist_towers.trace"
META = ROOT / "fixtures/legacy/mnist_towers/genuine/run/model.ckpt-24.meta"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limit is Linux's")


def limited(megabytes: int, command: str, cwd: Path, before: str = "") -> subprocess.CompletedProcess[str]:
    """Runs a command of tf2bridge that may have so much memory."""
    line = f"{before} ulimit -v {megabytes * 1024}; exec {sys.executable} -m tf2bridge {command}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3", "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(
        ["bash", "-c", line], check=False, capture_output=True, text=True, cwd=cwd, timeout=300, env=environment
    )


def check_said(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    *before, last = done.stderr.splitlines()
    assert last.startswith("tf2bridge: error: not enough memory (ulimit -v is "), done.stderr
    assert "give this process more, or name a smaller file" in last
    assert not [line for line in before if line.startswith("tf2bridge: error")]


def test_python_that_gets_no_memory(tmp_path: Path) -> None:
    (tmp_path / "models.py").write_text("def build():\n    return bytearray(8 << 30)\n")
    np.savez(tmp_path / "a.npz", weights=np.zeros(3, np.float32))
    check_said(limited(4000, "plan a.npz --into models:build", tmp_path))


@pytest.mark.parametrize("command", [f"replay {TRACE} --graph", f"export {META} out.pb --format frozen"])
def test_tensorflow_that_cannot_be_loaded(command: str, tmp_path: Path) -> None:
    check_said(limited(600, command, tmp_path))


def test_a_library_that_aborts(tmp_path: Path) -> None:
    (tmp_path / "models.py").write_text("import os\n\ndef build():\n    os.abort()\n")
    np.savez(tmp_path / "a.npz", weights=np.zeros(3, np.float32))
    check_said(limited(4000, "plan a.npz --into models:build", tmp_path))


def test_what_fits_runs_as_it_did(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", weights=np.zeros(3, np.float32))
    np.savez(tmp_path / "b.npz", weights=np.ones(3, np.float32))
    for command, status in (("compare a.npz a.npz", 0), ("compare a.npz b.npz", 1), ("inspect absent", 2)):
        for before in ("", "trap '' CHLD;"):
            assert limited(2000, command, tmp_path, before).returncode == status


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (MemoryError(), True),
        (OSError(12, "Cannot allocate memory"), True),
        (ImportError("libtensorflow_cc.so.2: failed to map segment from shared object"), True),
        (RuntimeError("can't start new thread"), True),
        (OSError(28, "No space left on device"), False),
        (ImportError("No module named 'tensorflow'"), False),
        (ValueError("std::bad_alloc"), False),
    ],
)
def test_which_errors_are_of_memory(error: Exception, expected: bool) -> None:
    assert is_out_of_memory(error) is expected
    outer = ValueError("cannot be read")
    outer.__cause__ = error
    assert is_out_of_memory(outer) is expected
