"""Hides IPython's syntax from Python, line by line, and restores it in the rewritten text.

`%matplotlib inline`, `!pip install x`, `files = !ls`, `tf.nn?` and the cells of other languages (`%%bash`) become
unused names or comments, on the same lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

# Cell magics whose cell is still Python.
_PYTHON_CELLS = frozenset({"time", "timeit", "capture", "prun", "debug", "memit", "mprun", "snakeviz", "px", "python3"})
_CELL = re.compile(r"\s*%%(\w*)")
_COMMAND = re.compile(r"(?P<head>\s*(?:[A-Za-z_][\w.,\[\] ]*=(?!=)\s*)?)(?P<command>(?:[%!]|\?{1,2}(?=\s*[\w%*])).*)")
_HELP = re.compile(r"(?P<head>\s*)(?P<command>[%\w.*\[\]()'\"]+\s*\?{1,2}\s*)\Z")
_MARK = re.compile(r"#?__codemods_hidden_(\d+)__")
_STRING = re.compile(r"[rRbBuUfF]{0,2}('''|\"\"\"|'|\")")


@dataclass
class Hidden:
    """The hidden texts, by number."""

    texts: list[str] = field(default_factory=list)

    def hide(self, text: str) -> str:
        """Returns the name that replaces a text."""
        self.texts.append(text)
        return f"__codemods_hidden_{len(self.texts) - 1}__"

    def hide_line(self, line: str) -> str:
        """Returns the comment that replaces a whole line, whatever its indentation."""
        body = line.rstrip("\r")
        return "#" + self.hide(body) + line[len(body) :]

    def show(self, text: str) -> str:
        """Returns the text with every hidden text restored."""
        return _MARK.sub(lambda match: self.texts[int(match[1])], text)


def hide(cell: str, hidden: Hidden) -> str:
    """Returns a cell's text as Python, with the same number of lines."""
    first = _CELL.match(cell)
    if first and first[1] not in _PYTHON_CELLS:
        return hide_all(cell, hidden)
    lines = cell.split("\n")
    state = _State()
    goes_on = False
    for number, line in enumerate(lines):
        body = line.rstrip("\r")
        if goes_on:
            lines[number] = hidden.hide_line(line)
            goes_on = body.endswith("\\")
            continue
        match = (_COMMAND.fullmatch(body) or _HELP.fullmatch(body)) if state.at_start else None
        if match:
            lines[number] = match["head"] + hidden.hide(match["command"]) + line[len(body) :]
            goes_on = body.endswith("\\")
        else:
            state.read(body)
    return "\n".join(lines)


def hide_all(cell: str, hidden: Hidden) -> str:
    """Returns a cell that is not Python, as comments."""
    return "\n".join(hidden.hide_line(line) if line.strip() else line for line in cell.split("\n"))


class _State:
    """Tells whether the next line starts a statement: no bracket, string or continued line is open."""

    def __init__(self) -> None:
        self.depth = 0
        self.quote = ""
        self.joined = False

    @property
    def at_start(self) -> bool:
        return not (self.depth or self.quote or self.joined)

    def read(self, line: str) -> None:
        """Goes through one line of Python."""
        at = 0
        while at < len(line):
            if self.quote:
                at = self._string(line, at)
                continue
            opened = _STRING.match(line, at)
            if opened:
                self.quote, at = opened[1], opened.end()
            elif line[at] == "#":
                break
            else:
                self.depth = max(0, self.depth + (line[at] in "([{") - (line[at] in ")]}"))
                at += 1
        if len(self.quote) == 1 and not line.endswith("\\"):
            self.quote = ""  # a string of one line that is never closed
        self.joined = not self.quote and line.endswith("\\") and "#" not in line

    def _string(self, line: str, at: int) -> int:
        """Returns where the open string ends on this line, or the line's end."""
        while at < len(line):
            if line[at] == "\\":
                at += 2
            elif line.startswith(self.quote, at):
                at += len(self.quote)
                self.quote = ""
                return at
            else:
                at += 1
        return at
