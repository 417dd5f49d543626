"""Shapes that `BatchReshape` takes and refuses: the answers are those of TensorFlow 1.15.5, given the same."""

from __future__ import annotations

import pytest
import tensorflow as tf

from tf2bridge.contrib.distributions.batch_reshape import BatchReshape

v1 = tf.compat.v1


@pytest.mark.parametrize("shape", [[-1, 0], [0, -1]])
def test_a_size_of_zero_is_refused(shape: list[int]) -> None:
    with v1.Graph().as_default(), pytest.raises(ValueError, match="elements must be >=-1"):
        BatchReshape(v1.distributions.Normal(tf.zeros([4]), 1.0), shape)


@pytest.mark.parametrize(("shape", "static"), [([-2, 2], [None, 2]), ([-1, -1], [None, None]), ([4, -5], [4, None])])
def test_every_negative_size_is_one_that_is_not_known_yet(shape: list[int], static: list[int | None]) -> None:
    with v1.Graph().as_default():
        reshaped = BatchReshape(v1.distributions.Normal(tf.zeros([4]), 1.0), shape)
        assert reshaped.batch_shape.as_list() == static
