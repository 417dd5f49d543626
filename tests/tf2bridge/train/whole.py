"""What a training that was disturbed has left behind."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tf2bridge import checkpoint


def check_whole(logdir: Path) -> dict[str, np.ndarray]:
    """Every checkpoint that has an index can be read, and the state file names one; the values of that one."""
    for index in logdir.glob("*.index"):
        stored = checkpoint.open(index.with_suffix(""))
        assert all(np.isfinite(stored[name]).all() for name in stored), index
    last = checkpoint.open(logdir)
    return {name: last[name] for name in last}
