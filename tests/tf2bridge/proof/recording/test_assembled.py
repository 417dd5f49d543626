"""The recorder as one file: its modules' names do not clash, and the oldest Python compiles it."""

from __future__ import annotations

import ast
import builtins
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests import oracles
from tests.tf2bridge.proof.recording.running import recorder
from tf2bridge.proof import recording
from tf2bridge.proof.recording.assembled import MODULES, assembled


def bound(node: ast.stmt) -> list[str]:
    """The names that a statement of a module binds."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]


def test_no_two_modules_bind_one_name() -> None:
    names = Counter(name for node in ast.parse(assembled()).body for name in bound(node))
    assert [name for name, count in names.items() if count > 1] == []
    assert [name for name in names if hasattr(builtins, name)] == []


def test_every_module_is_in_it() -> None:
    there = {path.stem for path in Path(recording.__file__).parent.glob("*.py")}
    assert there == {*MODULES, "__init__", "assembled"}


def test_nothing_of_the_package_is_imported() -> None:
    imported = [node for node in ast.walk(ast.parse(assembled())) if isinstance(node, ast.ImportFrom)]
    assert [node.module for node in imported] == ["tensorflow.python.framework", "tensorflow.python.client"]


def test_its_docstring_is_the_format() -> None:
    assert ast.get_docstring(ast.parse(assembled()), clean=False) == recording.__doc__


@pytest.mark.oracle
@pytest.mark.parametrize("release", ["0.12.1-py2", "1.4.1"])
def test_python_2_7_and_3_6_compile_it(release: str) -> None:
    code = f"compile(open({str(recorder())!r}).read(), 'recorder.py', 'exec')"
    subprocess.run([oracles.interpreter(release), "-c", code], check=True)
