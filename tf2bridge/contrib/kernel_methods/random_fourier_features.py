"""`RandomFourierFeatureMapper`: features whose products are a Gaussian kernel."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.kernel_methods.dense_kernel_mapper import DenseKernelMapper, InvalidShapeError


class RandomFourierFeatureMapper(DenseKernelMapper):
    """Maps to `output_dim` cosines of random frequencies, for the Gaussian kernel of width `stddev`."""

    def __init__(
        self, input_dim: int, output_dim: int, stddev: float = 1.0, seed: int = 1, name: str | None = None
    ) -> None:
        self._input_dim, self._output_dim = input_dim, output_dim
        self._stddev, self._seed, self._name = stddev, seed, name

    @property
    def name(self) -> str:
        """The name that was given, or the identity of the object."""
        return self._name or str(id(self))

    @property
    def input_dim(self) -> int:
        """The size of the input vectors."""
        return self._input_dim

    @property
    def output_dim(self) -> int:
        """The number of features."""
        return self._output_dim

    def map(self, input_tensor: Any) -> Any:
        """Returns the features, [batch, output_dim]. Raises InvalidShapeError unless it is given [batch, input_dim]."""
        shape = input_tensor.shape
        if shape.rank != 2 or shape.as_list()[1] != self._input_dim:
            raise InvalidShapeError(f"the tensor has shape {shape}; it must be [batch, {self._input_dim}]")
        # The global generator is seeded, as 1.15.5 does: what a program draws afterwards follows from it.
        np.random.seed(self._seed)
        frequencies = np.random.normal(scale=1.0 / self._stddev, size=[self._input_dim, self._output_dim])
        phases = np.random.uniform(low=0.0, high=2 * np.pi, size=[self._output_dim])
        matrix = tf.constant(frequencies, dtype=tf.float32)
        bias = tf.constant(phases, dtype=tf.float32)
        return math.sqrt(2.0 / self._output_dim) * tf.cos(tf.add(tf.matmul(input_tensor, matrix), bias))
