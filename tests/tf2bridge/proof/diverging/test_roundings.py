"""Differences that no single op makes: what an optimizer of graphs rewrites, and rounding that grows over the calls."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tf2bridge.graph.legacy_session import config_of
from tf2bridge.proof.comparing.two_traces import compare
from tf2bridge.proof.diverging.divergence import Divergence
from tf2bridge.proof.diverging.refusals import NoSearchError
from tf2bridge.proof.diverging.search import search
from tf2bridge.proof.numbers.tolerance import DEFAULT, EXACT, Tolerance
from tf2bridge.proof.recording.recorder import Recorder
from tf2bridge.proof.traces.reader import Trace

v1 = tf.compat.v1
IMAGES = np.random.RandomState(1).randn(2, 16, 16, 3)


def recorded(path: Path, program: Callable[[Any], None], config: Any = None) -> Trace:
    """The trace of a program that runs a session."""
    recorder: Any = Recorder(str(path), str(path.parent), argv=["program"])
    recorder.install()
    try:
        with tf.Graph().as_default(), v1.Session(config=config) as session:
            program(session)
    finally:
        recorder.close()
    return Trace(path)


def searched(old: Trace, new: Trace, tolerance: Tolerance) -> Divergence | None:
    return search(new, old, compare(new, old, tolerance).rows, tolerance)


def scaled_twice(x: Any) -> tuple[Any, Any]:
    """Grappler makes one multiplication of both."""
    inner = tf.multiply(x, 0.1, name="inner")
    return inner, tf.multiply(inner, 0.3, name="y")


def normalized(x: Any) -> tuple[Any, Any]:
    """Grappler makes one kernel of both."""
    draw = np.random.RandomState(2)
    kernel = tf.constant(draw.rand(3, 3, 3, 8) - 0.5, tf.float32)
    inner = tf.nn.conv2d(x, kernel, 1, "SAME", name="inner")
    vectors = [tf.constant(draw.rand(8) + 0.5, tf.float32) for _ in range(4)]
    return inner, v1.nn.fused_batch_norm(inner, *vectors, is_training=False, name="y")[0]


def swish(x: Any) -> tuple[Any, Any]:
    """oneDNN has one kernel for both."""
    inner = tf.sigmoid(x, name="inner")
    return inner, tf.multiply(x, inner, name="y")


HAS_ONE_DNN = platform.machine() == "x86_64" and os.environ.get("TF_ENABLE_ONEDNN_OPTS") != "0"


@pytest.mark.parametrize(
    "model",
    [
        scaled_twice,
        normalized,
        pytest.param(swish, marks=pytest.mark.skipif(not HAS_ONE_DNN, reason="there is no oneDNN here")),
    ],
    ids=lambda model: model.__name__,
)
def test_what_is_fused_in_one_program_alone(model: Callable[[Any], tuple[Any, Any]], tmp_path: Path) -> None:
    """The new program also checks the value between two ops, so that these stay two; all ops are the same."""

    def program(session: Any, checked: bool) -> None:
        x = v1.placeholder(tf.float32, IMAGES.shape, "x")
        inner, y = model(x)
        more = tf.group(tf.debugging.check_numerics(inner, "inner")) if checked else tf.no_op()
        session.run([y, more], {x: IMAGES})

    old = recorded(tmp_path / "old.trace", lambda session: program(session, False))
    new = recorded(tmp_path / "new.trace", lambda session: program(session, True))
    divergence = searched(old, new, EXACT)
    assert divergence is not None
    assert divergence.evidence.alone
    assert divergence.op == "y"
    assert (divergence.cause or "").startswith("fusion: the difference is gone when each op runs by itself")


def test_a_session_that_was_recorded_without_rewriting_is_unlike_the_graph_itself(tmp_path: Path) -> None:
    def program(session: Any) -> None:
        x = v1.placeholder(tf.float32, IMAGES.shape, "x")
        session.run(scaled_twice(x)[1], {x: IMAGES})

    old = recorded(tmp_path / "old.trace", program, config_of(exact=True))
    with pytest.raises(NoSearchError, match="the recorded graph itself gives another y:0 in call 0"):
        searched(old, recorded(tmp_path / "new.trace", program), EXACT)


def test_rounding_that_grew_is_no_op(tmp_path: Path) -> None:
    """The logistic map written in two ways: the difference doubles with each call (Ott, sect. 2.2)."""

    def program(session: Any, step: Callable[[Any], Any]) -> None:
        x = v1.get_variable("x", [], initializer=v1.constant_initializer(0.3), use_resource=False)
        update = v1.assign(x, step(x), name="update")
        session.run(v1.global_variables_initializer())
        for _ in range(30):
            session.run(update)

    old = recorded(tmp_path / "old.trace", lambda session: program(session, lambda x: 4.0 * x * (1.0 - x)))
    new = recorded(tmp_path / "new.trace", lambda session: program(session, lambda x: 4.0 * (x - x * x)))
    with pytest.raises(NoSearchError, match=r"update:0 differs by what rounding has grown to"):
        searched(old, new, DEFAULT)


def test_a_variable_that_is_read_while_it_changes_is_a_race(tmp_path: Path) -> None:
    """As in mini-batch k-means of contrib: counts are gathered beside the scatter_add that raises them."""

    def program(session: Any, is_raised_first: bool) -> None:
        counts = v1.get_variable("counts", [3], initializer=v1.zeros_initializer(), use_resource=False)
        total = v1.get_variable("total", [3], initializer=v1.zeros_initializer(), use_resource=False)
        late = x = v1.placeholder(tf.float32, [700, 700], "x")
        for _ in range(8):  # what is added comes long after all that could be read at once
            late = tf.matmul(late, x) / 700.0
        raised = v1.scatter_add(counts, [0, 1, 2], [tf.sign(tf.reduce_sum(late))] * 3)
        with tf.control_dependencies([raised] if is_raised_first else []):
            old = tf.gather(counts, [0, 1, 2])
        total = v1.assign_add(total, old + 1.0, name="counted")
        session.run(v1.global_variables_initializer())
        session.run([raised.op, total], {x: np.ones([700, 700])})

    old = recorded(tmp_path / "old.trace", lambda session: program(session, False))
    divergence = searched(old, recorded(tmp_path / "new.trace", lambda session: program(session, True)), DEFAULT)
    assert divergence is not None
    assert (divergence.cause or "").startswith("race: ")
    assert "counts, which the same call changes" in (divergence.cause or "")
