"""Names that a terminal, or what reads a log, would obey; and a check that nothing does."""

from __future__ import annotations

import unicodedata

CONTROLS = (
    "clear\x1b[2J",
    "title\x1b]0;owned\x07",
    "link\x1b]8;;http://example.invalid\x1b\\here",
    "c1\x9b2J",
    "erase\b\b\b\b\b",
    "over\rprinted",
    "line\n::error::forged",
    "line\n##[error]forged",
    "EQUAL: 9 tensors\vbit\fby bit",
    "reversed\u202egnp.exe",
    "isolate\u2066x\u2069",
    "mark\u200f\u061c",
    "nothing\u200b\u2060\ufeff",
    "paragraph\u2029\u2028",
    "next\x85",
    "delete\x7f",
    "tab\tbed",
    "[bold red]markup[/bold red]",
    "[/]closed",
    "a:smile:",
    "tag\U000e0041\U000e0042",
)
"""Each is a name that a file may have; of what begins with a control character the letters before say what it is."""


def check_only_text(printed: bytes) -> None:
    """Fails for bytes that are no text, for control characters but the end of a line, and for orders to a log."""
    text = printed.decode("utf-8")
    obeyed = [char for char in text if char != "\n" and unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs")]
    assert not obeyed, (obeyed, text)
    for line in text.splitlines():
        assert not line.lstrip().startswith(("::", "##[")), line
        assert not line.startswith("forged"), line
    assert "\ufe0f" not in text
    assert "😄" not in text, "a name is no shortcut for a picture"
