"""Compares the installed libraries with the inventory of the names that we replace or use in them."""

from __future__ import annotations

from dataclasses import dataclass

from packaging.version import Version

from tf2bridge.patching.fingerprints import MISSING, fingerprint
from tf2bridge.patching.inventory import DISTRIBUTIONS, PYTHON, Row, installed_release, rows


@dataclass(frozen=True)
class Trouble:
    """A name whose content has changed since it was read.

    Attributes:
        row: Its row in the inventory.
        since: The release to which it is compared.
        before: Its fingerprint in that release.
        now: Its fingerprint in the installed release.
    """

    row: Row
    since: str
    before: str
    now: str

    @property
    def kind(self) -> str:
        """Returns what is wrong: "missing", "new" (the library now has a name that we add), or "changed"."""
        return "missing" if self.now == MISSING else "new" if self.before == MISSING else "changed"


@dataclass(frozen=True)
class Library:
    """The result for one library.

    Attributes:
        name: Its import package, or "python".
        release: The installed release; None if it is not installed.
        read: The releases in which the inventory was read, newest last.
        names: How many of its names were compared.
        troubles: The names that have changed.
    """

    name: str
    release: str | None
    read: tuple[str, ...]
    names: int
    troubles: tuple[Trouble, ...]

    @property
    def verdict(self) -> str:
        """Returns the result in one line."""
        if self.release is None:
            return f"{self.name}: not installed"
        known = "" if self.release in self.read else f", which was not tried; the last tried is {self.read[-1]}"
        count = f"{self.names} name{'' if self.names == 1 else 's'}"
        result = f"{len(self.troubles)} not as they were" if self.troubles else "all as they were"
        return f"{self.name} {self.release}{known}: {count}, {result}"


def examine_all() -> list[Library]:
    """Returns the result for each library of the inventory. Imports the installed ones."""
    named = {row.library for row in rows()}
    return [examine(name) for name in (*DISTRIBUTIONS, PYTHON) if name in named]


def examine(name: str) -> Library:
    """Returns the result for one library, given by its import package. Imports it if it is installed."""
    own = [row for row in rows() if row.library == name]
    read = tuple(sorted({release for row in own for release in row.readings}, key=Version))
    release = installed_release(name)
    if release is None:
        return Library(name, None, read, 0, ())
    troubles = tuple(trouble for row in own if (trouble := trouble_of(row, release)) is not None)
    return Library(name, release, read, len(own), troubles)


def trouble_of(row: Row, release: str) -> Trouble | None:
    """Compares a name with its reading in the installed release, or else in the newest release before it."""
    earlier = [known for known in row.readings if Version(known) <= Version(release)]
    since = max(earlier or row.readings, key=Version, default=None)
    if since is None:
        return None
    now = fingerprint(row.target)
    return None if now == row.readings[since] else Trouble(row, since, row.readings[since], now)
