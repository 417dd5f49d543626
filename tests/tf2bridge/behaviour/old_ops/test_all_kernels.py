"""Kernels of TensorFlow 2 differ from the genuine ones where fixtures/kernels/differences.json says so, and no further.

fixtures/kernels/compute.py computed the cases in 1.15.5, and those that they have in older releases.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

KERNELS = Path(__file__).resolve().parents[4] / "fixtures" / "kernels"
KNOWN = json.loads((KERNELS / "differences.json").read_text())
LEEWAY = 8
"""Units of the last place: vectors of another width add in another order."""


@pytest.mark.parametrize("step", [16, pytest.param(1, marks=pytest.mark.soak)])
def test_no_kernel_differs_further(step: int, tmp_path: Path) -> None:
    output = tmp_path / "differences.json"
    command = [sys.executable, str(KERNELS / "compute.py"), "differences", str(output), str(step)]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    further = {}
    for part, releases in json.loads(output.read_text()).items():
        for release, rows in releases.items():
            for name, (units, others) in rows.items():
                known_units, known_others = KNOWN[part][release].get(name, (0, 0))
                if units > known_units + LEEWAY or others > known_others:
                    further[part, release, name] = (units, others), (known_units, known_others)
    assert not further
