"""Makes text from outside, such as file names and quotes of sources, safe for a terminal or a log.

A name may contain control sequences of terminals, a newline that forges a line, marks that reverse the direction of
text, and bytes that are no text. All of these are shown as escapes. A backslash alone stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# Commands of build servers: `::error::` at the start of a line and `##[error]` anywhere (GitHub), `##vso[` (Azure).
_ORDERS = re.compile(r"(?<=#)#(?=\w*\[)|^ *:(?=:)")


def printable(text: object) -> str:
    """Returns the text on one line, without commands for a terminal or a build server."""
    shown = visible(str(text))
    if "##" not in shown and "::" not in shown:
        return shown
    return _ORDERS.sub(lambda match: match[0][:-1] + _escape(match[0][-1]), shown)


def printable_lines(lines: Iterable[str]) -> str:
    """Returns the lines, each as `printable` returns it, with line breaks between. It is fast if all are plain."""
    kept = list(lines)
    text = "\n".join(kept)
    if all(map(str.isprintable, kept)) and "##" not in text and "::" not in text:
        return text
    return "\n".join(map(printable, kept))


def visible(text: str, keep: str = "") -> str:
    """Returns the text with an escape for each character that Python calls not printable.

    Characters in `keep`, such as "\\t" in a line of source, stay as they are.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in keep else _escape(char) for char in text)


def unicode_text(text: str) -> str:
    """Returns the text with escapes for surrogates alone. Formats such as JSON have their own escapes for the rest."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join(_escape(char) if "\ud800" <= char <= "\udfff" else char for char in text)
    return text


def _escape(char: str) -> str:
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # os.fsdecode makes this of a byte that is not UTF-8
        code -= 0xDC00
    short = {0x09: "\\t", 0x0A: "\\n", 0x0D: "\\r"}.get(code)
    return short or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
