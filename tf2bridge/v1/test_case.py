"""`tf.test.TestCase` of TF 1.x: its sessions run on the CPU unless a test asks for a GPU.

TensorFlow 2 made `use_gpu=True` the default of `session`, `cached_session` and `test_session` (test_util.py of both),
so ops of a test would lose their device, and compute with other kernels where there is a GPU.
"""

from __future__ import annotations

import functools
import os
from typing import Any

import tensorflow as tf

from tf2bridge.internals.framework import test_util
from tf2bridge.internals.ops import parallel_for_control_flow_ops as control_flow_ops
from tf2bridge.internals.ops import parallel_for_test_util as parallel_for


class TestCase(tf.test.TestCase):  # type: ignore[misc]  # TensorFlow has no types
    """A test case with the defaults of 1.15."""

    def session(self, graph: Any = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False) -> Any:
        """Returns a context manager of a new session."""
        return super().session(graph, config, use_gpu, force_gpu)

    def cached_session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> Any:
        """Returns a context manager of one session for the whole test."""
        return super().cached_session(graph, config, use_gpu, force_gpu)

    def test_session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> Any:
        """Does what `cached_session` does and, for another graph, `session`: an older name of both."""
        return super().test_session(graph, config, use_gpu, force_gpu)

    def assertProtoEquals(  # noqa: N802  # TensorFlow's own names
        self, expected_message_maybe_ascii: Any, message: Any, msg: Any = None
    ) -> None:
        """Fails where two protocol messages differ, the first of which may be text."""
        super().assertProtoEquals(expected_message_maybe_ascii, message, msg)

    def assertShapeEqual(self, np_array: Any, tf_tensor: Any, msg: Any = None) -> None:  # noqa: N802  # as above
        """Fails where an array and a tensor have other shapes."""
        super().assertShapeEqual(np_array, tf_tensor, msg)


class PForTestCase(parallel_for.PForTestCase):  # type: ignore[misc]  # as above
    """The base of tests of `pfor`, which compares without tolerances of its own."""

    def _test_loop_fn(
        self, loop_fn: Any, iters: Any, loop_fn_dtypes: Any = tf.float32, parallel_iterations: int | None = None
    ) -> None:
        parallel = control_flow_ops.pfor(loop_fn, iters=iters, parallel_iterations=parallel_iterations)
        one_by_one = control_flow_ops.for_loop(
            loop_fn, loop_fn_dtypes, iters=iters, parallel_iterations=parallel_iterations
        )
        self.run_and_assert_equal(parallel, one_by_one)


def run_in_graph_and_eager_modes(
    func: Any = None,
    config: Any = None,
    use_gpu: bool = True,
    reset_test: bool = True,
    assert_no_eager_garbage: bool = False,
) -> Any:
    """`test_util.run_in_graph_and_eager_modes` of 1.15; `reset_test` is what TensorFlow 2 always does."""
    del reset_test
    return test_util.run_in_graph_and_eager_modes(func, config, use_gpu, assert_no_eager_garbage)


def use_deterministic_cudnn(func: Any = None) -> Any:
    """Returns the decorator of a test method that runs with TF_CUDNN_DETERMINISTIC=true."""
    if func is None:
        return use_deterministic_cudnn

    @functools.wraps(func)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        before = os.environ.get("TF_CUDNN_DETERMINISTIC", "")
        os.environ["TF_CUDNN_DETERMINISTIC"] = "true"
        try:
            return func(*args, **kwargs)
        finally:
            os.environ["TF_CUDNN_DETERMINISTIC"] = before

    return decorated
