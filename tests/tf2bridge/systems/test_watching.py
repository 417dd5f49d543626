"""A verdict counts only if the work came to its end, also where no process can be forked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from tests.other_systems import simulated
from tests.other_systems.simulated import OTHERS, ROOT

ENDS = "import os\ndef values():\n    os._exit(0)\n"
WAITS = "import pathlib, time\ndef values():\n    pathlib.Path('begun').touch()\n    time.sleep(1000)\n"
STARTED = (
    "import sys\nfrom tf2bridge.systems import starting, watching\n"
    "print(watching.started([*starting.command('tf2bridge.cli'), *sys.argv[1:]]))\n"
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    np.savez(tmp_path / "a.npz", w=np.arange(3.0, dtype=np.float32))
    np.savez(tmp_path / "b.npz", w=np.arange(3.0, dtype=np.float32) + 1)
    (tmp_path / "ends.py").write_text(ENDS)
    (tmp_path / "waits.py").write_text(WAITS)
    return tmp_path


@pytest.mark.parametrize("system", OTHERS)
@pytest.mark.parametrize(("other", "status"), [("a.npz", 0), ("b.npz", 1), ("none.npz", 2)])
def test_the_status_is_that_of_the_work(system: str, other: str, status: int, place: Path) -> None:
    done = simulated.run(system, "-m", "tf2bridge", "compare", "a.npz", other, cwd=place)
    assert done.returncode == status
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("system", OTHERS)
def test_work_that_ends_the_process_has_no_verdict(system: str, place: Path) -> None:
    done = simulated.run(system, "-m", "tf2bridge", "compare", "a.npz", "ends:values", cwd=place)
    assert done.returncode == 2
    assert b"ended the process with status 0, before there was a verdict" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
def test_a_signal_to_end_is_passed_on(place: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", STARTED, "compare", "a.npz", "waits:values"]
    process = subprocess.Popen(command, cwd=place, env=environment, stdout=subprocess.PIPE)
    stop = threading.Timer(120, process.kill)
    stop.start()
    while not (place / "begun").exists() and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    result, _ = process.communicate()
    stop.cancel()
    assert result == f"Ended(status={-signal.SIGTERM}, verdict=None)\n".encode()
