"""Holds the installed libraries against the inventory of what we replace in them and use of them."""

from __future__ import annotations

from dataclasses import dataclass

from packaging.version import Version

from tf2bridge.patching.fingerprints import MISSING, fingerprint
from tf2bridge.patching.inventory import DISTRIBUTIONS, PYTHON, Row, installed_release, rows


@dataclass(frozen=True)
class Trouble:
    """A name that is not as it was when it was read.

    Attributes:
        row: what the inventory says of it.
        since: the release that it is compared with.
        before: its fingerprint there.
        now: its fingerprint in what is installed.
    """

    row: Row
    since: str
    before: str
    now: str

    @property
    def kind(self) -> str:
        """What is wrong: "missing", "new" (we add a name that the library has now), or "changed"."""
        return "missing" if self.now == MISSING else "new" if self.before == MISSING else "changed"


@dataclass(frozen=True)
class Library:
    """What was found of one library.

    Attributes:
        name: its import package, or "python".
        release: the one that is installed; None where it is not.
        read: the releases that the inventory was read in, the newest last.
        names: how many names of it were looked at.
        troubles: those that are not as they were.
    """

    name: str
    release: str | None
    read: tuple[str, ...]
    names: int
    troubles: tuple[Trouble, ...]

    @property
    def verdict(self) -> str:
        """What was found, in one line."""
        if self.release is None:
            return f"{self.name}: not installed"
        known = "" if self.release in self.read else f", which was not tried; the last tried is {self.read[-1]}"
        count = f"{self.names} name{'' if self.names == 1 else 's'}"
        result = f"{len(self.troubles)} not as they were" if self.troubles else "all as they were"
        return f"{self.name} {self.release}{known}: {count}, {result}"


def examine_all() -> list[Library]:
    """Returns what was found of each library that the inventory names. Imports those that are installed."""
    named = {row.library for row in rows()}
    return [examine(name) for name in (*DISTRIBUTIONS, PYTHON) if name in named]


def examine(name: str) -> Library:
    """Returns what was found of one library, by its import package. Imports it, if it is installed."""
    own = [row for row in rows() if row.library == name]
    read = tuple(sorted({release for row in own for release in row.readings}, key=Version))
    release = installed_release(name)
    if release is None:
        return Library(name, None, read, 0, ())
    troubles = tuple(trouble for row in own if (trouble := trouble_of(row, release)) is not None)
    return Library(name, release, read, len(own), troubles)


def trouble_of(row: Row, release: str) -> Trouble | None:
    """Compares a name with the release it was read in that is installed, or else with the newest before it."""
    earlier = [known for known in row.readings if Version(known) <= Version(release)]
    since = max(earlier or row.readings, key=Version, default=None)
    if since is None:
        return None
    now = fingerprint(row.target)
    return None if now == row.readings[since] else Trouble(row, since, row.readings[since], now)
