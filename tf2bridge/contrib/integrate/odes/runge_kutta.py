"""One step of Dormand and Prince's Runge-Kutta method, its error, and the polynomial between its ends.

The coefficients are those of Shampine, "Some Practical Runge-Kutta Formulas", Mathematics of Computation 46, 1986,
section 4, with which TensorFlow 1.15.5 computes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1
Derivative = Callable[[Any, Any], Any]

TIMES = (1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
STAGES: tuple[tuple[float, ...], ...] = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
MIDDLE = (
    6025192743 / 30085553152 / 2,
    0,
    51252292925 / 65400821598 / 2,
    -2691868925 / 45128329728 / 2,
    187940372067 / 1594534317056 / 2,
    -1776094331 / 19743644256 / 2,
    11237099 / 235043384 / 2,
)
_FOURTH_ORDER = (1951 / 21600, 0, 22642 / 50085, 451 / 720, -12231 / 42400, 649 / 6300, 1 / 60)
ERROR = tuple(other - last for other, last in zip(_FOURTH_ORDER, (*STAGES[-1], 0), strict=True))


def runge_kutta_step(func: Derivative, y0: Any, f0: Any, t0: Any, dt: Any) -> tuple[Any, Any, Any, list[Any]]:
    """Returns the state and the derivative after `dt`, the error of the state, and the seven derivatives used."""
    with v1.name_scope(None, "runge_kutta_step", [y0, f0, t0, dt]) as scope:
        y0, f0 = tf.convert_to_tensor(y0, name="y0"), tf.convert_to_tensor(f0, name="f0")
        t0, dt = tf.convert_to_tensor(t0, name="t0"), tf.convert_to_tensor(dt, name="dt")
        step = tf.cast(dt, y0.dtype)
        derivatives = [f0]
        state = y0
        for time, weights in zip(TIMES, STAGES, strict=True):
            moment = t0 + time * dt
            state = y0 + _scaled_dot(step, weights, derivatives)
            derivatives.append(func(state, moment))
        # The last stage is the solution of fifth order itself.
        y1 = tf.identity(state, name=f"{scope}/y1")
        f1 = tf.identity(derivatives[-1], name=f"{scope}/f1")
        return y1, f1, _scaled_dot(step, ERROR, derivatives, f"{scope}/y1_error"), derivatives


def _scaled_dot(scale: Any, weights: Sequence[float], tensors: Iterable[Any], name: str | None = None) -> Any:
    with v1.name_scope(name, "scaled_dot_product", [scale]) as scope:
        products = [(scale * weight) * tensor for weight, tensor in zip(weights, tensors, strict=True) if weight != 0]
        return tf.add_n(products, name=scope)


def _dot(weights: Iterable[Any], tensors: Iterable[Any]) -> Any:
    with v1.name_scope(None, "dot_product") as scope:
        return tf.add_n([weight * tensor for weight, tensor in zip(weights, tensors, strict=True)], name=scope)


def interpolation(y0: Any, y1: Any, derivatives: Sequence[Any], dt: Any) -> list[Any]:
    """Returns the five coefficients, the highest first, of the polynomial over [0, 1] through a step.

    It has the values and derivatives of both ends, and the value of the middle.
    """
    with v1.name_scope("interp_fit_rk"):
        step = tf.cast(dt, y0.dtype)
        middle = y0 + _scaled_dot(step, MIDDLE, derivatives)
        f0, f1 = derivatives[0], derivatives[-1]
        known = [f0, f1, y0, y1, middle]
        return [
            _dot([-2 * step, 2 * step, -8, -8, 16], known),
            _dot([5 * step, -3 * step, 18, 14, -32], known),
            _dot([-4 * step, step, -11, -5, 16], known),
            step * f0,
            y0,
        ]


def interpolated(coefficients: Sequence[Any], t0: Any, t1: Any, t: Any) -> Any:
    """Returns the value of the polynomial over [`t0`, `t1`] at the time `t`. Outside, the session raises an error."""
    with v1.name_scope("interp_evaluate"):
        t0, t1, t = tf.convert_to_tensor(t0), tf.convert_to_tensor(t1), tf.convert_to_tensor(t)
        dtype = coefficients[0].dtype
        text = "invalid interpolation, fails `t0 <= t <= t1`:"
        check = v1.Assert((t0 <= t) & (t <= t1), [text, t0, t, t1])
        with tf.control_dependencies([check]):
            place = tf.cast((t - t0) / (t1 - t0), dtype)
        powers = [tf.constant(1, dtype), place]
        for _ in range(2, len(coefficients)):
            powers.append(powers[-1] * place)
        return _dot(coefficients, reversed(powers))
