"""Escapes text for HTML, so that nothing in it is markup or changes how the page is shown."""

from __future__ import annotations

from html import escape

from codemods.printable import visible


def markup(text: str, keep: str = "") -> str:
    """Returns the escaped text. Control characters become Python's escapes, except those in `keep`."""
    return escape(visible(text, keep))
