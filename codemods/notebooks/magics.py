"""IPython's own syntax hidden from Python, line for line, and shown again in the rewritten text.

`%matplotlib inline`, `!pip install x`, `files = !ls`, `tf.nn?` and the cells of other languages (`%%bash`) become
names that nobody uses; each stands on the line, and in the column, of what it hides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

# Cell magics whose cell is still Python.
_PYTHON_CELLS = frozenset({"time", "timeit", "capture", "prun", "debug", "memit", "mprun", "snakeviz", "px", "python3"})
_CELL = re.compile(r"\s*%%(\w*)")
_COMMAND = re.compile(r"(?P<head>\s*(?:[A-Za-z_][\w.,\[\] ]*=(?!=)\s*)?)(?P<command>(?:[%!]|\?{1,2}(?=\s*[\w%*])).*)")
_HELP = re.compile(r"(?P<head>\s*)(?P<command>[%\w.*\[\]()'\"]+\s*\?{1,2}\s*)\Z")
_MARK = re.compile(r"__codemods_hidden_(\d+)__")
_STRING = re.compile(r"[rRbBuUfF]{0,2}('''|\"\"\"|'|\")")


@dataclass
class Hidden:
    """What is hidden, by number."""

    texts: list[str] = field(default_factory=list)

    def hide(self, text: str) -> str:
        """The name that stands for a text."""
        self.texts.append(text)
        return f"__codemods_hidden_{len(self.texts) - 1}__"

    def show(self, text: str) -> str:
        """The text with everything hidden put back."""
        return _MARK.sub(lambda match: self.texts[int(match[1])], text)


def hide(cell: str, hidden: Hidden) -> str:
    """A cell's text as Python, with as many lines as it had."""
    first = _CELL.match(cell)
    if first and first[1] not in _PYTHON_CELLS:
        return "\n".join(hidden.hide(line) if line.strip() else line for line in cell.split("\n"))
    lines = cell.split("\n")
    state = _State()
    continues = False
    for number, line in enumerate(lines):
        if continues or state.at_start:
            match = None if continues else (_COMMAND.fullmatch(line) or _HELP.fullmatch(line))
            if continues or match:
                head = re.match(r"\s*", line).group() if match is None else match["head"]  # type: ignore[union-attr]
                ended = line.rstrip("\r")
                lines[number] = head + hidden.hide(ended[len(head) :]) + line[len(ended) :] if line.strip() else line
                continues = ended.endswith("\\")
                continue
        state.read(line)
    return "\n".join(lines)


class _State:
    """Whether the next line starts a statement: no bracket, string or backslash is open."""

    def __init__(self) -> None:
        self.depth = 0
        self.quote = ""
        self.joined = False

    @property
    def at_start(self) -> bool:
        return not (self.depth or self.quote or self.joined)

    def read(self, line: str) -> None:
        """Go through one line of Python."""
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
        ended = line.rstrip("\r")
        if len(self.quote) == 1 and not ended.endswith("\\"):
            self.quote = ""  # a string of one line that nobody closed
        self.joined = not self.quote and ended.endswith("\\") and "#" not in ended

    def _string(self, line: str, at: int) -> int:
        """Where the open string ends on this line, or the line's end."""
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
