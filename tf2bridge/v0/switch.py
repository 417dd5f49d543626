"""Switches the process to 0.12 behaviour."""

from __future__ import annotations

from tf2bridge.behaviour.release import parse
from tf2bridge.behaviour.switch import enable as enable_release
from tf2bridge.errors import UnknownReleaseError

VERSION = "0.12.1"


def enable(api: str = "0.12") -> None:
    """As `tf2bridge.v1.enable`, for a 0.x release. Raises UnknownReleaseError for another one."""
    if not parse(api).before_one:
        raise UnknownReleaseError(api, (VERSION,))
    enable_release(api)
