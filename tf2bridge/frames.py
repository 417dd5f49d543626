"""Finds the frame of a caller behind frames of known code."""

from __future__ import annotations

import sys
from types import FrameType


def first_outside(*beginnings: str) -> FrameType | None:
    """Returns the innermost frame of a caller whose module name has none of these prefixes, or None."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and module_of(frame).startswith(beginnings):
        frame = frame.f_back
    return frame


def module_of(frame: FrameType | None) -> str:
    """Returns the name of the module whose code runs in a frame, or "" if there is none."""
    return "" if frame is None else str(frame.f_globals.get("__name__", ""))
