"""The settings of a user: target, release, rules and limits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

TARGETS = ("compat", "bridge", "native")
FORMATS = ("text", "json", "sarif", "github", "html")
MAX_MEGABYTES = 5.0
MOST_MEGABYTES = 1000.0
MOST_CONFIGURED_MEGABYTES = 100.0
"""What a user, and what a pyproject.toml, which may be anybody's, may have read whole."""
# Rewrites of a program's structure or of its imports. They run only if the user names them.
_ONLY_BY_NAME = ("TFS", "TFG003")


def codes(listed: str) -> tuple[str, ...]:
    """Returns the codes in a text such as "TFN, PY2001"."""
    return tuple(code.strip().upper() for code in listed.split(",") if code.strip())


@dataclass(frozen=True)
class Settings:
    """One run's choices. `select` and `ignore` hold codes or their prefixes; an empty `select` is every rule.

    `extend_select` adds to either. `per_file_ignores` are (pattern, codes), patterns as in .gitignore, below `root`.
    """

    target: str = "compat"
    from_version: str = "auto"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    unsafe_fixes: bool = False
    max_bytes: int = int(MAX_MEGABYTES * 1_000_000)
    extend_select: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    root: str = ""
    idiomatic: bool = False

    def wants(self, code: str) -> bool:
        """Returns whether a rule is used."""
        if self.ignore and code.startswith(self.ignore):
            return False
        named = [prefix for prefix in self.select + self.extend_select if code.startswith(prefix)]
        family = next((family for family in _ONLY_BY_NAME if code.startswith(family)), None)
        if family is not None:
            return any(prefix.startswith(family) for prefix in named)
        return not self.select or bool(named)

    def at(self, path: str) -> Settings:
        """Returns the settings for one file: its `per_file_ignores` are among `ignore`."""
        if not self.per_file_ignores:
            return self
        more = tuple(
            code for pattern, listed in self.per_file_ignores if _fits(pattern, self.root, path) for code in listed
        )
        return replace(self, ignore=self.ignore + more, per_file_ignores=()) if more else self


@lru_cache(maxsize=4096)
def _fits(pattern: str, root: str, path: str) -> bool:
    from codemods import patterns

    try:
        inside = Path(path).resolve().relative_to(root)
    except ValueError:
        return False
    return patterns.spec([pattern]).match_file(inside.as_posix())
