"""The direction in which the difference of both sides grows, by TensorFlow's gradients."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.proof.comparing.inputs import given_batch
from tf2bridge.proof.numbers.pieces import Array
from tf2bridge.proof.worst.measuring import Both
from tf2bridge.proof.worst.points import Point


@dataclass(frozen=True)
class Slope:
    """A place to climb from.

    Attributes:
        directions: input -> direction, for the inputs that have one.
        is_flat: for each example, by the first dimension of the output, whether both sides are equal there.
    """

    directions: Mapping[str, Array]
    is_flat: Array


NO_SLOPE = Slope({}, np.zeros(0, bool))


class Slopes:
    """Computes directions; `reached` holds the inputs that a gradient reached, `refused` why there was none.

    The differences are taken in float64, so that those of rounding have a direction, too. Each example, by the first
    dimension of an output, climbs on its own: its difference is divided by its greatest element. An example without any
    difference climbs a random mixture of the output of side A, which leads to other parts of the model.
    """

    def __init__(self, both: Both, random: np.random.Generator) -> None:
        self._both, self._random = both, random
        self.reached: set[str] = set()
        self.refused: Counter[str] = Counter()

    def at(self, point: Point, names: Sequence[str], output: int, is_sharp: bool) -> Slope:
        """Returns the slope of a point.

        Args:
            point: where.
            names: the inputs that may be moved, all of them floating numbers.
            output: the place of the output whose difference is to grow.
            is_sharp: True to climb the greatest element of each example, False to climb the sum of all squares.
        """
        try:
            gradients, is_flat = self._gradients(point, names, output, is_sharp)
        except Exception as error:  # of whatever kind TensorFlow, Keras or a user's layer raises
            reason = next((line for line in str(error).splitlines() if line.strip()), "")[:200]
            self.refused[f"{type(error).__name__}: {reason}"] += 1
            return NO_SLOPE
        directions = {
            name: np.nan_to_num(_as_array(gradient, point[name]))
            for name, gradient in zip(names, gradients, strict=True)
            if gradient is not None
        }
        self.reached.update(directions)
        return Slope({name: direction for name, direction in directions.items() if direction.any()}, is_flat)

    def _gradients(
        self, point: Point, names: Sequence[str], output: int, is_sharp: bool
    ) -> tuple[Sequence[Any], Array]:
        moved = {name: tf.constant(point[name]) for name in names}
        batch = given_batch(point, self._both.ports)
        with tf.GradientTape() as tape:
            tape.watch(list(moved.values()))
            results = []
            for place, (runner, feeds) in enumerate(zip(self._both.runners, (batch.a, batch.b), strict=True)):
                name = self._both.pairs[output][place]
                results.append(runner.tensors(self._with(feeds, moved, place), [name])[name])
            ours, theirs = results
            if not (ours.dtype.is_floating and theirs.dtype.is_floating):
                return [None] * len(names), NO_SLOPE.is_flat
            height, is_flat = self._height(tf.cast(ours, tf.float64), tf.cast(theirs, tf.float64), is_sharp)
        return tape.gradient(height, list(moved.values())), np.asarray(is_flat)

    def _with(self, feeds: Mapping[str, Array], moved: Mapping[str, Any], place: int) -> dict[str, Any]:
        """Returns the feeds of a side as tensors, the watched ones among them."""
        result: dict[str, Any] = {name: tf.convert_to_tensor(array) for name, array in feeds.items()}
        for pair in self._both.ports:
            port = (pair.a, pair.b)[place]
            if port is not None and pair.label in moved and port.name in feeds:
                tensor = moved[pair.label]
                result[port.name] = tf.cast(tensor, port.dtype) if port.dtype else tensor
        return result

    def _height(self, ours: Any, theirs: Any, is_sharp: bool) -> tuple[Any, Any]:
        """Returns a number that grows with the difference of each example, and which examples have none."""
        gap = theirs - ours
        examples = tf.shape(gap)[0] if gap.shape.rank else 1
        gap = tf.reshape(tf.where(tf.math.is_finite(gap), gap, tf.zeros_like(gap)), [examples, -1])
        flat = tf.reshape(ours, [examples, -1])
        greatest = tf.stop_gradient(tf.reduce_max(tf.abs(gap), axis=1, keepdims=True))
        size = tf.stop_gradient(tf.reduce_max(tf.abs(flat), axis=1, keepdims=True))
        mixture = tf.constant(self._random.standard_normal(flat.shape.as_list()))
        probe = tf.reduce_sum(mixture * flat / tf.maximum(size, _LEAST), axis=1)
        scaled = gap / tf.maximum(greatest, _LEAST)
        climbed = tf.reduce_max(tf.abs(scaled), axis=1) if is_sharp else tf.reduce_sum(scaled * scaled, axis=1)
        is_flat = greatest[:, 0] == 0
        return tf.reduce_sum(tf.where(is_flat, probe, climbed)), is_flat


_LEAST = 1e-300
"""Keeps a division by 0 away; the smallest float32 is far above."""


def _as_array(gradient: Any, like: Array) -> Array:
    """Returns the gradient as an array of the input's shape, also if TensorFlow gives only the rows that were looked
    up.
    """
    return np.asarray(tf.convert_to_tensor(gradient)).astype(np.float64).reshape(like.shape)
