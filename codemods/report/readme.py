"""Writes the table of rules into a README: `python -m codemods.report.readme codemods/rules/README.md`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from codemods.report.catalogue import markdown

_TABLE = re.compile(r"(<!-- rules -->\n)(.*?)(<!-- end of rules -->)", re.DOTALL)


def current(text: str) -> str:
    """Returns the text with the current table of rules. Raises ValueError if the marks around the table are missing."""
    if not _TABLE.search(text):
        raise ValueError("no <!-- rules --> and <!-- end of rules -->")
    return _TABLE.sub(lambda match: f"{match[1]}\n{markdown()}\n\n{match[3]}", text)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(current(Path(name).read_text("utf-8")), "utf-8", newline="\n")
