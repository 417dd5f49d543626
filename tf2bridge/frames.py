"""The frame of who called, behind the code that stands between."""

from __future__ import annotations

import sys
from types import FrameType


def first_outside(*beginnings: str) -> FrameType | None:
    """Returns the innermost frame of the callers whose module has a name with none of these beginnings, or None."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and module_of(frame).startswith(beginnings):
        frame = frame.f_back
    return frame


def module_of(frame: FrameType | None) -> str:
    """Returns the name of the module whose code runs in a frame; "" where there is none."""
    return "" if frame is None else str(frame.f_globals.get("__name__", ""))
