"""Steps and eager tensors with one element: `int(step)`, as TensorFlow itself says it, is an error with NumPy 2.4."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tf2bridge import internals
from tf2bridge.patching import put, rebind


def install() -> None:
    """Reads such steps in this process."""
    util: Any = internals.training.training_util
    events: Any = internals.training.writer.SummaryToEventTransformer
    rebind({id(util.global_step): (util.global_step, _global_step)})
    put(events, "_add_event", _with_a_number(events._add_event))
    eager: Any = internals.framework.ops._EagerTensorBase
    for name, kind in (("__float__", float), ("__int__", int)):
        put(eager, name, _of_one(getattr(eager, name), kind))


def _of_one(original: Callable[..., Any], kind: type) -> Callable[..., Any]:
    """Returns the method that makes a number of an eager tensor, which may have the shape [1] or [1, 1]."""

    @functools.wraps(original)
    def converted(self: Any) -> Any:
        return kind(_single(self.numpy())) if self.shape.rank else original(self)

    return converted


def _global_step(sess: Any, global_step_tensor: Any) -> int:
    """`tf.train.global_step`."""
    context: Any = internals.eager.context
    step = global_step_tensor.numpy() if context.executing_eagerly() else sess.run(global_step_tensor)
    return int(_single(step))


def _with_a_number(original: Callable[..., None]) -> Callable[..., None]:
    """Returns a method that adds an event of a step to a file, such as `add_summary(summary, step)`."""

    @functools.wraps(original)
    def added(self: Any, event: Any, step: Any) -> None:
        original(self, event, _single(step))

    return added


def _single(step: Any) -> Any:
    return step.item() if isinstance(step, np.ndarray) and step.size == 1 else step
