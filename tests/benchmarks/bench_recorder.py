"""What the recorder costs a program: one small training step, bare and recorded.

python -m pytest tests/benchmarks/bench_recorder.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tf2bridge.proof.recording.recorder import Recorder


@pytest.fixture
def step() -> Iterator[Callable[[], Any]]:
    import tensorflow as tf

    v1 = tf.compat.v1
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [None, 784])
        w = v1.get_variable("w", [784, 100], use_resource=True)
        loss = tf.reduce_mean(tf.matmul(x, w) ** 2)
        train = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
        batch = np.random.RandomState(0).rand(64, 784).astype(np.float32)
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            yield lambda: session.run([train, loss], {x: batch})


@pytest.mark.benchmark(group="step")
def bench_bare(step: Callable[[], Any], benchmark: Any) -> None:
    assert len(benchmark.pedantic(step, rounds=300, warmup_rounds=20)) == 2


@pytest.mark.benchmark(group="step")
def bench_recorded(step: Callable[[], Any], benchmark: Any, tmp_path: Path) -> None:
    recorder = Recorder(str(tmp_path / "t.trace"), str(Path(__file__).parent))
    recorder.install()
    try:
        assert len(benchmark.pedantic(step, rounds=300, warmup_rounds=20)) == 2
    finally:
        recorder.close()
