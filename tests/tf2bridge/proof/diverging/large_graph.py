"""Searches the first op that parts two programs whose calls make many large tensors, and tells the memory it took.

large_graph.py LAYERS MIB BOUND: so many tensors of so many MiB on either side, and the bound of a run and of what
stays in memory, in MiB. Writes a line of JSON: {op, cause, tensors, grown}: the bytes of all tensors of both sides, and
how far the process grew at its greatest beyond what it took before the search.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.proof.comparing.two_traces import compare
from tf2bridge.proof.diverging import looking
from tf2bridge.proof.diverging.search import search
from tf2bridge.proof.recording.recorder import Recorder
from tf2bridge.proof.traces.reader import Trace

v1 = tf.compat.v1
LAYERS, MIB, BOUND = map(int, sys.argv[1:])
WRONG = LAYERS * 3 // 5
ROWS = MIB * 256


def recorded(path: Path, factor: float) -> Trace:
    """A trace of a program of LAYERS tensors of [ROWS, 1024] float32, one of which is made with this factor."""
    recorder: Any = Recorder(str(path), str(path.parent), argv=["program"])
    recorder.install()
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 1], "x")
        net = x + tf.linspace(0.0, 1.0, 1024)
        for number in range(LAYERS):
            net = tf.multiply(net, factor if number == WRONG else 1.001, name=f"layer_{number}")
        loss = tf.reduce_mean(net, name="loss")
        session.run(loss, {x: np.random.RandomState(0).random_sample((ROWS, 1))})
    recorder.close()
    return Trace(path)


def memory(name: str) -> int:
    """Bytes, as the kernel tells them: VmRSS at present, VmHWM at most so far."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:"))


def main() -> None:
    looking.AT_ONCE = looking.IN_MEMORY = BOUND << 20
    with tempfile.TemporaryDirectory() as scratch:
        old, new = recorded(Path(scratch, "old.trace"), 1.001), recorded(Path(scratch, "new.trace"), 1.002)
        rows = compare(new, old).rows
        Path("/proc/self/clear_refs").write_text("5")  # VmHWM begins again (man proc_pid_clear_refs)
        before = memory("VmRSS")
        divergence = search(new, old, rows)
        assert divergence is not None
        message = {"op": divergence.op, "cause": divergence.cause, "tensors": 2 * LAYERS * ROWS * 1024 * 4}
        print(json.dumps(message | {"grown": memory("VmHWM") - before}))


main()
