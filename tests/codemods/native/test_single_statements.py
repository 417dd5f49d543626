"""Statements that share a line get a line each, and keep the number of theirs."""

from __future__ import annotations

from codemods.native.single_statements import with_single_statements


def test_each_statement_gets_its_line() -> None:
    text = "a = f(1,\n    2); b = 3;  # both\nif a:\n    c = ';'; d = 4\n    e = 5;\n"
    wanted = "a = f(1,\n    2)\nb = 3  # both\nif a:\n    c = ';'\n    d = 4\n    e = 5\n"
    assert with_single_statements(text) == (wanted, (1, 2, 2, 3, 4, 4, 5))


def test_statements_behind_a_colon_stay() -> None:
    assert with_single_statements("if a: b = 1; c = 2\nd = 'a;b'  # e; f\n") is None
