"""Draws charts of counts as inline SVG, without scripts or image files. The page's style sets the colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codemods.report.markup import markup

_WIDTH, _ROW, _LABEL, _NUMBER = 640, 24, 220, 56


def bars(title: str, rows: Sequence[tuple[str, Mapping[str, int]]]) -> str:
    """Returns horizontal bars, one for each row, with parts by CSS class and the row's sum at the end."""
    most = max((sum(parts.values()) for _, parts in rows), default=0)
    if not most:
        return ""
    room = _WIDTH - _LABEL - _NUMBER
    body = [_row(label, parts, place * _ROW, room / most) for place, (label, parts) in enumerate(rows)]
    height = len(rows) * _ROW
    return (
        f'<figure><figcaption>{markup(title)}</figcaption><svg role="img" aria-label="{markup(title)}" '
        f'viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}">{"".join(body)}</svg></figure>'
    )


def _row(label: str, parts: Mapping[str, int], top: int, scale: float) -> str:
    short = label if len(label) <= 28 else "…" + label[-27:]
    middle = top + _ROW / 2 + 4
    drawn = [
        f'<text x="{_LABEL - 8}" y="{middle}" text-anchor="end">{markup(short)}<title>{markup(label)}</title></text>'
    ]
    at = float(_LABEL)
    for name, number in parts.items():
        width = number * scale
        drawn.append(
            f'<rect class="{name}" x="{at:.1f}" y="{top + 4}" width="{width:.1f}" height="{_ROW - 8}">'
            f"<title>{markup(label)}: {number} {markup(name)}</title></rect>"
        )
        at += width
    drawn.append(f'<text class="number" x="{at + 6:.1f}" y="{middle}">{sum(parts.values())}</text>')
    return "".join(drawn)
