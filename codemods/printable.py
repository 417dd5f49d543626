"""Text from outside, such as names of files and quotes of sources, as a terminal or a log may show it.

A name can hold sequences that a terminal obeys, a newline that forges a line of its own, marks that reverse the order
of what follows, and bytes that are no text. All of it is shown as an escape; a backslash alone stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# What build servers obey: GitHub `::error::` where a line begins and `##[error]` anywhere, Azure and TeamCity `##vso[`.
_ORDERS = re.compile(r"(?<=#)#(?=\w*\[)|^ *:(?=:)")


def printable(text: object) -> str:
    """The text on one line that is nothing but text, to a terminal and to the log of a build server."""
    shown = visible(str(text))
    if "##" not in shown and "::" not in shown:
        return shown
    return _ORDERS.sub(lambda match: match[0][:-1] + _escape(match[0][-1]), shown)


def printable_lines(lines: Iterable[str]) -> str:
    """The lines, each as `printable` shows it, with line breaks between them; fast where all are plain."""
    kept = list(lines)
    text = "\n".join(kept)
    if all(map(str.isprintable, kept)) and "##" not in text and "::" not in text:
        return text
    return "\n".join(map(printable, kept))


def visible(text: str, keep: str = "") -> str:
    """The text with an escape for each character that Python calls not printable.

    `keep` are characters that stay as they are, such as "\\t" in a line of source.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in keep else _escape(char) for char in text)


def unicode_text(text: str) -> str:
    """The text with an escape for what is no Unicode alone: for formats that have escapes of their own for the rest."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join(_escape(char) if "\ud800" <= char <= "\udfff" else char for char in text)
    return text


def _escape(char: str) -> str:
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a name that is not UTF-8, as os.fsdecode gives it
        code -= 0xDC00
    short = {0x09: "\\t", 0x0A: "\\n", 0x0D: "\\r"}.get(code)
    return short or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
