"""Keeps what a program prints."""

import sys

from tf2bridge.proof.recording.encoding import as_text

TYPE_CHECKING = False
if TYPE_CHECKING:  # never true: Python 2.7 has no typing
    from typing import Any

MEMBER = "printed.txt"
_KEPT_CHARACTERS = 1 << 20


class Printed(object):
    """Stands for `sys.stdout`, passes on what is written to it, and keeps the beginning of it."""

    def __init__(self):
        # type: () -> None
        self._stream = sys.stdout  # type: Any
        self._texts, self._left = [], _KEPT_CHARACTERS  # type: list[str], int

    def install(self):
        # type: () -> None
        """Takes the place of `sys.stdout`."""
        self._stream = sys.stdout
        sys.stdout = self

    def remove(self):
        # type: () -> None
        """Gives the place back, unless the program has put something else there."""
        if sys.stdout is self:
            sys.stdout = self._stream

    def write(self, text):
        # type: (Any) -> Any
        """Writes a text to the stream, and keeps it."""
        encoding = getattr(self._stream, "encoding", None)
        if not isinstance(text, (str, bytes)) and encoding:  # Python 2 does this for a file, and not for others
            text = text.encode(encoding)
        written = self._stream.write(text)
        kept = as_text(text)
        self._texts.append(kept[: max(self._left, 0)])
        self._left -= len(kept)
        return written

    def writelines(self, texts):
        # type: (Any) -> None
        """Writes several texts."""
        for text in texts:
            self.write(text)

    def __getattr__(self, name):
        # type: (str) -> Any
        return getattr(self._stream, name)

    def write_to(self, folder):
        # type: (Any) -> None
        """Adds what was printed to the folder of a recording, in UTF-8, and whether its end was left out."""
        text = "".join(self._texts).encode("utf-8", "replace")
        if text:
            folder.member(MEMBER, [text])
            folder.event("printed", [("member", MEMBER), ("cut", self._left < 0)])
