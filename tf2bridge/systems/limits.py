"""Limits of a process's memory and processor time. This module imports little, for quick starts.

Windows has no such limits. macOS does not enforce the limit of memory.
"""

from __future__ import annotations

import contextlib
import os
from typing import Any

resource: Any
try:
    import resource
except ImportError:  # Windows
    resource = None

CAN_LIMIT = resource is not None
"""Whether a process can limit itself."""
_OF_MEMORY = ("RLIMIT_AS", "RLIMIT_DATA")


def memory_limit() -> int | None:
    """Returns how many bytes of memory this process may use (`ulimit -v`); None without a limit."""
    known = [getattr(resource, name) for name in _OF_MEMORY if hasattr(resource, name)]
    limits = [resource.getrlimit(which)[0] for which in known]
    return min((limit for limit in limits if limit != resource.RLIM_INFINITY), default=None)


def limit_memory(more: int, used: int | None = None) -> None:
    """Lets this process use `more` bytes in addition to `used`, or to its current use, and write no core file."""
    used = used_memory() if used is None else used
    if resource is None or used is None:
        return
    _lower(resource.RLIMIT_AS, used + more)
    core, hard = resource.getrlimit(resource.RLIMIT_CORE)
    if core:
        resource.setrlimit(resource.RLIMIT_CORE, (0, hard))


def limit_time(seconds: int) -> None:
    """Lets this process compute for `seconds` from now on; then the system ends it."""
    if resource is None:
        return
    usage = resource.getrusage(resource.RUSAGE_SELF)
    _lower(resource.RLIMIT_CPU, int(usage.ru_utime + usage.ru_stime) + seconds + 1)


def memory_of_machine() -> int:
    """Returns the bytes of this machine's memory; 4 GB if the system does not say it."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 4 * 10**9


def end_first() -> None:
    """Makes the system end this process before others if memory is short; Linux alone has such a choice."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:  # noqa: PTH123
        file.write("1000")


def _lower(which: int, most: int) -> None:
    hard = resource.getrlimit(which)[1]
    resource.setrlimit(which, (most if hard < 0 else min(most, hard), hard))


def used_memory() -> int | None:
    """Returns the bytes of this process's address space; None if the system does not report it, as on macOS."""
    try:
        file = os.open("/proc/self/statm", os.O_RDONLY)  # a fleet asks for each item, and `open` takes longer
        try:
            return int(os.read(file, 99).split()[0]) * os.sysconf("SC_PAGE_SIZE")
        finally:
            os.close(file)
    except (OSError, AttributeError):
        return None
