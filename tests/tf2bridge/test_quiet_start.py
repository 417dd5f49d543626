"""TensorFlow's notices of its start do not stand between a user and the result of a command. Its errors do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tf2bridge.start_filter import is_shown

ROOT = Path(__file__).parents[2]
LOGGED = ("absl::InitializeLog", "cudart_stub", "cpu_feature_guard", "port.cc", "cuInit", "TensorRT", "0000 00:00")
CPU = b"I0000 00:00:1795777118.518018   31164 cpu_feature_guard.cc:227] This TensorFlow binary is optimized\n"
CUDA = b"E0000 00:00:1795777119.857868   31164 cuda_platform.cc:52] failed call to cuInit: UNKNOWN ERROR (303)\n"
BROKEN = b"E0000 00:00:1795777119.857868   31164 cuda_platform.cc:52] failed call to cuInit: UNKNOWN ERROR (999)\n"
AVX = b"F0000 00:00:1795777118.518018   31164 cpu_feature_guard.cc:99] compiled to use AVX instructions\n"
CUDA_2_20 = b"2026-01-02 12:50:46.307710: E cuda_platform.cc:51] failed call to cuInit: UNKNOWN ERROR (303)\n"
BROKEN_2_20 = b"2026-01-02 12:50:46.307710: E cuda_platform.cc:51] failed call to cuInit: UNKNOWN ERROR (999)\n"


def standard_error(*command: str, **environment: str) -> str:
    """Runs Python in a clean environment and returns what it printed on standard error."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TF_")}
    done = subprocess.run(
        [sys.executable, *command],
        env={**clean, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def logged(text: str) -> list[str]:
    return [line for line in text.splitlines() if any(name in line for name in LOGGED)]


def test_the_filter_hides_notices_and_shows_errors() -> None:
    assert [is_shown(line, 2) for line in (CPU, CUDA, BROKEN, AVX, b"a warning of Python\n")] == [0, 0, 1, 1, 1]
    assert [is_shown(line, 2) for line in (CUDA_2_20, BROKEN_2_20)] == [0, 1]
    assert [is_shown(line, 3) for line in (BROKEN, AVX)] == [0, 1]


def test_compare_prints_no_log_line(tmp_path: Path) -> None:
    (tmp_path / "models.py").write_text(
        "import tensorflow as tf\n\n\ndef old():\n    return {'x': (tf.ones([2, 2]) @ tf.ones([2, 2])).numpy()}\n"
    )
    model = ("models:old", "models:old")
    path = os.pathsep.join((str(tmp_path), str(ROOT)))
    assert not logged(standard_error("-m", "tf2bridge", "compare", *model, PYTHONPATH=path))
    shown = logged(standard_error("-m", "tf2bridge", "compare", *model, PYTHONPATH=path, TF_CPP_MIN_LOG_LEVEL="0"))
    assert shown  # the user's own setting wins


def test_migrate_prints_no_log_line(tmp_path: Path) -> None:
    source = ROOT / "fixtures" / "legacy" / "mnist_towers"
    printed = standard_error("-m", "tf2bridge", "migrate", str(source), "--output", str(tmp_path / "new"))
    assert not logged(printed)
    assert printed.splitlines()[-1].startswith("written: ")


@pytest.mark.parametrize("ending", ["os._exit(0)", "pass"])
def test_what_is_printed_during_the_import_is_shown(ending: str, tmp_path: Path) -> None:
    package = tmp_path / "tensorflow"
    package.mkdir()
    lines = [CPU, BROKEN, AVX]
    (package / "__init__.py").write_text(
        f"import os\nfor line in {lines!r}:\n    os.write(2, line)\n{ending}\n"
        "class config:\n    list_physical_devices = print\n"
    )
    code = "from tf2bridge import quiet_start; quiet_start.choose(); import tensorflow"
    path = os.pathsep.join((str(tmp_path), str(ROOT)))
    assert standard_error("-c", code, PYTHONPATH=path).encode() == BROKEN + AVX
