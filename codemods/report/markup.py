"""Text as HTML shows it: nothing in it is markup, and nothing changes how the rest is shown."""

from __future__ import annotations

from html import escape

from codemods.printable import visible


def markup(text: str, keep: str = "") -> str:
    """The text, escaped; what cannot be shown is, but for `keep`, shown as an escape of Python's."""
    return escape(visible(text, keep))
