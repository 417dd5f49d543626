"""No file of the packages is longer than what a reader takes in at once."""

from __future__ import annotations

from tests.house.test_circles import ROOT

MOST = 400
"""Lines of a file; 100 to 250 are usual."""


def test_no_file_is_long() -> None:
    sizes = {
        str(path.relative_to(ROOT)): path.read_bytes().count(b"\n")
        for package in ("tf2bridge", "codemods", "fixtures")
        for path in (ROOT / package).rglob("*.py")
    }
    assert {name: lines for name, lines in sizes.items() if lines > MOST} == {}
