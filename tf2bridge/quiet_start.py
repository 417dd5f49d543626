"""Keeps the notices of TensorFlow's start (CPU features, oneDNN, CUDA) out of a command's standard error.

TF_CPP_MIN_LOG_LEVEL does not suffice: while its libraries are loaded, TensorFlow 2.21 logs before it reads this
variable. So standard error goes through a filter as long as `import tensorflow` lasts. The filter is a process of its
own: it shows the last line also if TensorFlow ends this process, as it does on a processor without AVX.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from codemods.systems import IS_LINUX

VARIABLE = "TF_CPP_MIN_LOG_LEVEL"
LEVEL = "2"
"""Errors are shown; notices and warnings are not."""
_ENDS_S = 10
"""Seconds that the filter gets to write its last lines."""


def choose() -> None:
    """Silences notices of TensorFlow in this process and its children, unless the user has set the variable.

    Call it before TensorFlow is imported.
    """
    level = os.environ.setdefault(VARIABLE, LEVEL)
    if level in ("1", "2", "3") and "tensorflow" not in sys.modules:
        sys.meta_path.insert(0, _QuietImport(level))


class _QuietImport:
    """Finds `tensorflow` as Python does, and filters standard error while it is imported."""

    def __init__(self, level: str) -> None:
        self._level = level

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if name != "tensorflow":
            return None
        spec = PathFinder.find_spec(name)
        if spec is None or spec.loader is None:
            return None
        loader: Any = spec.loader
        execute = loader.exec_module

        def execute_quietly(module: ModuleType) -> None:
            loader.exec_module = execute
            with contextlib.suppress(ValueError):
                sys.meta_path.remove(self)
            with _filtered(self._level):
                execute(module)
                _find_gpus(module)

        loader.exec_module = execute_quietly
        return spec


@contextlib.contextmanager
def _filtered(level: str) -> Iterator[None]:
    try:
        stderr = os.dup(2)
    except OSError:  # standard error is closed
        yield
        return
    try:
        command = [sys.executable, "-I", "-S", str(Path(__file__).with_name("start_filter.py")), level]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    except OSError:
        os.close(stderr)
        yield
        return
    assert process.stdin is not None
    _flush()
    os.dup2(process.stdin.fileno(), 2)
    try:
        yield
    finally:
        _flush()
        os.dup2(stderr, 2)
        os.close(stderr)
        process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_ENDS_S)


def _flush() -> None:
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.flush()


def _find_gpus(tensorflow: ModuleType) -> None:
    """Lets TensorFlow look for GPUs while its log is filtered, if there is no CUDA driver: it logs that as an error."""
    if not IS_LINUX:  # no other system has a TensorFlow 2.21 with CUDA
        return
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        tensorflow.config.list_physical_devices("GPU")
