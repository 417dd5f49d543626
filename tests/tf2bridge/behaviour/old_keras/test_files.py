"""Files of Keras models go from genuine TensorFlow 1.15.5 to tf_keras and back, with their optimizer's state."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[4]
FILES = ROOT / "fixtures" / "keras_files"
SCRIPT = ROOT / "fixtures" / "keras_files.py"
sys.path.insert(0, str(ROOT / "fixtures" / "conformance"))
from record import QUIET, interpreter  # noqa: E402  # beside the data it makes


def python(executable: str | Path, *arguments: str) -> str:
    env = {**QUIET, "PYTHONPATH": str(ROOT)} if executable == sys.executable else QUIET
    command = [str(executable), str(SCRIPT), *arguments]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def check_read(actual: dict[str, Any], folder: Path) -> None:
    """Each way of reading predicts what was written; the whole model goes on with the optimizer's state."""
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    for way in ("whole", "h5", "names", "tf"):
        np.testing.assert_allclose(actual[way], expected["predicted"], rtol=1e-5, err_msg=way)
    for part in ("next", "after"):
        np.testing.assert_allclose(actual[part], expected[part], rtol=1e-5, err_msg=part)
    np.testing.assert_allclose(actual["from configuration"], expected["after"], rtol=1e-5)
    assert actual["optimizer"][:2] == ["training/Adam/iter:0", "training/Adam/embedding/embeddings/m:0"]


def test_genuine_files_are_read() -> None:
    read = python(sys.executable, "read", str(FILES), "tf2bridge.v1")
    check_read(json.loads(read.rpartition("===")[2]), FILES)


@pytest.mark.oracle
def test_genuine_tensorflow_reads_ours(tmp_path: Path) -> None:
    genuine = interpreter("1.15.5/keras_files")
    if not genuine.exists():
        pytest.skip(f"no TensorFlow 1.15.5 at {genuine}: run fixtures/oracles.sh")
    python(sys.executable, "write", str(tmp_path), "tf2bridge.v1")
    read = python(genuine, "read", str(tmp_path), "tensorflow")
    check_read(json.loads(read.rpartition("===")[2]), tmp_path)
