"""A warm process for tests: it treats files that begin with an order in its own way, and all others as it should.

`python -c "from tests.tf2bridge.fleet.worker import command; command()" ARGUMENTS` is `tf2bridge ARGUMENTS` with it.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tf2bridge.commands import fleet_runs, fleet_worker
from tf2bridge.fleet.judging import Performed

HANG, ABORT, EAT, LEAVE, FULL, ONCE = b"hang", b"abort", b"eat", b"leave", b"full", b"once"
ORDERS = (HANG, ABORT, EAT, LEAVE, FULL, ONCE)


def perform(arguments: Sequence[str]) -> Performed:
    """Does what the first bytes of the item say, or what the command says."""
    order = _order(Path(arguments[arguments.index("--") + 1]))
    if order == HANG:
        time.sleep(1000)
    if order == ABORT:
        os.write(2, b"about to abort\n")
        os.abort()
    if order == EAT:
        return Performed(None, "", "", _eaten())
    if order == FULL:
        return Performed(None, "", "", OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    if order == LEAVE:
        os._exit(0)
    return fleet_worker.perform(arguments)


def _eaten() -> MemoryError:
    try:
        bytearray(1 << 40)
    except MemoryError as error:
        return error
    raise AssertionError("this process may use a terabyte")


def _order(path: Path) -> bytes | None:
    head = path.read_bytes()[:8] if path.is_file() else b""
    if head.startswith(ONCE):  # hangs the first time, and is no file of a known format the second time
        seen = path.with_name(f"{path.name}.seen")
        if seen.exists():
            return None
        seen.touch()
        return HANG
    return next((order for order in ORDERS if head.startswith(order)), None)


def main() -> None:
    """Is the warm process."""
    fleet_worker.main(perform)


def command() -> None:
    """Runs a command of tf2bridge with this warm process."""
    from tf2bridge.cli import main

    fleet_runs.WORKER = __name__
    main(sys.argv[1:])
