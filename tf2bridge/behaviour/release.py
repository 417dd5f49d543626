"""Which TensorFlow release a program was written for: parsing, and the measured release that stands for it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tf2bridge.errors import UnknownReleaseError

MEASURED = ("0.12.1", "1.4.1", "1.12.3", "1.15.5")
"""Releases whose numbers were measured on genuine builds, oldest first."""

_LAST = {
    version.rpartition(".")[0]: version
    for version in (
        *("0.12.1", "1.0.1", "1.1.0", "1.2.1", "1.3.0", "1.4.1", "1.5.1", "1.6.0", "1.7.1", "1.8.0", "1.9.0"),
        *("1.10.1", "1.11.0", "1.12.3", "1.13.2", "1.14.0", "1.15.5"),
    )
}
"""The last of each release on the package index."""


@dataclass(frozen=True)
class Release:
    """`asked` is what the user named; `measured` is the release of `MEASURED` whose behaviour is followed."""

    asked: str
    measured: str

    @property
    def version(self) -> str:
        """What `tf.__version__` says there: of the last patch where none was asked for."""
        return _LAST.get(self.asked, self.asked)

    @property
    def before_one(self) -> bool:
        """Whether 0.x argument orders and variable names apply."""
        return self.before(1, 0)

    def before(self, major: int, minor: int) -> bool:
        """Whether the release that was asked for is earlier than this one."""
        return tuple(map(int, self.asked.split(".")[:2])) < (major, minor)


def parse(text: str) -> Release:
    """Returns the release named by `text`, such as "0.12", "1.4" or "1.15.5".

    A 1.x release that was not measured follows the nearest measured one that is not later (1.5 to 1.11 follow 1.4.1;
    1.13 and 1.14 follow 1.12.3), but for what is known to have changed between: see `Release.before`. Op seeds have
    more measured releases, `seeds.table`. Of 0.x only 0.12 is known.

    Raises UnknownReleaseError for anything else.
    """
    match = re.fullmatch(r"(0|1)\.(\d+)(\.\d+)?", text.strip())
    if match is None:
        raise UnknownReleaseError(text, MEASURED)
    version = (int(match[1]), int(match[2]))
    if not (version == (0, 12) or (1, 0) <= version <= (1, 15)):
        raise UnknownReleaseError(text, MEASURED)
    fitting = [known for known in MEASURED if _minor(known) <= version]
    return Release(asked=text.strip(), measured=fitting[-1])


def _minor(release: str) -> tuple[int, int]:
    major, minor, _ = release.split(".")
    return int(major), int(minor)
