"""An optimizer that keeps moving averages, and a saver that stores them under the variables' own names."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


class MovingAverageOptimizer(v1.train.Optimizer):  # type: ignore[name-defined,misc]
    """Runs `opt`, then averages every variable that it changed."""

    def __init__(
        self, opt: Any, average_decay: float = 0.9999, num_updates: Any = None, sequential_update: bool = True
    ) -> None:
        self._optimizer = opt
        self._ema = tf.train.ExponentialMovingAverage(average_decay, num_updates=num_updates)
        self._swapped: dict[str, str] | None = None
        self._sequential_update = sequential_update

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the gradients of the optimizer inside."""
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Returns the op of one step and of the averages."""
        train_op = self._optimizer.apply_gradients(grads_and_vars, global_step=global_step, name=name)
        changed = [variable for gradient, variable in grads_and_vars if gradient is not None]
        if self._sequential_update:
            with tf.control_dependencies([train_op]):
                averaging = self._ema.apply(changed)
        else:
            averaging = self._ema.apply(changed)
        pairs = [(each.op.name, self._ema.average(each).op.name) for each in changed]
        self._swapped = dict(pairs) | {average: name for name, average in pairs}
        return tf.group(train_op, averaging, name="train_with_avg")

    def swapping_saver(self, var_list: Any = None, name: str = "swapping_saver", **kwargs: Any) -> Any:
        """Returns a Saver that stores each average under its variable's name, and the variable under the average's.

        `var_list` is as in `tf.train.Saver`. Raises RuntimeError before `apply_gradients`, ValueError where one of a
        pair is not among the variables to save.
        """
        if self._swapped is None:
            raise RuntimeError("call minimize or apply_gradients before swapping_saver: there are no averages yet")
        wanted = v1.global_variables() if var_list is None else var_list
        if not isinstance(wanted, dict):
            wanted = _by_name(wanted)
        known: dict[str, Any] = {}
        for key, value in wanted.items():
            for each in _parts(value):
                known[each.op.name if _is_several(value) else key] = each
        swapped: dict[str, Any] = {}
        for key, value in wanted.items():
            if isinstance(value, list):
                swapped[key] = [self._counterpart(known, each.op.name, each) for each in value]
            else:
                swapped[key] = self._counterpart(known, key, value)
        return v1.train.Saver(swapped, name=name, **kwargs)

    def _counterpart(self, known: dict[str, Any], name: str, variable: Any) -> Any:
        assert self._swapped is not None  # swapping_saver asked
        other = self._swapped.get(name)
        if other is None:
            return variable
        if other not in known:
            raise ValueError(
                f"Variable to swap {other} is not part of variables to save, but {name} is: add it to var_list"
            )
        return known[other]


def _by_name(variables: Any) -> dict[str, Any]:
    """The variables by the names that a Saver gives them: the slices of one partitioned variable make one list."""
    found: dict[str, Any] = {}
    for each in variables:
        part = getattr(each, "_get_save_slice_info", lambda: None)()
        if part is None:
            found[each.op.name] = each
        else:
            found.setdefault(part.full_name, []).append(each)
    return found


def _is_several(value: Any) -> bool:
    return isinstance(value, list) or hasattr(value, "as_tensor")  # the latter: a partitioned variable


def _parts(value: Any) -> list[Any]:
    return list(value) if _is_several(value) else [value]
