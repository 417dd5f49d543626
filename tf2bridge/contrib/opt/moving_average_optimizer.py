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
        """Returns the gradients of the wrapped optimizer."""
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Returns an op that runs one step and updates the averages."""
        train_op = self._optimizer.apply_gradients(grads_and_vars, global_step=global_step, name=name)
        changed = [variable for gradient, variable in grads_and_vars if gradient is not None]
        if self._sequential_update:
            with tf.control_dependencies([train_op]):
                averaging = self._ema.apply(changed)
        else:
            averaging = self._ema.apply(changed)
        pairs = [(variable.op.name, self._ema.average(variable).op.name) for variable in changed]
        self._swapped = dict(pairs) | {average: name for name, average in pairs}
        return tf.group(train_op, averaging, name="train_with_avg")

    def swapping_saver(self, var_list: Any = None, name: str = "swapping_saver", **kwargs: Any) -> Any:
        """Returns a Saver that stores each average under its variable's name, and the variable under the average's.

        Args:
            var_list: as in `tf.train.Saver`.
            name: the name of the Saver.
            **kwargs: keyword arguments of `tf.train.Saver`.

        Raises:
            RuntimeError: `apply_gradients` was not called before.
            ValueError: only one of a variable and its average is among the variables to save.
        """
        if self._swapped is None:
            raise RuntimeError("call minimize or apply_gradients before swapping_saver: there are no averages yet")
        to_save = v1.global_variables() if var_list is None else var_list
        if not isinstance(to_save, dict):
            to_save = _by_name(to_save)
        variables: dict[str, Any] = {}
        for key, value in to_save.items():
            for variable in _parts(value):
                variables[variable.op.name if _is_several(value) else key] = variable
        swapped: dict[str, Any] = {}
        for key, value in to_save.items():
            if isinstance(value, list):
                swapped[key] = [self._counterpart(variables, variable.op.name, variable) for variable in value]
            else:
                swapped[key] = self._counterpart(variables, key, value)
        return v1.train.Saver(swapped, name=name, **kwargs)

    def _counterpart(self, variables: dict[str, Any], name: str, variable: Any) -> Any:
        assert self._swapped is not None  # swapping_saver asked
        partner = self._swapped.get(name)
        if partner is None:
            return variable
        if partner not in variables:
            raise ValueError(
                f"Variable to swap {partner} is not part of variables to save, but {name} is: add it to var_list"
            )
        return variables[partner]


def _by_name(variables: Any) -> dict[str, Any]:
    """Returns {name in a Saver: variable}. The slices of one partitioned variable are a list under one name."""
    by_name: dict[str, Any] = {}
    for variable in variables:
        part = getattr(variable, "_get_save_slice_info", lambda: None)()
        if part is None:
            by_name[variable.op.name] = variable
        else:
            by_name.setdefault(part.full_name, []).append(variable)
    return by_name


def _is_several(value: Any) -> bool:
    return isinstance(value, list) or hasattr(value, "as_tensor")  # the latter: a partitioned variable


def _parts(value: Any) -> list[Any]:
    return list(value) if _is_several(value) else [value]
