"""The command that starts a part of tf2bridge in a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path


def command(module: str) -> list[str]:
    """Returns the command that calls `main()` of a module of this package; arguments may follow it.

    As the script `tf2bridge` does, the process ignores modules of the current directory that have names of ours.
    """
    root = str(Path(__file__).resolve().parents[2])
    start = f"import sys; sys.path[:] = [*filter(None, sys.path), {root!r}]"
    return [sys.executable, "-c", f"{start}; from {module} import main; sys.exit(main())"]
