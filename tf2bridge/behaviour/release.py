"""The TensorFlow release that a program was written for, and the measured release that it follows."""

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
"""Release -> its last patch on the package index."""


@dataclass(frozen=True)
class Release:
    """A release. `asked` is the user's text; `measured` is the release of `MEASURED` whose behaviour it follows."""

    asked: str
    measured: str

    @property
    def version(self) -> str:
        """The value of `tf.__version__`: that of the last patch, if the user named no patch."""
        return _LAST.get(self.asked, self.asked)

    @property
    def before_one(self) -> bool:
        """Whether 0.x argument orders and variable names apply."""
        return self.before(1, 0)

    def before(self, major: int, minor: int) -> bool:
        """Returns whether the release that the user named is earlier than `major`.`minor`."""
        return tuple(map(int, self.asked.split(".")[:2])) < (major, minor)


def parse(text: str) -> Release:
    """Returns the release named by `text`, such as "0.12", "1.4" or "1.15.5".

    A 1.x release that was not measured follows the latest measured release before it (1.5 to 1.11 follow 1.4.1; 1.13
    and 1.14 follow 1.12.3), except for known changes in between: see `Release.before`. Op seeds have more measured
    releases; see `seeds.table`. 0.12 is the only known release of 0.x.

    Raises:
        UnknownReleaseError: The text names no known release.
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
