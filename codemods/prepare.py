"""Reads a file once, turns Python 2 into Python 3, and collects its facts for the other files."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path, PurePath

from codemods import era, parsing, python2, requirements
from codemods.discover import first_python, leads_out
from codemods.errors import CodemodsError, Python2Error
from codemods.facts import Facts, facts_of
from codemods.limits import limited
from codemods.names import Names
from codemods.regular import read_regular
from codemods.requirements import is_requirements
from codemods.scopes import resolve
from codemods.source import SourceFile, decode

# The most files around a file that is named alone: the modules of a program, not a whole disk.
_NEIGHBOURS = 500
_NEIGHBOUR_BYTES = 1_000_000


@dataclass(frozen=True)
class Prepared:
    """A file ready for the rules: `text` is Python 3; `why_python2` says why it had to be converted, if it had.

    `with_tensorflow`: as `scopes.resolve` takes it.
    """

    source: SourceFile
    text: str
    why_python2: str | None
    facts: Facts
    names: Names | None
    inherited: dict[str, str] = field(default_factory=dict)
    with_tensorflow: bool = True

    def read(self) -> Names:
        """Returns the names of the text, which are read again if they were not kept."""
        return self.names or self.read_text(self.text)

    def read_text(self, text: str) -> Names:
        """Returns the names of another text of this file."""
        if is_requirements(self.source.path):
            return requirements.names_of(text, self.source.path)
        names = resolve(parsing.parse(text), self.with_tensorflow)
        names.inherit(self.inherited)
        return names


@dataclass(frozen=True)
class Unready:
    """A file that could not be read or parsed."""

    path: str
    error: str
    line: int = 1


def prepare(
    source: SourceFile, convert: bool = True, keep: bool = True, with_tensorflow: bool = True
) -> Prepared | Unready:
    """Parses one file, and converts Python 2 first unless `convert` is False. Raises only errors of the machine.

    `with_tensorflow`: as `scopes.resolve` takes it.
    """
    try:
        with limited(source.path, len(source.text)):
            return _prepare(source, convert, keep, with_tensorflow)
    except CodemodsError as error:
        return Unready(source.path, str(error))


def _prepare(source: SourceFile, convert: bool, keep: bool, with_tensorflow: bool) -> Prepared | Unready:
    if is_requirements(source.path):
        listed = requirements.names_of(source.text, source.path)
        return Prepared(source, source.text, None, requirements.facts_of(source.path, source.text), listed)
    text, why = source.text, None
    names: Names | None = None
    try:
        names = resolve(parsing.parse(text), with_tensorflow)
        reasons = python2.reasons(text, names)
    except SyntaxError:
        reasons = python2.reasons(text)
    try:
        if reasons and (convert or names is None):
            if not convert:
                raise Python2Error(source.path, reasons[0])
            text = python2.convert(text, source.path)
            if text != source.text or names is None:  # otherwise a `try` catches the absence of names in Python 3
                why = reasons[0]
                names = resolve(parsing.parse(text), with_tensorflow)
    except CodemodsError as error:
        line = getattr(error, "line", 1)
        return Unready(source.path, _placed(str(error), source, line), line)
    assert names is not None  # it parsed, perhaps after a conversion
    facts = facts_of_text(source.path, names)
    return Prepared(source, text, why, facts, names if keep else None, with_tensorflow=with_tensorflow)


def _placed(message: str, source: SourceFile, line: int) -> str:
    """Returns the message, with the cell if the file is a notebook."""
    cell, inside = source.place(line)
    return message if cell is None else message.replace(f":{line}:", f": cell {cell}, line {inside}:", 1)


def facts_of_text(path: str, names: Names) -> Facts:
    """Returns the facts of a file with these names, including its evidence of a release."""
    older, newer = era.evidence(names)
    facts = facts_of(PurePath(path).as_posix(), names, older, newer)
    return requirements.told_by_setup(facts, names) if PurePath(path).name == "setup.py" else facts


def neighbours(folder: Path) -> list[SourceFile]:
    """Returns the readable Python files below the folder of a file that is named alone; its imports may mean them."""
    sources = []
    root = folder.resolve()
    for path in first_python(folder, _NEIGHBOURS):
        try:
            if leads_out(path, [root]) is None:
                sources.append(decode(read_regular(path, _NEIGHBOUR_BYTES), path))
        except (OSError, CodemodsError):
            continue
    return sources
