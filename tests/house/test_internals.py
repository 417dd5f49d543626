"""Private names of TensorFlow are imported by the modules of tf2bridge.internals alone."""

from __future__ import annotations

import ast
import functools
import importlib
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fixtures.private_uses import private_uses
from tf2bridge import internals

PACKAGE = Path(__file__).parents[2] / "tf2bridge"
PRIVATE = ("tensorflow.python", "tensorflow.core")
APART = "proof/recording"
"""One file that runs within TensorFlow 0.12 to 1.15, without tf2bridge."""
AT_MOST = 12
SUBJECTS = [module.name for module in pkgutil.iter_modules(internals.__path__) if module.name != "loading"]


def imports(tree: ast.AST) -> Iterator[str]:
    """The modules that a file imports, by a statement or by a text that `import_module` or `supplier` gets."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "supplier")):
            yield from (str(text.value) for text in ast.walk(node) if isinstance(text, ast.Constant))


def trees() -> Iterator[tuple[str, ast.Module]]:
    """All other files."""
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        if not place.startswith((APART, "internals/")):
            yield place, ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def used() -> frozenset[str]:
    """All private names that other files use."""
    return frozenset(name for _, tree in trees() for name in private_uses(tree))


def test_no_other_file_imports_them() -> None:
    others = [place for place, tree in trees() if any(name.startswith(PRIVATE) for name in imports(tree))]
    assert others == []
    assert len(SUBJECTS) <= AT_MOST


def test_each_name_that_a_file_takes_from_there_is_there() -> None:
    for place, tree in trees():
        assert all(private_uses(tree)), place  # raises KeyError for a name that no table has


@pytest.mark.parametrize("subject", SUBJECTS)
def test_each_name_can_be_loaded_and_is_used(subject: str) -> None:
    module = importlib.import_module(f"tf2bridge.internals.{subject}")
    assert all(getattr(module, name) is not None for name in module.NAMES)
    assert set(module.NAMES.values()) <= used()


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"module 'tf2bridge.internals.framework' has no attribute 'absent'"):
        _ = internals.framework.absent


def test_importing_them_imports_nothing_of_tensorflow() -> None:
    code = "import sys; from tf2bridge.internals import framework, ops; print('tensorflow' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    assert done.stdout.strip() == "False"
