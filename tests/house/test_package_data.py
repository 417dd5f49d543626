"""Every file of the packages is in a wheel: modules, and the data files that pyproject.toml names by patterns."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
LEFT_BEHIND = (".pyc",)


@pytest.mark.parametrize("package", ["codemods", "tf2bridge"])
def test_data_files_are_in_a_wheel(package: str) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    patterns = settings["tool"]["setuptools"]["package-data"][package]
    packed = {path for pattern in patterns for path in (ROOT / package).glob(pattern)}
    files = [path for path in (ROOT / package).rglob("*") if path.is_file() and path.suffix not in LEFT_BEHIND]
    assert [path.relative_to(ROOT).as_posix() for path in files if path.suffix != ".py" and path not in packed] == []


@pytest.mark.parametrize("package", ["codemods", "tf2bridge"])
def test_folders_of_modules_are_packages(package: str) -> None:
    folders = {path.parent for path in (ROOT / package).rglob("*.py")}
    assert [folder.relative_to(ROOT).as_posix() for folder in folders if not (folder / "__init__.py").exists()] == []
