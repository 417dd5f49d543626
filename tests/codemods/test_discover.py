"""Which files a path means."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemods.discover import find_files
from codemods.errors import NoSuchPathError


def write(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("")


def names(root: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in find_files([root])]


def test_python_files_in_order(tmp_path: Path) -> None:
    write(tmp_path, "b.py", "a.py", "lib/c.py", "README.md", "lib/data.txt")
    assert names(tmp_path) == ["a.py", "b.py", "lib/c.py"]


def test_hidden_directories_and_caches_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, ".git/a.py", "__pycache__/a.py", ".venv/a.py", "venv/lib/a.py", "a.py")
    assert names(tmp_path) == ["a.py"]


def test_gitignore_is_respected_at_every_level(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "build/a.py", "lib/gen/a.py", "lib/keep.py", "lib/x_pb2.py")
    (tmp_path / ".gitignore").write_text("build/\n*_pb2.py\n")
    (tmp_path / "lib" / ".gitignore").write_text("gen\n")
    assert names(tmp_path) == ["a.py", "lib/keep.py"]


def test_a_nearer_gitignore_takes_back(tmp_path: Path) -> None:
    write(tmp_path, "lib/a_pb2.py", "b_pb2.py")
    (tmp_path / ".gitignore").write_text("*_pb2.py\n")
    (tmp_path / "lib" / ".gitignore").write_text("!a_pb2.py\n")
    assert names(tmp_path) == ["lib/a_pb2.py"]


def test_a_file_named_outright_is_taken(tmp_path: Path) -> None:
    write(tmp_path, "script", "a.py")
    (tmp_path / ".gitignore").write_text("a.py\n")
    result = find_files([tmp_path / "script", tmp_path / "a.py", tmp_path])
    assert [path.name for path in result] == ["script", "a.py"]


def test_notebooks_and_lists_of_requirements_are_taken(tmp_path: Path) -> None:
    write(tmp_path, "a.ipynb", "requirements-gpu.txt", "environment.yml", "notes.txt", "requirements/base.txt")
    assert names(tmp_path) == ["a.ipynb", "environment.yml", "requirements-gpu.txt", "requirements/base.txt"]


def test_a_missing_path_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NoSuchPathError, match="nowhere"):
        find_files([tmp_path / "nowhere"])
