"""What lay behind the public names of TensorFlow 1.x: the public names that its private modules defined.

The data beside this file are built from the genuine releases by fixtures/private_names.py and read on first use.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from codemods.symbols import names

PATHS = ("python", "core", "tools", "models", "examples", "compiler")
"""The packages below `tensorflow` that were private as a whole; in contrib, each part had a package `python`."""


def is_private(path: str) -> bool:
    """Whether the dotted path is below a private package, or is one."""
    parts = path.split(".")
    return parts[0] in PATHS or (parts[0] in ("contrib", "lite") and "python" in parts[1:])


def home(path: str, name: str) -> str | None:
    """The public name of `name` of the module `path` where only the list knows it, else None."""
    for public, listed in _data(path)["homes"].get(path, {}).items():
        for each in listed.split():
            own, _, other = each.partition("=")
            if own == name:
                return f"{public}.{other or own}".lstrip(".")
    return None


def candidates(path: str, name: str) -> Iterator[str]:
    """The public names that `name` of the private module `path` of contrib may have, the likeliest first.

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


def namesake(name: str) -> str | None:
    """The public name of the core that ends in `name`, the shortest of them; None if that is not one.

    Modules of TensorFlow 1.x showed what they had imported too: `python.framework.graph_util` all of `graph_util_impl`.
    """
    found = _by_last_part().get(name, [])
    shortest = [each for each in found if each.count(".") == min(other.count(".") for other in found)]
    return shortest[0] if len(shortest) == 1 else None


@functools.cache
def _by_last_part() -> dict[str, list[str]]:
    elsewhere = tuple(f"{path}." for path in ("contrib", "keras", "compat", *PATHS))
    found: dict[str, list[str]] = {}
    for name in names():
        if not name.startswith(elsewhere):
            found.setdefault(name.rpartition(".")[2], []).append(name)
    return found


@functools.cache
def _data(path: str) -> dict[str, Any]:
    return _file("contrib" if path.startswith("contrib") else "python")


@functools.cache
def _file(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8"))
    return data
