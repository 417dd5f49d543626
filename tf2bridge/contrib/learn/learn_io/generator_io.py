"""`generator_input_fn`: rows of a generator as an input_fn."""

from __future__ import annotations

from collections.abc import Callable, Container
from types import FunctionType, GeneratorType
from typing import Any

from tf2bridge.estimator.inputs.enqueueing import enqueue_data


def generator_input_fn(
    x: Any,
    target_key: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool = True,
    queue_capacity: int = 1000,
    num_threads: int = 1,
    pad_value: Any = None,
) -> Callable[[], Any]:
    """Returns an input_fn that reads rows, dictionaries of arrays, which the generator function `x` yields.

    The input_fn returns a dictionary of features, [batch_size, ...]. With `target_key` it also returns the labels: one
    tensor, or a dictionary for several keys.

    Raises:
        TypeError: `x` or `target_key` has a wrong type.
        KeyError: the rows lack a key.
    """
    keys = _keys(x)
    targets = _targets(target_key, keys)

    def input_fn() -> Any:
        queue = enqueue_data(
            x,
            queue_capacity,
            shuffle=shuffle,
            num_threads=num_threads,
            enqueue_size=batch_size,
            num_epochs=num_epochs,
            pad_value=pad_value,
        )
        columns = queue.dequeue_many(batch_size) if num_epochs is None else queue.dequeue_up_to(batch_size)
        features = dict(zip(keys, columns if isinstance(columns, list) else [columns], strict=True))
        if target_key is None:
            return features
        labels = {key: features.pop(key) for key in targets}
        return features, labels if len(targets) > 1 else labels[targets[0]]

    return input_fn


def _keys(x: Any) -> list[str]:
    if not isinstance(x, FunctionType):
        raise TypeError(f"x must be generator function; got {type(x).__name__}")
    generator = x()
    if not isinstance(generator, GeneratorType):
        raise TypeError(f"x() must be generator; got {type(generator).__name__}")
    row = next(generator)
    if not isinstance(row, dict):
        raise TypeError(f"x() must yield dict; got {type(row).__name__}")
    return sorted(row)


def _targets(target_key: Any, keys: list[str]) -> list[str]:
    if target_key is None:
        return []
    if isinstance(target_key, str):
        return [target_key]
    if not isinstance(target_key, Container):
        raise TypeError(f"target_key must be str or Container of str; got {type(target_key).__name__}")
    targets: list[Any] = list(target_key)  # type: ignore[call-overload]  # 1.x iterates over any container
    for key in targets:
        if not isinstance(key, str):
            raise TypeError(f"target_key must be str or Container of str; got {type(key).__name__}")
        if key not in keys:
            raise KeyError(f"target_key not in yielded dict. Expected {keys} keys; got {key}")
    return targets
