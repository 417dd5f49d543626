"""A row of the table: what became of a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Removed(NamedTuple):
    """What became of one name.

    Attributes:
        release: The first release that lacks it, such as "Python 3.8".
        new: The dotted name of what computes the same from the same arguments, such as "time.process_time"; a name
            without a dot is a builtin or a module. "" where no name does.
        hint: What a person can use where no name computes the same.
        not_run: Why `tf2bridge run` does not supply it; "" where it does.
        not_rewritten: Why codemods do not report it; "" where they do.
    """

    release: str
    new: str = ""
    hint: str = ""
    not_run: str = ""
    not_rewritten: str = ""


def renamed(release: str, names: Mapping[str, str], head: str = "") -> dict[str, Removed]:
    """Returns rows of names that one release removed, each with its new name; `head` stands before the old names."""
    return {head + old: Removed(release, new) for old, new in names.items()}


def of_kind(row: Removed, names: Iterable[str], head: str = "") -> dict[str, Removed]:
    """Returns the same row for several names."""
    return {head + name: row for name in names}
