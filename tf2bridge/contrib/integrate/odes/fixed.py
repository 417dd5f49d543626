"""Integration with steps of given size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.integrate.odes.checks import check_sizes, check_types, increasing
from tf2bridge.contrib.integrate.odes.runge_kutta import Derivative

v1 = tf.compat.v1
Step = Callable[[Derivative, Any, Any, Any], Any]


def odeint_fixed(
    func: Derivative, y0: Any, t: Any, dt: Any = None, method: str = "rk4", name: str | None = None
) -> Any:
    """Returns the solution of dy/dt = `func(y, t)` at the times `t`, [times, ...], which begins with `y0`, [...].

    `dt` is the largest step, one for all intervals or one for each; by default an interval is one step. The method is
    "rk4" or "midpoint". Raises ValueError for another method or other shapes, TypeError for other dtypes.
    """
    with v1.name_scope(name, "odeint_fixed", [y0, t, dt]):
        t = v1.convert_to_tensor(t, preferred_dtype=tf.float64, name="t")
        y0 = tf.convert_to_tensor(y0, name="y0")
        intervals = t[1:] - t[:-1]
        dt = v1.convert_to_tensor(intervals if dt is None else dt, preferred_dtype=tf.float64, name="dt")
        counts = tf.math.ceil(intervals / dt)
        dt = intervals / counts
        counts = tf.cast(counts, dtype=tf.int32)
        check_types(y0, t, dt)
        check_sizes(t, dt)
        with increasing(t), v1.name_scope(method):
            if method not in _METHODS:
                raise ValueError(f"the method is {method!r}; it must be one of {', '.join(sorted(_METHODS))}")
            return _integrated(_METHODS[method], func, y0, t, dt, counts)


def _integrated(step: Step, func: Derivative, y0: Any, t: Any, dt: Any, counts: Any) -> Any:
    """Returns the solution with `counts` steps of size `dt` in each interval, both [times - 1]."""

    def to_time(solution: Any, y: Any, time: Any, place: Any) -> tuple[Any, Any, Any, Any]:
        def one_step(y: Any, time: Any, done: Any, place: Any) -> tuple[Any, Any, Any, Any]:
            size = dt[place - 1]
            change = tf.cast(step(func, time, size, y), dtype=y.dtype)
            return y + change, time + size, done + 1, place

        y, time, _, _ = v1.while_loop(
            lambda _, __, done, place: done < counts[place - 1], one_step, (y, time, 0, place)
        )
        return solution.write(place, y), y, time, place + 1

    count = tf.size(t)
    time = t[0]
    solution = tf.TensorArray(y0.dtype, count).write(0, y0)
    solution, _, _, _ = v1.while_loop(lambda _, __, ___, place: place < count, to_time, (solution, y0, time, 1))
    values = solution.stack()
    values.set_shape(t.shape.concatenate(y0.shape))
    return values


def _midpoint(func: Derivative, t: Any, dt: Any, y: Any) -> Any:
    size = tf.cast(dt, y.dtype)
    return size * func(y + func(y, t) * size / 2, t + dt / 2)


def _rk4(func: Derivative, t: Any, dt: Any, y: Any) -> Any:
    """Returns a step of the classical Runge-Kutta method of order 4."""
    first = func(y, t)
    middle = t + dt / 2
    size = tf.cast(dt, y.dtype)
    second = func(y + size * first / 2, middle)
    third = func(y + size * second / 2, middle)
    fourth = func(y + size * third, t + dt)
    return tf.add_n([first, 2 * second, 2 * third, fourth]) * (size / 6)


_METHODS: dict[str, Step] = {"midpoint": _midpoint, "rk4": _rk4}
