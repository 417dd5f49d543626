"""The numbers of the releases again, as other processors compute them.

oneDNN's matrix products, which TensorFlow since 1.13 calls within Eigen's, and NumPy choose their kernels by the
processor. A processor can be told to choose as one that has fewer instructions.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
NUMBERS = ("tests/tf2bridge/graph/test_recorded_graphs.py", "tests/tf2bridge/test_conformance.py")
WITH_ONEDNN = {"TENSORFLOW_USE_CUSTOM_CONTRACTION_KERNEL": "true"}
PROCESSORS = {
    **{isa: {"ONEDNN_MAX_CPU_ISA": isa} for isa in ("SSE41", "AVX2", "AVX512_CORE", "AVX512_CORE_VNNI", "DEFAULT")},
    "numpy": {"NPY_DISABLE_CPU_FEATURES": " ".join(np.show_config("dicts")["SIMD Extensions"].get("found", []))},
}


@pytest.mark.soak
@pytest.mark.parametrize("processor", PROCESSORS)
def test_the_numbers_of_the_releases(processor: str) -> None:
    environment = {**os.environ, **WITH_ONEDNN, **PROCESSORS[processor], "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "-m", "not oracle and not soak", "-W", "ignore", *NUMBERS],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
