"""The inventory of the names that we replace in other libraries, and of the private names that we use, as data.

fixtures/inventory.py writes `inventory.tsv`: a name of another library, our modules that need it, and its fingerprint
in each release in which it was read.
"""

from __future__ import annotations

import csv
import functools
import importlib.metadata
import platform
from dataclasses import dataclass
from pathlib import Path

from packaging.version import Version

TABLE = Path(__file__).with_name("inventory.tsv")
PYTHON = "python"
DISTRIBUTIONS = {
    "tensorflow": ("tensorflow", "tensorflow-cpu", "tf-nightly", "tf-nightly-cpu"),
    "tf_keras": ("tf_keras", "tf-keras", "tf-keras-nightly"),
    "keras": ("keras", "keras-nightly"),
    "absl": ("absl-py",),
    "numpy": ("numpy",),
}
"""Import package -> the distributions that hold it, under any of their names."""


@dataclass(frozen=True)
class Row:
    """A name of another library.

    Attributes:
        target: "module:Class.name", or "module".
        users: Our modules that replace or use it, without "tf2bridge.".
        readings: Release of the library -> the fingerprint in it.
    """

    target: str
    users: tuple[str, ...]
    readings: dict[str, str]

    @property
    def library(self) -> str:
        """The import package that holds it; "python" for the standard library."""
        head = self.target.partition(":")[0].partition(".")[0]
        return head if head in DISTRIBUTIONS else PYTHON


@functools.cache
def rows() -> tuple[Row, ...]:
    """Returns the whole inventory."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file, delimiter="\t"))[1:]
    return tuple(Row(target, tuple(users.split()), _readings(text)) for target, users, text in lines)


def _readings(text: str) -> dict[str, str]:
    """Reads "2.20.0,2.21.0=class; 2.22.0=missing"."""
    pairs = (part.partition("=") for part in text.split("; ") if part)
    return {release: value for releases, _, value in pairs for release in releases.split(",")}


def written(readings: dict[str, str]) -> str:
    """Returns the readings of a row as its last column holds them."""
    by_value: dict[str, list[str]] = {}
    for release, value in sorted(readings.items(), key=lambda item: Version(item[0])):
        by_value.setdefault(value, []).append(release)
    return "; ".join(f"{','.join(releases)}={value}" for value, releases in by_value.items())


def installed_release(library: str) -> str | None:
    """Returns the installed release of a library, or None: of Python only major and minor."""
    if library == PYTHON:
        return ".".join(platform.python_version_tuple()[:2])
    for name in DISTRIBUTIONS[library]:
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return None
