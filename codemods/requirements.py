"""Requirements files and conda environments: the packages they name, as nodes that a rule can look at."""

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
    """One package as it is named, with its version; `conda` where pip does not read it."""

    _fields = ()
    text: str
    conda: bool


def is_requirements(path: PurePath | str) -> bool:
    """Whether a file of this name lists packages; `requirements/base.txt` does too."""
    if str(path).endswith((".py", ".ipynb")):
        return False  # nearly every file: no need to take its path apart
    return _is_list(PurePath(path)) or bool(_TELLING.match(PurePath(path).name))


def _is_list(place: PurePath) -> bool:
    """Whether each line of the file names a package: the others tell the release, and no rule changes them."""
    return bool(_NAMES.match(place.name)) or (place.parent.name == "requirements" and place.suffix == ".txt")


def reads_last(path: PurePath | str) -> bool:
    """Whether what a file is to say depends on what has become of the others."""
    return is_requirements(path) or (str(path).endswith("setup.py") and PurePath(path).name == "setup.py")


def names_of(text: str, path: str) -> Names:
    """The file as the engine takes it: no Python, but a `Requirement` for each package."""
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
    """Which TensorFlow the listed version belongs to is evidence for the whole project."""
    return told(Facts(PurePath(path).as_posix()), enumerate(re.split(r"\r\n|\n|\r", text), start=1))


def told(facts: Facts, lines: Iterable[tuple[int, str]]) -> Facts:
    """The facts of a file with the releases that its numbered texts ask for, such as `tensorflow>=1.8,<1.9`."""
    older, newer = list(facts.older), list(facts.newer)
    asked = ""
    for number, line in lines:
        release = releases.asked_for(line)
        if release is not None:
            (older if release.is_0x else newer).append(f"{release.text} on line {number}")
            asked = asked or release.newest
    return replace(facts, older=tuple(older), newer=tuple(newer), asked=asked)


def told_by_setup(facts: Facts, names: Names) -> Facts:
    """The facts of a setup.py with the release that the texts in its lists ask for."""
    texts = (node for node in names.nodes.get(ast.Constant, []) if isinstance(node, ast.Constant))
    return told(facts, sorted((node.lineno, node.value) for node in texts if isinstance(node.value, str)))
