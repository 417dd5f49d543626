"""One program for a genuine release and for tf2bridge.v1: its text has the fields {module} and {enable}."""

from __future__ import annotations

import re

from tests import forked, oracles


def lines(text: str, release: str | None, api: str = "") -> list[str]:
    """What the program prints on a genuine release; with None, here as the release `api`. Fails where it fails."""
    if release is None:
        done = forked.run(text.format(module="tf2bridge.v1", enable=f"tf.enable(api={api!r})"), api=api)
    else:
        done = oracles.run(release, text.format(module="tensorflow", enable=""))
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


def without_signs_of_zeros(text: str) -> str:
    """The text with 0.0 for -0.0: a number that was rounded to zero has the sign of its rounding."""
    return re.sub(r"-0\.0(?!\d)", "0.0", text)
