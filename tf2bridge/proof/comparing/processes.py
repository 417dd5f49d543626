"""Compares the tensors of two large files in several processes."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from tf2bridge import systems
from tf2bridge.proof.comparing.rows import Comparison

Judge = Callable[[int], Comparison]

WORTH_A_PROCESS = 128 << 20
"""Bytes of one side that keep a process busy for much longer than it takes to make it."""
_AT_ONCE = 16 << 20
"""Bytes of one side that a process is given at once: the last to end keeps the others waiting for no longer."""


def judged(judge: Judge, sizes: Sequence[int]) -> Iterator[Comparison]:
    """Yields `judge(number)` for each place of `sizes`, which says how many bytes are to be read for it, in order.

    Processes are forked, which costs no imports; not where TensorFlow or others have threads of their own, which are no
    more in a process that was forked. What `judge` raises is raised by this process, of the first number that does.
    """
    processes = _worthwhile(sum(sizes))
    if processes < 2:
        yield from map(judge, range(len(sizes)))
        return
    portions = list(_portions(sizes))
    done = 0
    with warnings.catch_warnings():
        # Python counts the threads of the C library that multiplies matrices, which OpenBLAS stops before a fork.
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        pool = ProcessPoolExecutor(processes, multiprocessing.get_context(systems.START), _begin, (judge,))
        try:
            for rows in pool.map(_judged, portions):
                if rows is None:
                    break
                yield from rows
                done += len(rows)
        except BrokenProcessPool:
            pass  # a process was killed: this one goes on alone
        finally:
            pool.shutdown(cancel_futures=True)
    yield from map(judge, range(done, len(sizes)))


def _worthwhile(size: int) -> int:
    """Returns how many processes this number of bytes keeps busy, at most one for each core; 1 without forks."""
    if not systems.FORKS or "tensorflow" in sys.modules or threading.active_count() > 1:
        return 1
    return min(systems.cores(), size // WORTH_A_PROCESS)


def _portions(sizes: Sequence[int]) -> Iterator[range]:
    """Ranges of numbers, each about as much work."""
    first = weight = 0
    for number, size in enumerate(sizes):
        weight += size
        if weight >= _AT_ONCE:
            yield range(first, number + 1)
            first, weight = number + 1, 0
    if first < len(sizes):
        yield range(first, len(sizes))


_held: dict[str, Any] = {}
"""In a process that was forked: the judge."""


def _begin(judge: Judge) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process says what there is to say
    _held["judge"] = judge


def _judged(numbers: range) -> list[Comparison] | None:
    """Returns the rows, or None for an error: the first process meets it again and raises it with all that it holds."""
    try:
        return [_held["judge"](number) for number in numbers]
    except Exception:
        return None
