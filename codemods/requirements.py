"""Requirements files and conda environments: the packages they name, as nodes that a rule can look at."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import PurePath

from codemods.facts import Facts
from codemods.names import Names, Scope

_NAMES = re.compile(r"(?:.*requirements.*\.(?:txt|in|pip)|(?:conda|environment).*\.ya?ml)\Z", re.IGNORECASE)
_PIP = re.compile(r"[ \t]*(?![-#\s])(?P<package>[^#;\r\n]*[^#;\r\n\s])")
_CONDA = re.compile(r"[ \t]*-[ \t]+[\"']?(?P<package>[A-Za-z0-9][^#\"'\r\n:]*[^#\"'\r\n:\s])[\"']?[ \t]*(?:#.*)?$")
_VERSION = re.compile(r"(?:tensorflow|tensorflow[-_]gpu)\b\s*(?:[=~]=|=|-)\s*(\d+\.\d+)", re.IGNORECASE)
_AT_LEAST = re.compile(r"(?:tensorflow|tensorflow[-_]gpu)\b\s*>=?\s*(1\.\d+)", re.IGNORECASE)  # >=0.12 tells nothing


class Requirement(ast.stmt):
    """One package as it is named, with its version; `conda` where pip does not read it."""

    _fields = ()
    text: str
    conda: bool


def is_requirements(path: PurePath | str) -> bool:
    """Whether a file of this name lists packages; `requirements/base.txt` does too."""
    if str(path).endswith((".py", ".ipynb")):
        return False  # nearly every file: no need to take its path apart
    place = PurePath(path)
    return bool(_NAMES.match(place.name)) or (place.parent.name == "requirements" and place.suffix == ".txt")


def reads_last(path: PurePath | str) -> bool:
    """Whether what a file is to say depends on what has become of the others."""
    return is_requirements(path) or (str(path).endswith("setup.py") and PurePath(path).name == "setup.py")


def names_of(text: str, path: str) -> Names:
    """The file as the engine takes it: no Python, but a `Requirement` for each package."""
    names = Names(ast.Module([], []), Scope("module", None))
    names.nodes[Requirement] = list(_packages(text, path))
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


def facts_of(path: str, names: Names) -> Facts:
    """Which TensorFlow the listed version belongs to is evidence for the whole project."""
    older: list[str] = []
    newer: list[str] = []
    for node in names.nodes[Requirement]:
        assert isinstance(node, Requirement)
        version = _VERSION.search(node.text) or _AT_LEAST.search(node.text)
        if version and version[1].startswith(("0.", "1.")):
            (older if version[1].startswith("0.") else newer).append(f"{node.text} on line {node.lineno}")
    return Facts(PurePath(path).as_posix(), older=tuple(older), newer=tuple(newer))
