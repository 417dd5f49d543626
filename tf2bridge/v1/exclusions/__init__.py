"""Names that `tf2bridge.v1` does not supply, and why: the tables of the .toml files beside this one.

A table's name is a TF1 name without "tf.", or a pattern of such names (`contrib.tpu.*`). Its keys are `reason` (one of
REASONS), `why` (a sentence about the symbol), `use` (what to do instead) and `source` (a reference for it). A table
with `names`, separated by spaces, covers only these names of its namespace.
"""

from __future__ import annotations

import fnmatch
import functools
import sys
from dataclasses import dataclass
from pathlib import Path

REASONS = ("no kernel", "needs hardware", "needs network", "removed service", "another package", "replaced", "private")


@dataclass(frozen=True)
class Exclusion:
    """One table: the names that it covers, and the message for a program that uses one of them."""

    pattern: str
    reason: str
    why: str
    use: str
    source: str

    def covers(self, dotted: str) -> bool:
        """Returns whether the table covers the TF1 name `dotted`, or a namespace around it."""
        parts = dotted.split(".")
        prefixes = (".".join(parts[:count]) for count in range(len(parts), 0, -1))
        return any(fnmatch.fnmatchcase(prefix, self.pattern) for prefix in prefixes)


@functools.cache
def exclusions() -> tuple[Exclusion, ...]:
    """Returns all exclusions, longest (most specific) pattern first. Raises ValueError for a wrong table."""
    if sys.version_info >= (3, 11):  # imported here: it takes 4 ms, and only a refusal needs it
        import tomllib
    else:
        import tomli as tomllib
    entries = []
    for path in sorted(Path(__file__).parent.glob("*.toml")):
        for title, fields in tomllib.loads(path.read_text(encoding="utf-8")).items():
            patterns = [f"{title}.{name}" for name in fields.pop("names", "").split()] or [title]
            if set(fields) != {"reason", "why", "use", "source"} or fields["reason"] not in REASONS:
                raise ValueError(f"{path.name}: [{title!r}] needs reason (of {REASONS}), why, use and source")
            entries += [Exclusion(pattern, **fields) for pattern in patterns]
    return tuple(sorted(entries, key=lambda entry: -len(entry.pattern)))


def exclusion(dotted: str) -> Exclusion | None:
    """Returns the exclusion that covers a TF1 name, or None."""
    return next((entry for entry in exclusions() if entry.covers(dotted)), None)
