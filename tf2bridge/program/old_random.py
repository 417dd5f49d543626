"""The module `random` up to Python 3.10: sets are sampled, whole floats are bounds, any hashable value is a seed."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Set
from types import ModuleType
from typing import Any


def old_random() -> ModuleType:
    """Returns the module `random` for the program's files. It shares the state of Python's module."""
    module = ModuleType("random", random.__doc__)
    module.__dict__.update({name: value for name, value in vars(random).items() if not name.startswith("__")})
    module.__dict__.update({name: _adapted(getattr(random, name), adapt) for name, adapt in _ADAPTED.items()})
    module.__dict__["shuffle"] = shuffle
    return module


def _sequence(population: Any, *arguments: Any) -> tuple[Any, ...]:
    """Turns a set into a tuple in iteration order (removed in Python 3.11)."""
    return (tuple(population) if isinstance(population, Set) else population, *arguments)


def _whole(*bounds: Any) -> tuple[Any, ...]:
    """Turns 1e3 into 1000 (removed in Python 3.12). Floats with a fraction stay errors."""
    return tuple(int(bound) if isinstance(bound, float) and bound.is_integer() else bound for bound in bounds)


def _seed(value: Any = None, *arguments: Any) -> tuple[Any, ...]:
    """Replaces a seed of another type, such as a NumPy number, by its hash (removed in Python 3.11)."""
    known = value is None or isinstance(value, int | float | str | bytes | bytearray)
    return (value if known else hash(value) % 2**64, *arguments)


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
    """Shuffles `x` with the numbers of `draw`, the second argument of `random.shuffle` (removed in Python 3.11)."""
    if draw is None:
        random.shuffle(x)
        return
    for last in range(len(x) - 1, 0, -1):
        chosen = int(draw() * (last + 1))
        x[last], x[chosen] = x[chosen], x[last]
