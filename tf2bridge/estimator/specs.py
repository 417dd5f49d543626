"""TrainSpec and EvalSpec, the arguments of train_and_evaluate."""

from __future__ import annotations

import collections
from typing import Any

import tensorflow as tf

from tf2bridge.estimator.exporters import Exporter

v1 = tf.compat.v1


class TrainSpec(collections.namedtuple("TrainSpec", ["input_fn", "max_steps", "hooks"])):
    """The data and the duration of training. Raises TypeError or ValueError for wrong arguments."""

    __slots__ = ()

    def __new__(cls, input_fn: Any, max_steps: int | None = None, hooks: Any = None) -> TrainSpec:
        _check_callable(input_fn)
        if max_steps is not None and max_steps <= 0:
            raise ValueError(f"Must specify max_steps > 0, given: {max_steps}")
        return super().__new__(cls, input_fn, max_steps, checked_hooks(hooks))


class EvalSpec(
    collections.namedtuple(
        "EvalSpec", ["input_fn", "steps", "name", "hooks", "exporters", "start_delay_secs", "throttle_secs"]
    )
):
    """The data, the frequency and the exporters of evaluation. Raises TypeError or ValueError for wrong arguments."""

    __slots__ = ()

    def __new__(
        cls,
        input_fn: Any,
        steps: int | None = 100,
        name: str | None = None,
        hooks: Any = None,
        exporters: Any = None,
        start_delay_secs: int = 120,
        throttle_secs: int = 600,
    ) -> EvalSpec:
        _check_callable(input_fn)
        if steps is not None and steps <= 0:
            raise ValueError(f"Must specify steps > 0, given: {steps}")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"`name` must be string, given: {name}")
        hooks, exporters = checked_hooks(hooks), _exporters(exporters)
        for field, value in (("start_delay_secs", start_delay_secs), ("throttle_secs", throttle_secs)):
            if value < 0:
                raise ValueError(f"Must specify {field} >= 0, given: {value}")
        return super().__new__(cls, input_fn, steps, name, hooks, exporters, start_delay_secs, throttle_secs)


def _check_callable(input_fn: Any) -> None:
    if not callable(input_fn):
        raise TypeError(f"`input_fn` must be callable, given: {input_fn}")


def checked_hooks(hooks: Any) -> tuple[Any, ...]:
    for hook in (checked := tuple(hooks or ())):
        if not isinstance(hook, v1.train.SessionRunHook):
            raise TypeError(f"All hooks must be `SessionRunHook` instances, given: {hook}")
    return checked


def _exporters(exporters: Any) -> tuple[Any, ...]:
    if not exporters:
        return ()
    given = [exporters] if isinstance(exporters, Exporter) else exporters
    try:
        kept = tuple(given)
    except TypeError:
        kept = (None,)
    if not all(isinstance(exporter, Exporter) for exporter in kept):
        raise TypeError(f"`exporters` must be an Exporter, an iterable of Exporter, or `None`, found {exporters}.")
    names = [exporter.name for exporter in kept]
    for name in names:
        if not name:
            raise ValueError(f"An Exporter cannot have a name that is `None` or empty. All exporter names: {names}")
        if not isinstance(name, str):
            raise ValueError(f"An Exporter must have a string name. Given: {type(name)}")
    if len(set(names)) != len(names):
        raise ValueError(
            f"`exporters` must have unique names. Such a name cannot be `None`. All exporter names: {names}"
        )
    return kept
