"""What `import tf2bridge` costs, and what it shows."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import tf2bridge
from tf2bridge import checkpoint, proof, train

PACKAGES = pytest.mark.parametrize(
    "package", [tf2bridge, checkpoint, proof, train], ids=lambda package: str(package.__name__)
)


@PACKAGES
def test_every_public_name_is_shown_and_is_there(package: object) -> None:
    assert dir(package)
    assert all(getattr(package, name) is not None for name in dir(package))


@PACKAGES
def test_type_checkers_see_the_same_names_of_the_same_modules(package: ModuleType) -> None:
    assert imported_for_type_checkers(package) == package._PUBLIC


def imported_for_type_checkers(package: ModuleType) -> dict[str, str]:
    """Returns name -> module, from the imports under `if TYPE_CHECKING` in a package's `__init__.py`."""
    assert package.__file__ is not None
    tree = ast.parse(Path(package.__file__).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    modules: dict[str, str] = {}
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        for alias in node.names:
            assert alias.asname == alias.name, "`import x as x` is what exports a name"
            is_package = node.module == package.__name__
            modules[alias.name] = f"{node.module}.{alias.name}" if is_package else str(node.module)
    return modules


def test_another_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match=r"module 'tf2bridge\.train' has no attribute 'Superviser'"):
        _ = train.Superviser


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    code = "import sys, tf2bridge, tf2bridge.train, tf2bridge.checkpoint, tf2bridge.proof\n"
    code += "print({'tensorflow', 'numpy'} & {*sys.modules})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_migrate_and_its_page_leave_tensorflow_to_the_process_that_runs_the_program() -> None:
    code = "import sys\nfrom tf2bridge.migration import page, report, steps\nprint('tensorflow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
