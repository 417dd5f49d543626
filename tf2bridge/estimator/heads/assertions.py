"""The checks that tests of heads use from head_utils of 1.15. `test_case` is a TestCase of TensorFlow."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1
_DEFAULT_SERVING_KEY = tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY


def initialize_variables(test_case: Any, scaffold: Any) -> None:
    """Runs the initializers of a scaffold in the default session and checks that all variables are ready then."""
    scaffold.finalize()
    test_case.assertIsNone(scaffold.init_feed_dict)
    test_case.assertIsNone(scaffold.init_fn)
    test_case.assertIsNotNone(scaffold.saver)
    scaffold.init_op.run()
    scaffold.ready_for_local_init_op.eval()
    scaffold.local_init_op.run()
    scaffold.ready_op.eval()


def assert_simple_summaries(test_case: Any, expected_summaries: Any, summary_str: bytes, tol: float = 1e-6) -> None:
    """Checks the numbers of a serialized Summary by their tags."""
    numbers = {value.tag: value.simple_value for value in v1.Summary.FromString(summary_str).value}
    test_case.assertAllClose(expected_summaries, numbers, rtol=tol, atol=tol)


def assert_no_hooks(test_case: Any, spec: Any) -> None:
    """Checks that an EstimatorSpec brings no hooks for training."""
    for hooks in (spec.training_chief_hooks, spec.training_hooks):
        test_case.assertAllEqual([], hooks)
