"""Integration with steps of adapted size."""

from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf

from tf2bridge.contrib.integrate.odes.checks import check_types, increasing
from tf2bridge.contrib.integrate.odes.runge_kutta import Derivative, interpolated, interpolation, runge_kutta_step

v1 = tf.compat.v1


class _State(NamedTuple):
    """The last step: state and derivative at its end, its times, the size of the next, and its polynomial."""

    y1: Any
    f1: Any
    t0: Any
    t1: Any
    dt: Any
    coefficients: Any


class _History(NamedTuple):
    """The times up to which steps were tried, and the ratio of each one's error to the tolerance."""

    integrate_points: Any
    error_ratio: Any


def odeint(
    func: Derivative,
    y0: Any,
    t: Any,
    rtol: Any = 1e-6,
    atol: Any = 1e-12,
    method: str | None = None,
    options: dict[str, Any] | None = None,
    full_output: bool = False,
    name: str | None = None,
) -> Any:
    """Returns the solution of dy/dt = `func(y, t)` at the times `t`, [times, ...], which begins with `y0`, [...].

    The method is "dopri5"; `options` may hold first_step, safety, ifactor, dfactor and max_num_steps. With
    `full_output` a dictionary of num_func_evals, integrate_points and error_ratio is returned as well. Raises
    ValueError for another method or options without one, TypeError for other dtypes.
    """
    if method is not None and method != "dopri5":
        raise ValueError(f"the method is {method!r}; it must be 'dopri5'")
    if options is not None and method is None:
        raise ValueError("options are given without a method; give method='dopri5'")
    with v1.name_scope(name, "odeint", [y0, t, rtol, atol]) as scope:
        y0 = tf.convert_to_tensor(y0, name="y0")
        t = v1.convert_to_tensor(t, preferred_dtype=tf.float64, name="t")
        check_types(y0, t)
        dtype = abs(y0).dtype
        tolerances = (
            tf.convert_to_tensor(rtol, dtype=dtype, name="rtol"),
            tf.convert_to_tensor(atol, dtype=dtype, name="atol"),
        )
        return _Solver(func, y0, t, tolerances, **(options or {})).solve(full_output, scope)


class _Solver:
    """The graph of one integration. Raises TypeError for an unknown option."""

    def __init__(
        self,
        func: Derivative,
        y0: Any,
        t: Any,
        tolerances: tuple[Any, Any],
        first_step: Any = None,
        safety: Any = 0.9,
        ifactor: Any = 10.0,
        dfactor: Any = 0.2,
        max_num_steps: Any = 1000,
    ) -> None:
        self._func, self._y0, self._t = func, y0, t
        self._rtol, self._atol = tolerances
        self._options = (1.0 if first_step is None else first_step, safety, ifactor, dfactor)
        self._most = max_num_steps

    def solve(self, full_output: bool, name: str) -> Any:
        """Returns the solution, and information about the steps."""
        y0, t = self._y0, self._t
        with v1.name_scope(name, "dopri5", [y0, t]) as scope:
            names = ("first_step", "safety", "ifactor", "dfactor")
            pairs = zip(self._options, names, strict=True)
            first_step, *self._control = (
                tf.convert_to_tensor(value, dtype=t.dtype, name=option) for value, option in pairs
            )
            self._most = tf.convert_to_tensor(self._most, dtype=tf.int32, name="max_num_steps")
            with increasing(t):
                count = tf.size(t)
            solution = tf.TensorArray(y0.dtype, size=count).write(0, y0)
            history = _History(_growing(t.dtype), _growing(self._rtol.dtype))
            state = _State(y0, self._func(y0, t[0]), t[0], t[0], first_step, [y0] * 5)
            solution, history, _, _ = v1.while_loop(
                lambda _, __, ___, place: place < count,
                self._to_time,
                (solution, history, state, 1),
                name="interpolate_loop",
            )
            values = solution.stack(name=scope)
            values.set_shape(t.shape.concatenate(y0.shape))
            return (values, _info(history)) if full_output else values

    def _to_time(self, solution: Any, history: Any, state: Any, place: Any) -> tuple[Any, Any, Any, Any]:
        """Steps past the next time, and writes the solution there."""
        with v1.name_scope("interpolate"):
            state, history, _ = v1.while_loop(
                lambda state, *_: self._t[place] > state.t1,
                self._step,
                (state, history, 0),
                name="integrate_loop",
            )
            value = interpolated(state.coefficients, state.t0, state.t1, self._t[place])
            return solution.write(place, value), history, state, place + 1

    def _step(self, state: Any, history: Any, steps: Any) -> tuple[Any, Any, Any]:
        """Tries one step. If the error is too large, time does not advance, and the next step is smaller."""
        y0, f0, _, t0, dt, coefficients = state
        with v1.name_scope("assertions"):
            checks = [
                v1.Assert(t0 + dt > t0, ["underflow in dt", dt]),
                v1.Assert(steps < self._most, ["max_num_steps exceeded"]),
                v1.Assert(v1.reduce_all(tf.math.is_finite(abs(y0))), ["non-finite values in state `y`", y0]),
            ]
        with tf.control_dependencies(checks):
            y1, f1, error, derivatives = runge_kutta_step(self._func, y0, f0, t0, dt)
        with v1.name_scope("error_ratio"):
            ratio = self._error_ratio(y0, y1, error)
            accepted = ratio <= 1
        with v1.name_scope("update/rk_state"):
            y_next = v1.cond(accepted, lambda: y1, lambda: y0)
            f_next = v1.cond(accepted, lambda: f1, lambda: f0)
            t_next = v1.cond(accepted, lambda: t0 + dt, lambda: t0)
            fitted = v1.cond(accepted, lambda: interpolation(y0, y1, derivatives, dt), lambda: coefficients)
            state = _State(y_next, f_next, t0, t_next, self._next_size(dt, ratio), fitted)
        with v1.name_scope("update/history"):
            history = _History(_appended(history.integrate_points, t0 + dt), _appended(history.error_ratio, ratio))
        return state, history, steps + 1

    def _error_ratio(self, y0: Any, y1: Any, error: Any) -> Any:
        tolerance = self._atol + self._rtol * tf.maximum(abs(y0), abs(y1))
        return tf.sqrt(v1.reduce_mean(_abs_square(error) / _abs_square(tolerance)))

    def _next_size(self, last: Any, ratio: Any) -> Any:
        safety, ifactor, dfactor = self._control
        with v1.name_scope(None, "optimal_step_size", [last, ratio]) as scope:
            ratio = tf.cast(ratio, last.dtype)
            exponent = tf.cast(1 / 5, last.dtype)
            # The ratio stays a numerator: it may be 0.
            factor = tf.maximum(1 / ifactor, tf.minimum(ratio**exponent / safety, 1 / dfactor))
            return v1.div(last, factor, name=scope)


def _abs_square(tensor: Any) -> Any:
    if tensor.dtype.is_complex:
        return tf.square(tf.math.real(tensor)) + tf.square(tf.math.imag(tensor))
    return tf.square(tensor)


def _growing(dtype: Any) -> Any:
    return tf.TensorArray(dtype, size=0, dynamic_size=True)


def _appended(array: Any, value: Any) -> Any:
    return array.write(array.size(), value)


def _info(history: Any) -> dict[str, Any]:
    points = history.integrate_points.stack()
    return {
        "num_func_evals": 6 * tf.size(points) + 1,
        "integrate_points": points,
        "error_ratio": history.error_ratio.stack(),
    }
