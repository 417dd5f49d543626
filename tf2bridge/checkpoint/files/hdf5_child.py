"""A process that reads HDF5 files for another one, within limits of memory and time: `hdf5_process` starts it.

A damaged file may hang or crash the HDF5 library, or make it take any amount of memory; it takes this process with it,
and no other. Each request is a line of JSON. Each answer is the length of what follows in eight bytes, little-endian,
then JSON; or, of values, a first byte of 1 and the values.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, BinaryIO

MEMORY, SECONDS = 1 << 30, 15
"""Bytes beyond those of the process at its start, and seconds of the processor for each request."""
JSON, VALUES = b"\x00", b"\x01"


def main() -> None:
    """Answers until its input ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints is no answer
    from tf2bridge.checkpoint.files.hdf5_requests import Requests

    requests = Requests()
    _limit_memory()
    _answer(answers, JSON, b'"ready"')
    for line in sys.stdin.buffer:
        _limit_time()
        kind, content = requests.answer(json.loads(line))
        _answer(answers, VALUES if kind == "values" else JSON, content)


def _answer(answers: BinaryIO, kind: bytes, content: Any) -> None:
    answers.write((len(content) + 1).to_bytes(8, "little") + kind)
    answers.write(content)
    answers.flush()


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # on Windows, which has no such limits
        return
    try:
        with open("/proc/self/statm") as file:  # noqa: PTH123  # pathlib is not imported yet
            used = int(file.read().split()[0]) * resource.getpagesize()
    except OSError:  # on macOS, which does not say it and does not keep the limit
        return
    most = used + MEMORY
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (most if hard < 0 else min(most, hard), hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _limit_time() -> None:
    try:
        import resource
    except ImportError:
        return
    usage = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    most = int(usage.ru_utime + usage.ru_stime) + SECONDS + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most if hard < 0 else min(most, hard), hard))


if __name__ == "__main__":
    # The modules of its owner, before those of Python itself. A program's own directory is in neither: there it is that
    # of this file, whose names are those of modules of others.
    sys.path[:0] = sys.argv[1:]
    main()
