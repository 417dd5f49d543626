"""`codemods explain` knows the codes of the target native, and the example of each code gets this finding."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from codemods.native.reasons import REASONS, Reason
from tests.codemods.test_cli import codemods

README = Path(__file__).parents[3] / "codemods" / "native" / "README.md"


@pytest.mark.parametrize("reason", [reason for reason in REASONS.values() if reason.example], ids=lambda r: r.code)
def test_the_example_gets_this_finding(reason: Reason, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(reason.example)
    out = codemods("check", tmp_path, "--target", "native").stdout.decode()
    assert re.findall(r"NAT\d+", out.replace("NAT000", "")) == [reason.code]


def test_codes_are_explained() -> None:
    text = codemods("explain", "nat007").stdout.decode()
    assert text.startswith("NAT007 (target native)\n") and "sess.run([train_op, w])" in text
    assert b"did you mean NAT00" in codemods("explain", "NAT099").stderr


def test_the_readme_names_every_code() -> None:
    assert set(re.findall(r"NAT\d+", README.read_text("utf-8"))) >= REASONS.keys()
