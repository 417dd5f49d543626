"""Builtins of a program are Python's own functions; only calls of them have an older meaning."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import pytest

from tf2bridge.program.imports import ProgramImports
from tf2bridge.v1.catalog import TREE

NUMBERS = "from numpy import float32\nvalues = [float32(0.1)] * 2\n"


def run(folder: Path, text: str, python2: bool = False) -> dict[str, Any]:
    """The names of a program after it ran."""
    from types import ModuleType

    path, module = folder / "program.py", ModuleType("program")
    path.write_text(text)
    ProgramImports(TREE, python2).run_file(path, str(path), module)
    return vars(module)


@pytest.mark.parametrize("python2", [False, True])
def test_each_builtin_is_that_of_python(python2: bool) -> None:
    own = ProgramImports(TREE, python2).builtins
    # An import statement looks for `__import__` there, so it must be ours.
    assert {name for name in vars(builtins) if own[name] is not getattr(builtins, name)} == {"__import__"}


def test_the_type_of_sum_is_that_of_builtin_functions(tmp_path: Path) -> None:
    names = run(tmp_path, "def f(): pass\nresult = isinstance(f, type(sum)), type(open) is type(len), sum is len")
    assert names["result"] == (False, True, False)


@pytest.mark.parametrize("call", ["sum(values)", "list(map(sum, [values]))[0]", "(lambda: sum(values))()"])
def test_sums_are_those_of_numpy_1(call: str, tmp_path: Path) -> None:
    assert run(tmp_path, f"{NUMBERS}result = {call}")["result"].dtype == "float64"  # as NumPy 1.18.5


def test_a_function_of_the_program_with_the_name_is_called(tmp_path: Path) -> None:
    text = "def sum(values): return 'own'\ndef f(open): return open('x')\nresult = sum([1]), f(len), round(2.5)"
    assert run(tmp_path, text)["result"] == ("own", 1, 2)


def test_round_of_python_2(tmp_path: Path) -> None:
    assert run(tmp_path, "result = round(2.5), type(round) is type(len)", python2=True)["result"] == (3.0, True)


def test_files_open_with_the_mode_of_then(tmp_path: Path) -> None:
    assert run(tmp_path, "result = open(__import__('sys').executable, 'rbU').mode")["result"] == "rb"
