"""The module `random` up to Python 3.10: sets are sampled, whole floats are bounds, any hashable value is a seed."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Set
from types import ModuleType
from typing import Any


def old_random() -> ModuleType:
    """Returns the module that the program's own files get; it shares the state of Python's."""
    module = ModuleType("random", random.__doc__)
    module.__dict__.update({name: value for name, value in vars(random).items() if not name.startswith("__")})
    module.__dict__.update({name: _adapted(getattr(random, name), adapt) for name, adapt in _ADAPTED.items()})
    module.__dict__["shuffle"] = shuffle
    return module


def _sequence(population: Any, *others: Any) -> tuple[Any, ...]:
    """A set became a tuple in its own order (removed in Python 3.11)."""
    return (tuple(population) if isinstance(population, Set) else population, *others)


def _whole(*bounds: Any) -> tuple[Any, ...]:
    """1e3 was taken for 1000 (removed in Python 3.12); another float is an error, as ever."""
    return tuple(int(bound) if isinstance(bound, float) and bound.is_integer() else bound for bound in bounds)


def _seed(value: Any = None, *others: Any) -> tuple[Any, ...]:
    """What has no other meaning as a seed, such as a number of NumPy, was taken by its hash (removed in 3.11)."""
    known = value is None or isinstance(value, int | float | str | bytes | bytearray)
    return (value if known else hash(value) % 2**64, *others)


_ADAPTED: dict[str, Callable[..., tuple[Any, ...]]] = {
    "sample": _sequence,
    "randint": _whole,
    "randrange": _whole,
    "seed": _seed,
}


def _adapted(function: Callable[..., Any], adapt: Callable[..., tuple[Any, ...]]) -> Callable[..., Any]:
    @functools.wraps(function)
    def adapted(*args: Any, **kwargs: Any) -> Any:
        return function(*(adapt(*args) if args else ()), **kwargs)

    return adapted


def shuffle(x: Any, draw: Callable[[], float] | None = None) -> None:
    """`random.shuffle(x, draw)`: the second argument gave the numbers (removed in Python 3.11)."""
    if draw is None:
        random.shuffle(x)
        return
    for last in range(len(x) - 1, 0, -1):
        other = int(draw() * (last + 1))
        x[last], x[other] = x[other], x[last]
