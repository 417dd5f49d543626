"""Patterns as in .gitignore, from files that anybody may have written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pathspec

# A pattern becomes a regular expression, which tries each place for each `*`: with a dozen of them, a name as long as
# a name may be takes years.
_MOST_STARS = 4
_STARS = re.compile(r"\*+")


def spec(lines: Iterable[str]) -> pathspec.GitIgnoreSpec:
    """Returns the patterns of these lines. Invalid patterns, and those with more than four wildcards, are skipped."""
    import pathspec  # not imported at the start of the program, which is then quicker

    good = []
    for line in lines:
        if len(_STARS.findall(line)) > _MOST_STARS:
            continue
        try:
            pathspec.GitIgnoreSpec.from_lines([line])
            good.append(line)
        except ValueError:
            continue
    return pathspec.GitIgnoreSpec.from_lines(good)
