"""Parts of self-contained HTML pages: a template and what is filled into it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

_STYLE = Path(__file__).with_name("page.css")
_MOST = 500


def filled_page(template: Path, parts: Mapping[str, str]) -> str:
    """Returns a template with HTML in place of its marks, such as `<!--TITLE-->`.

    `<!--STYLE-->`, if it is there, stands for the style that the pages share.

    Args:
        template: The file.
        parts: The name of each mark -> the HTML.
    """
    text = template.read_text("utf-8").replace("<!--STYLE-->", _STYLE.read_text("utf-8"))
    for mark, part in parts.items():  # in pieces, so that a mark within a part is not taken for one
        before, mark_found, after = text.partition(f"<!--{mark}-->")
        assert mark_found, mark
        text = before + part.replace("<!--", "&lt;!--") + after
    return text


def section(heading: str, body: str) -> str:
    """Returns a section with a heading, or nothing if the body is empty."""
    return f"<section><h2>{escape(heading)}</h2>{body}</section>" if body else ""


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Returns a table of texts, the first 500 rows of it; nothing if there are no rows."""
    if not rows:
        return ""
    lines = "".join(f"<tr>{''.join(f'<td>{escape(cell)}' for cell in row)}" for row in rows[:_MOST])
    more = f"<p>and {len(rows) - _MOST} more</p>" if len(rows) > _MOST else ""
    return f"<table><tr>{''.join(f'<th>{escape(head)}' for head in heads)}</tr>{lines}</table>{more}"


def inert_json(data: Any) -> str:
    """Returns JSON for a script element, without a text that could end the element."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
