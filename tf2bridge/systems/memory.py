"""Recognizes errors that mean that memory ran out."""

from __future__ import annotations

import errno

from tf2bridge.systems.limits import memory_limit

_MEMORY_TEXTS = ("failed to map segment", "annot allocate memory", "can't start new thread", "std::bad_alloc")
"""Texts of out-of-memory errors of other types, from the loader, the system, Python and C++."""


def tells_out_of_memory(text: str) -> bool:
    """Returns whether the last words of a process mean that memory ran out."""
    return any(sign in text for sign in _MEMORY_TEXTS)


def is_out_of_memory(error: BaseException | None) -> bool:
    """Returns whether an error, or one of its causes, means that memory ran out."""
    known: set[int] = set()
    while error is not None and id(error) not in known:
        known.add(id(error))
        if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
            return True
        if isinstance(error, SystemError) and memory_limit() is not None:  # of half-imported modules
            return True
        if type(error).__name__ == "ResourceExhaustedError":  # TensorFlow's, not imported for this
            return True
        if isinstance(error, ImportError | RuntimeError | OSError) and tells_out_of_memory(str(error)):
            return True
        error = error.__cause__ or error.__context__
    return False
