"""Docstrings have one form: the summary of a function says in the third person what it returns or does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.house.test_circles import ROOT, modules

IMPERATIVES = frozenset(
    """Add Apply Build Call Check Close Collect Compute Convert Copy Count Define Describe Do End Fill Find Follow Get
    Give Go Hide Import Join Keep List Load Look Make Mark Move Open Parse Prepare Print Put Raise Read Recognize Record
    Register Remove Rename Replace Report Return Rewrite Run Save Say Search Set Show Sort Split Start Stop Store Take
    Translate Try Turn Use Visit Wrap Write Yield""".split()  # noqa: SIM905  # a list of words
)
NAMING = frozenset(("A", "An", "Each", "Every", "The", "What", "Where", "Whether", "Why"))
"""First words of a summary that names a thing, as those of properties and classes do."""
SENTENCES = re.compile(r"(A|An|The) [^.:,]*? (is|follows|chooses|takes|has|checks|only|binds|refers) ")
"""Summaries that are whole sentences about what the function knows."""
NAMES_A_THING = ("property", "command", "group", "fixture")
"""Parts of decorators: click prints the docstring of a command, which is imperative as in other programs."""


def summaries() -> Iterator[tuple[str, str, bool]]:
    """Yields place, summary and whether it is a function's, of all modules and functions."""
    for path in modules().values():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            is_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            if not is_function and not isinstance(node, ast.Module):
                continue
            decorators = " ".join(map(ast.unparse, getattr(node, "decorator_list", ())))
            text = ast.get_docstring(node)
            if text and not any(part in decorators for part in NAMES_A_THING):
                yield f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}", text.splitlines()[0], is_function


def test_no_summary_is_imperative() -> None:
    assert [f"{place}: {text}" for place, text, _ in summaries() if re.split(r"\W", text)[0] in IMPERATIVES] == []


def test_summaries_of_functions_begin_with_a_verb() -> None:
    """ "Returns the table", not "The table": only properties and classes name a thing."""
    naming = [
        f"{place}: {text}"
        for place, text, is_function in summaries()
        if is_function and text.split()[0] in NAMING and not SENTENCES.match(text)
    ]
    assert naming == []
