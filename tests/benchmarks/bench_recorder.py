"""What the recorder costs a program: steps bare and recorded, in turns, here and under genuine TensorFlow 1.15.

python -m pytest -s tests/benchmarks/bench_recorder.py
python -m pytest -s tests/benchmarks/bench_recorder.py -k opening

The machine must do nothing else: a step uses all its cores, and so does what else runs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tests import oracles
from tests.tf2bridge.proof.recording.running import recorder
from tf2bridge.proof.traces.reader import Trace

STEPS = Path(__file__).with_name("recorded_steps.py")
# A step with its scalar loss, and a small convolutional network with all inner tensors: recorded in times of bare.
MOST = {"step": 1.2, "convnet": 2.0}


@pytest.mark.parametrize("release", ["", pytest.param("1.15.5", marks=pytest.mark.oracle)])
@pytest.mark.parametrize("kind", ["step", "convnet"])
def bench_recording(kind: str, release: str) -> None:
    python = oracles.interpreter(release) if release else sys.executable
    environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run(
        [python, "-W", "ignore", STEPS, recorder(), kind],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    report = json.loads(done.stdout.splitlines()[-1])
    ratio = report["recorded"] / report["bare"]
    print(
        f"\n{kind}, TensorFlow {release or 'here'}: {report['bare'] * 1e3:.2f} ms bare, "
        f"{report['recorded'] * 1e3:.2f} ms recorded ({ratio:.2f} times), {report['bytes']:,} bytes a step"
    )
    assert ratio < MOST[kind]


MANY = """
import sys
import numpy as np
from tf2bridge.proof.recording.recorder import Recorder
import tensorflow as tf
tf1 = tf.compat.v1
tf1.disable_v2_behavior()
x = tf1.placeholder(tf.float32, [10])
y = tf.reduce_sum(x * 2)
recorder = Recorder(sys.argv[1], ".")
recorder.install()
with tf1.Session() as session:
    for n in range(10000):
        session.run([y, x], {x: np.full(10, n)})
recorder.close()
"""


def bench_opening(tmp_path: Path) -> None:
    """A trace of 10,000 calls."""
    path = tmp_path / "many.trace"
    subprocess.run([sys.executable, "-W", "ignore", "-c", MANY, str(path)], capture_output=True, check=True)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        trace = Trace(path)
        times.append(time.perf_counter() - start)
        assert len(trace.calls) == 10000
        trace.close()
    print(f"\n10,000 calls, {path.stat().st_size:,} bytes: opened in {np.median(times):.2f} s")
    assert np.median(times) < 1.5
