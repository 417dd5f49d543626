"""A process that reads HDF5 files for another one, within limits of memory and time: `hdf5_process` starts it.

A damaged file may hang or crash the HDF5 library, or make it use any amount of memory. Then only this process ends.
Each request is a line of JSON. Each answer is a length in eight bytes, little-endian, and then JSON, or a byte of 1 and
values.
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
    """Answers requests until the input ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # prints of libraries must not be read as answers
    from tf2bridge.formats.checkpoints.hdf5_requests import Requests
    from tf2bridge.systems import limits

    requests = Requests()
    limits.limit_memory(MEMORY)
    _answer(answers, JSON, b'"ready"')
    for line in sys.stdin.buffer:
        limits.limit_time(SECONDS)
        kind, content = requests.answer(json.loads(line))
        _answer(answers, VALUES if kind == "values" else JSON, content)


def _answer(answers: BinaryIO, kind: bytes, content: Any) -> None:
    answers.write((len(content) + 1).to_bytes(8, "little") + kind)
    answers.write(content)
    answers.flush()


if __name__ == "__main__":
    # The modules of its owner, before those of Python itself. A program's own directory is in neither: there it is that
    # of this file, whose names are those of modules of others.
    sys.path[:0] = sys.argv[1:]
    main()
