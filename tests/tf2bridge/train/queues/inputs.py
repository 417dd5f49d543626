"""The inputs of fixtures/queues, and what genuine TensorFlow 0.12.1 and 1.15.5 gave for each."""

from __future__ import annotations

import functools
import json
import sys
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parents[4] / "fixtures" / "queues"
sys.path.insert(0, str(HOME))
from driver import flat, plain, rows  # noqa: E402, F401  # beside the data
from programs import PROGRAMS, write_files  # noqa: E402, F401

RELEASES = ("0.12.1", "1.15.5")


@functools.cache
def genuine(release: str) -> dict[str, Any]:
    """What the steps of each input gave in that release, by its name."""
    lines = (HOME / f"{release}.json").read_text(encoding="utf-8").splitlines()
    return dict(json.loads(line) for line in lines)
