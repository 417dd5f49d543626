"""What `tf2bridge.v1` does not supply, and why: the tables of the .toml files beside this one.

A table's name is a TF1 name without "tf.", or a pattern of such names (`contrib.tpu.*`); it holds `reason` (one of
REASONS), `why` (a sentence about this symbol), `use` (what to do instead) and `source` (where that can be looked up).
With `names`, separated by spaces, it is about these names of that namespace alone.
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
    """One table: the names that it covers, and what a program that uses one of them is told."""

    pattern: str
    reason: str
    why: str
    use: str
    source: str

    def covers(self, dotted: str) -> bool:
        """Whether the TF1 name `dotted`, or a namespace that it lies in, is one of these."""
        parts = dotted.split(".")
        prefixes = (".".join(parts[:count]) for count in range(len(parts), 0, -1))
        return any(fnmatch.fnmatchcase(prefix, self.pattern) for prefix in prefixes)


@functools.cache
def exclusions() -> tuple[Exclusion, ...]:
    """All of them, the longest pattern first: it says most about a name. Raises ValueError for a wrong table."""
    if sys.version_info >= (3, 11):  # here, as it would take 4 ms of each start, and only a refusal needs it
        import tomllib
    else:
        import tomli as tomllib
    found = []
    for path in sorted(Path(__file__).parent.glob("*.toml")):
        for title, fields in tomllib.loads(path.read_text(encoding="utf-8")).items():
            patterns = [f"{title}.{name}" for name in fields.pop("names", "").split()] or [title]
            if set(fields) != {"reason", "why", "use", "source"} or fields["reason"] not in REASONS:
                raise ValueError(f"{path.name}: [{title!r}] needs reason (of {REASONS}), why, use and source")
            found += [Exclusion(pattern, **fields) for pattern in patterns]
    return tuple(sorted(found, key=lambda each: -len(each.pattern)))


def exclusion(dotted: str) -> Exclusion | None:
    """The exclusion that covers a TF1 name, or None."""
    return next((each for each in exclusions() if each.covers(dotted)), None)
