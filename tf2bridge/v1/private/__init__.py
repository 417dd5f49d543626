"""The public names of the objects that private modules of TensorFlow 1.x defined.

fixtures/private_names.py builds the data beside this file from the genuine releases. They are read at first use. A row
of homes.tsv.gz is: module, releases (hexadecimal, bit 0 is the oldest), public namespace, names. `name=other` is a name
whose public name is `other`. contrib.json lists the names that `candidates` does not find.
"""

from __future__ import annotations

import functools
import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from tf2bridge.behaviour.release import MEASURED

_HERE = Path(__file__).parent
PATHS = ("python", "core", "tools", "models", "examples", "compiler")
"""The packages below `tensorflow` that were private as a whole; in contrib, each part had a package `python`."""


def is_private(path: str) -> bool:
    """Returns whether the dotted path is a private package or below one."""
    parts = path.split(".")
    return parts[0] in PATHS or (parts[0] in ("contrib", "lite") and "python" in parts[1:])


def home(path: str, name: str, release: str | None = None) -> str | None:
    """Returns the public name of `name` in the private module `path` of a release, or None.

    Without a release, the newest release with a public name decides. contrib has one list for all releases.
    """
    if path.startswith("contrib"):
        return _contrib(path).get(name)
    of_releases = _homes().get((path, name), {})
    if release is None:
        return next((of_releases[known] for known in reversed(MEASURED) if known in of_releases), None)
    return of_releases.get(release)


def candidates(path: str, name: str) -> Iterator[str]:
    """Yields possible public names of `name` in the private module `path` of contrib, the likeliest first.

    `contrib.slim.python.slim.nets.vgg` and `vgg_16` give contrib.slim.nets.vgg.vgg_16 and contrib.slim.vgg_16 among
    others.
    """
    contrib, area, *rest = path.split(".")
    parts = [part for part in rest if part != "python"]
    if parts and parts[0] == area:
        parts = parts[1:]
    for first in range(len(parts)):
        for last in range(len(parts), first, -1):
            yield ".".join([contrib, area, *parts[first:last], name])
    yield f"{contrib}.{area}.{name}"


def _contrib(path: str) -> dict[str, str]:
    """Returns name -> public name for a module of contrib, for the listed names."""
    rows = _contrib_rows().get(path, {}).items()
    return dict(_name(public, text) for public, listed in rows for text in listed.split())


@functools.cache
def _contrib_rows() -> dict[str, dict[str, str]]:
    rows: dict[str, dict[str, str]] = json.loads((_HERE / "contrib.json").read_text(encoding="utf-8"))["homes"]
    return rows


@functools.cache
def _homes() -> dict[tuple[str, str], dict[str, str]]:
    """Returns (module, name in it) -> release -> public name."""
    homes: dict[tuple[str, str], dict[str, str]] = {}
    for line in gzip.decompress((_HERE / "homes.tsv.gz").read_bytes()).decode().splitlines():
        path, mask, public, listed = line.split("\t")
        having = [release for bit, release in enumerate(MEASURED) if int(mask, 16) >> bit & 1]
        for text in listed.split():
            name, dotted = _name(public, text)
            homes.setdefault((path, name), {}).update(dict.fromkeys(having, dotted))
    return homes


def _name(public: str, text: str) -> tuple[str, str]:
    """Returns (name in the module, public name) for an entry of the files."""
    own, _, public_name = text.partition("=")
    return own, f"{public}.{public_name or own}".lstrip(".")
