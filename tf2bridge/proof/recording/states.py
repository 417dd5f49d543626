"""Records the states of the random generators of Python and NumPy, from which unseeded random data follow."""

import functools
import random

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:  # never true: Python 2.7 has no typing
    from typing import Any, Callable

SEEDED = {"python": random, "numpy": np.random}  # type: dict[str, Any]  # what has `seed`
_MOST = 100  # the most states of each generator: a program that seeds more often has other sources of data


def state_of(which):
    # type: (str) -> list[tuple[str, Any]]
    """Returns the state of "python" or "numpy" as fields of an event; [] if it is not a Mersenne Twister."""
    if which == "python":
        _, words, gauss = random.getstate()
        key, place = words[:-1], words[-1]
    else:
        state = np.random.get_state()  # type: Any
        if state[0] != "MT19937":
            return []
        _, key, place, has_gauss, cached = state
        gauss = cached if has_gauss else None
    return [("of", which), ("words", "".join(["%08x" % word for word in key])), ("place", int(place)), ("gauss", gauss)]


class States(object):
    """Reports the first states of both, and their states after each seed from the system.

    Args:
        tell: is given the fields of a state.
    """

    def __init__(self, tell):
        # type: (Callable[[list[tuple[str, Any]]], None]) -> None
        self._tell = tell
        self._left = dict.fromkeys(SEEDED, _MOST)
        self._originals = {}  # type: dict[str, Any]

    def install(self):
        # type: () -> None
        """Reports the current states, and replaces both functions `seed`."""
        for which, module in sorted(SEEDED.items()):
            self._look(which)
            self._originals[which] = module.seed
            module.seed = noticed(module.seed, functools.partial(self._look, which))

    def remove(self):
        # type: () -> None
        """Restores the functions."""
        for which, original in self._originals.items():
            SEEDED[which].seed = original

    def _look(self, which):
        # type: (str) -> None
        fields = state_of(which)
        if fields and self._left[which]:
            self._left[which] -= 1
            self._tell(fields)


def noticed(original, then):
    # type: (Any, Callable[[], None]) -> Any
    """Returns a function `seed` that calls the original, and calls `then` after each seed from the system."""

    def seed(*args, **options):
        # type: (*Any, **Any) -> Any
        result = original(*args, **options)
        if _is_of_system(args, options):
            then()
        return result

    return seed


def _is_of_system(args, options):
    # type: (Any, dict[str, Any]) -> bool
    """Returns whether these arguments of `seed` ask for a seed from the system."""
    given = list(args[:1]) + [options[name] for name in ("a", "seed") if name in options]
    return all([argument is None for argument in given])
