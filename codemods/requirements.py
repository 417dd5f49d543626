"""Reads requirements files and conda environments: their packages become nodes for rules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import PurePath

from codemods import releases
from codemods.facts import Facts
from codemods.names import Names, Scope

_NAMES = re.compile(r"(?:.*requirements.*\.(?:txt|in|pip)|(?:conda|environment).*\.ya?ml)\Z", re.IGNORECASE)
_PIP = re.compile(r"[ \t]*(?![-#\s])(?P<package>[^#;\r\n]*[^#;\r\n\s])")
_CONDA = re.compile(r"[ \t]*-[ \t]+[\"']?(?P<package>[A-Za-z0-9][^#\"'\r\n:]*[^#\"'\r\n:\s])[\"']?[ \t]*(?:#.*)?$")
_TELLING = re.compile(r"(?:setup\.cfg|pyproject\.toml|Pipfile|meta\.ya?ml|.*Dockerfile.*|tox\.ini)\Z", re.IGNORECASE)


class Requirement(ast.stmt):
    """One package with its name and version; `conda` means that pip does not read it."""

    _fields = ()
    text: str
    conda: bool


def is_requirements(path: PurePath | str) -> bool:
    """Returns whether a file of this name lists packages, such as `requirements/base.txt`."""
    if str(path).endswith((".py", ".ipynb")):
        return False  # nearly every file: its path need not be parsed
    return _is_list(PurePath(path)) or bool(_TELLING.match(PurePath(path).name))


def _is_list(place: PurePath) -> bool:
    """Returns whether each line of the file names a package. Other files are only evidence, which no rule changes."""
    return bool(_NAMES.match(place.name)) or (place.parent.name == "requirements" and place.suffix == ".txt")


def reads_last(path: PurePath | str) -> bool:
    """Returns whether the rewrite of a file depends on the results of other files."""
    return is_requirements(path) or (str(path).endswith("setup.py") and PurePath(path).name == "setup.py")


def names_of(text: str, path: str) -> Names:
    """Returns the names of the file for the engine: a `Requirement` for each package instead of Python nodes."""
    names = Names(ast.Module([], []), Scope("module", None))
    names.nodes[Requirement] = list(_packages(text, path)) if _is_list(PurePath(path)) else []
    return names


def _packages(text: str, path: str) -> Iterator[Requirement]:
    conda_file = path.endswith((".yml", ".yaml"))
    pip_indent: int | None = None
    for number, line in enumerate(re.split(r"\r\n|\n|\r", text), start=1):
        indent = len(line) - len(line.lstrip())
        if conda_file and line.strip().replace(" ", "") == "-pip:":
            pip_indent = indent
        elif pip_indent is not None and line.strip() and indent <= pip_indent:
            pip_indent = None
        match = (_CONDA if conda_file else _PIP).match(line)
        if match:
            yield _node(match, number, conda_file and pip_indent is None)


def _node(match: re.Match[str], line: int, conda: bool) -> Requirement:
    before, package = match.string[: match.start("package")], match["package"]
    start = len(before.encode())
    node = Requirement(lineno=line, end_lineno=line, col_offset=start, end_col_offset=start + len(package.encode()))
    node.text, node.conda = package, conda
    return node


def facts_of(path: str, text: str) -> Facts:
    """Returns the facts of a list of packages. Its version of TensorFlow is evidence for the whole project."""
    return told(Facts(PurePath(path).as_posix()), enumerate(re.split(r"\r\n|\n|\r", text), start=1))


def told(facts: Facts, lines: Iterable[tuple[int, str]]) -> Facts:
    """Returns the facts of a file with the releases that its numbered texts require, such as `tensorflow>=1.8,<1.9`."""
    older, newer = list(facts.older), list(facts.newer)
    asked = ""
    for number, line in lines:
        release = releases.asked_for(line)
        if release is not None:
            (older if release.is_0x else newer).append(f"{release.text} on line {number}")
            asked = asked or release.newest
    return replace(facts, older=tuple(older), newer=tuple(newer), asked=asked)


def told_by_setup(facts: Facts, names: Names) -> Facts:
    """Returns the facts of a setup.py with the release that the texts in its lists require."""
    texts = (node for node in names.nodes.get(ast.Constant, []) if isinstance(node, ast.Constant))
    return told(facts, sorted((node.lineno, node.value) for node in texts if isinstance(node.value, str)))
