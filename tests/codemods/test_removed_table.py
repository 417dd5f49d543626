"""Codemods report every name that codemods.removed lists, or the table says why not."""

from __future__ import annotations

import pytest

from codemods.engine import check_text
from codemods.removed import of_methods, of_modules, table
from codemods.removed.row import Removed
from codemods.results import Changed, Unchanged
from codemods.settings import Settings


def codes(program: str) -> set[str]:
    """The codes of what a check says of a program."""
    result = check_text(program, "program.py", Settings(unsafe_fixes=True))
    assert isinstance(result, Changed | Unchanged), result
    return {finding.code for finding in result.findings}


@pytest.mark.parametrize(("name", "row"), table().items(), ids=table())
def test_a_name_is_reported(name: str, row: Removed) -> None:
    module = name.rpartition(".")[0]
    program = f"import {module}\nvalue = {name}\n"
    called = f"import {module}\nvalue = {name}(x, y)\nother = {name}[x](y)\n"  # some rules treat calls alone
    assert bool(codes(program) | codes(called)) != bool(row.not_rewritten)
    assert not row.not_rewritten or row.hint


@pytest.mark.parametrize(("name", "row"), of_modules.NAMES.items(), ids=of_modules.NAMES)
def test_a_name_of_a_removed_module_is_reported(name: str, row: Removed) -> None:
    module, _, last = name.rpartition(".")
    assert bool(codes(f"from {module} import {last}\n")) != bool(row.not_rewritten)


@pytest.mark.parametrize(
    ("name", "row"), {**of_modules.MODULES, **of_modules.OTHERS}.items(), ids=[*of_modules.MODULES, *of_modules.OTHERS]
)
def test_a_removed_module_is_reported(name: str, row: Removed) -> None:
    assert bool(codes(f"from {name} import anything\n")) != bool(row.not_rewritten)


@pytest.mark.parametrize("name", {**of_methods.ASSERTIONS, **of_methods.METHODS})
def test_a_removed_method_is_reported(name: str) -> None:
    module, method = name.split(".")[0], name.rpartition(".")[2]
    arguments = "" if method == "getchildren" else "x"
    assert codes(f"import {module}\nself.{method}({arguments})\n")


def test_every_row_says_what_stands_for_the_name() -> None:
    for name, row in {**table(), **of_modules.NAMES, **of_methods.METHODS, **of_methods.ASSERTIONS}.items():
        assert row.release and bool(row.new) != bool(row.hint), name
