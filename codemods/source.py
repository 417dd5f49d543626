"""Bytes of a source file <-> text: encoding, byte-order mark, newlines. Python 2 text -> Python 3 (`to_python3`)."""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path

from codemods import python2
from codemods.errors import UndecodableError
from codemods.systems import reported

_NEWLINE = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class SourceFile:
    """A source text with all that is needed to give its bytes back. `path` is as it is reported."""

    path: str
    text: str
    encoding: str = "utf-8"
    bom: bool = False

    @property
    def newline(self) -> str:
        """The newline used where a line is added: the one that ends the first line."""
        match = _NEWLINE.search(self.text)
        return match.group() if match else "\n"

    def encode(self, text: str) -> bytes:
        """Returns the bytes of a new text of this file."""
        data = text.encode(self.encoding)
        return codecs.BOM_UTF8 + data if self.bom else data

    def place(self, line: int) -> tuple[int | None, int]:
        """Returns the cell of a notebook that a line of the text is in, or None, and the line as it is reported."""
        return None, line

    def lines(self, cell: int | None) -> list[str]:
        """Returns the lines as they are reported: those of the text, or of one cell."""
        return _NEWLINE.split(self.text) if cell is None else []


def decode(data: bytes, path: Path | str) -> SourceFile:
    """Reads bytes by their byte-order mark or coding cookie, as Python does.

    Raises UndecodableError if the encoding is unknown, does not fit, or would not give the same bytes back.
    """
    bom = data.startswith(codecs.BOM_UTF8)
    body = data[len(codecs.BOM_UTF8) :] if bom else data
    if b"\0" in body:
        raise UndecodableError(path, "it holds NUL bytes")
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        encoding = "utf-8" if encoding == "utf-8-sig" else encoding
        text = body.decode(encoding)
        if text.encode(encoding) != body:
            raise UndecodableError(path, f"{encoding} does not give the same bytes back")
    except (SyntaxError, UnicodeError, LookupError) as error:
        raise UndecodableError(path, str(error)) from error
    return SourceFile(reported(path), text, encoding, bom)


def to_python3(text: str, path: str) -> str:
    """Returns Python 3 text of the same meaning: `text` itself if it is Python 3 already.

    Raises UnparsableError if it is neither Python 3 nor Python 2.
    """
    return python2.convert(text, path) if python2.reasons(text) else text
