"""Long chains of operators: their trees are those of Python's own parser, which goes less deep."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import codemods
from codemods import chains, deep, parsing

OWN = sorted(Path(codemods.__file__).parent.rglob("*.py"))

PROGRAMS = [
    "f(a + b + c + d, k=g * h * i * j + 1 + 2 + 3)",
    "x = (a\n + b # c\n +é\n - -d) ; y = 1",
    "x = a + \\\n b + 'é' + c + d; z = 2",
    "x = (a*b*c*d) + -e**-f*g*h*i + [i for i in j+k+l+m] + lambda_",
    "def f(*a, **b):\n  return a+b+c+d if a%b%c%d else f(*a+b+c+d, **e|f|g|h)",
    "x = f'{a+b+c+d}' + '' 'x' + c.d(1)[2] + e ; x += 1+1+1+1",
    "@a\ndef f(x: int=1+2+3+4): await b + c + d + e",
    "x = ((a + b + c + d)) + e + f + (g + h + i + j) + 1",
    "x = '''a\nb''' + c + d + e + 'f'",
    "x = not a + b + c + d and e | f | g ^ h ^ i ^ j | k",
    "x = -a // b // c // d; y = {1: a<<b<<c>>d, **a|b|c|d}; z = s[a+b+c+d:1+2+3+4]",
    "for x in a @ b @ c @ d: x = (yield a+b+c+d)",
]


def check_same_tree(text: str) -> None:
    tree = deep.parse(text)
    assert tree is not None
    assert ast.dump(tree, include_attributes=True) == ast.dump(ast.parse(text), include_attributes=True)


@pytest.mark.parametrize("text", PROGRAMS)
def test_a_chain_has_the_tree_of_python(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chains, "LONGEST", 2)
    check_same_tree(text)


def test_all_chains_of_whole_files_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chains, "LONGEST", 1)
    texts = [path.read_text(encoding="utf-8") for path in OWN]
    with_chains = [text for text in texts if chains.chains_of(text)]
    assert len(with_chains) > 10
    for text in with_chains:
        check_same_tree(text)


def test_a_text_without_long_chains_is_left_to_python() -> None:
    assert deep.parse("x = a + b\n") is None
    assert deep.parse("x = (") is None


@pytest.mark.parametrize("terms", [5_000, 20_000])
def test_terms_are_parsed_by_every_python(terms: int) -> None:
    node = parsing.parse("x = " + "\n + ".join(["(y)"] * terms).join("()")).body[0]
    assert isinstance(node, ast.Assign)
    value, depth = node.value, 1
    assert (value.end_lineno, value.end_col_offset) == (terms, 6)
    while isinstance(value, ast.BinOp):
        value, depth = value.left, depth + 1
    assert depth == terms


def test_what_is_too_deep_otherwise_says_so() -> None:
    text = "x = " + "-" * 50_000 + "1"
    with pytest.raises(SyntaxError, match="too deeply nested to parse"):
        parsing.parse(text)
