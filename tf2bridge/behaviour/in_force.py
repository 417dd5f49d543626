"""The release of TensorFlow 1.x that this process follows: the state that `v1.enable` sets."""

from __future__ import annotations

from tf2bridge.behaviour.release import MEASURED, Release

_release: Release | None = None


def follow(release: Release) -> None:
    """Notes that the process follows a release from now on."""
    global _release
    _release = release


def enabled() -> Release | None:
    """Returns the release that `enable` was last called for, or None."""
    return _release


def before(major: int, minor: int) -> bool:
    """Returns True if `enable` was called for a release that is earlier than this one."""
    return _release is not None and _release.before(major, minor)


def version() -> str:
    """Returns the version that the program sees as `tf.__version__`: guards of programs ask it."""
    return _release.version if _release else MEASURED[-1]
