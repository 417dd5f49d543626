"""Times functions in turns, so that a busy moment of the machine meets all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence


def in_turns(functions: Sequence[Callable[[], object]], rounds: int, times: int) -> list[float]:
    """Returns the seconds of one call of each function: the least mean over rounds of so many calls."""
    seconds = [float("inf")] * len(functions)
    for _ in range(rounds):
        for place, function in enumerate(functions):
            start = time.perf_counter()
            for _ in range(times):
                function()
            seconds[place] = min(seconds[place], (time.perf_counter() - start) / times)
    return seconds
