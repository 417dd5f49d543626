"""Joins a program of several files into one text: what it takes from the files that build parts of its graph.

`import model` gives way to the statements of model.py that the program needs, and `model.net(x)` becomes `net(x)`.
"""

from __future__ import annotations

import ast
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from codemods.native.joined_modules import Module
from codemods.native.joined_names import name_all
from codemods.native.module_files import Place, SearchPath, Tree
from codemods.native.module_meanings import Modules
from codemods.native.needed import Needed, is_pure
from codemods.native.search_paths import stated_folders
from codemods.native.used_names import is_taken_alias
from codemods.tree import walk


@dataclass(frozen=True)
class Joined:
    """A text of several files.

    Attributes:
        text: The text.
        origins: The file and the old number of each line.
        through: File -> the line of the program that takes it.
    """

    text: str
    origins: tuple[tuple[str, int], ...]
    through: Mapping[str, int] = field(default_factory=dict)

    def origin(self, number: int) -> tuple[str, int]:
        """Returns the file and the number that a line had."""
        return self.origins[min(max(number, 1), len(self.origins)) - 1]

    @property
    def is_told_apart(self) -> bool:
        """Whether its files have different names, so that a recorded place is in one of them alone."""
        files = {file for file, _ in self.origins}
        return len({PurePosixPath(file).name for file in files}) == len(files)


def alone(text: str, path: str) -> Joined:
    """Returns a program that takes nothing of other files."""
    return Joined(text, tuple((path, number) for number in range(1, text.count("\n") + 2)))


def joined(path: str, text: str, tree: Tree) -> Joined:
    """Returns the text of a program with what it takes from other files.

    Args:
        path: The file that runs.
        text: Its text.
        tree: The files among which it lies.

    Raises:
        NotJoinedError: Files cannot be joined; the error says why.
    """
    entry = Module(Place(path, ""), text)
    modules = Modules(SearchPath(tree, path, stated_folders(entry.tree, path)), entry)
    if not modules.reaching - {path}:
        return alone(text, path)
    order = Needed(modules).order
    if len(order) == 1:
        return alone(text, path)
    name_all(modules, order)
    lines = list(_Emission(modules).of(entry))
    through = {module.path: module.through.lineno for module in order if module.through is not None}
    return Joined("".join(line for line, _, _ in lines), tuple((file, number) for _, file, number in lines), through)


_Line = tuple[str, str, int]


class _Emission:
    """Writes the statements of modules where they are imported first."""

    def __init__(self, modules: Modules) -> None:
        self._modules = modules
        self._written: set[str] = {modules.entry.path}
        self._imports: set[str] = set()

    def of(self, module: Module, is_inside: bool = False) -> Iterator[_Line]:
        """Yields the lines of a module, all of them or those of needed statements, with those of what it imports.

        Args:
            module: The module.
            is_inside: Whether it is imported in a block or a function, so that its statements run earlier than before.
        """
        taken = {statement: list(self._taken(module, statement)) for statement in module.tree.body}
        for statement in module.kept:
            self._write_imports(module, statement)
        _write_module_name(module)
        text, origins = module.source.with_origins()
        lines = list(zip(io.StringIO(text), origins, strict=False))
        if lines and not lines[-1][0].endswith("\n"):
            lines[-1] = (lines[-1][0] + "\n", lines[-1][1])
        at = 1
        for statement in module.tree.body:
            first, last = _lines_of(statement, module, at)
            if module.is_program and first > at:
                yield from _between(lines, at, first - 1, module)
            at = last + 1
            if statement not in module.kept:
                continue
            for place, is_below in taken[statement]:
                yield from self._first(module, place, statement, is_inside or is_below)
            yield from self._statement(module, statement, lines, first, last)
        if module.is_program:
            yield from _between(lines, at, max(number for _, number in lines) if lines else 0, module)

    def _statement(
        self, module: Module, statement: ast.stmt, lines: list[tuple[str, int]], first: int, last: int
    ) -> Iterator[_Line]:
        made = list(_between(lines, first, last, module))
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            shown = "".join(line for line, _, _ in made if not line.lstrip().startswith("#")).strip()
            if not module.is_program and shown in self._imports:
                return
            self._imports.add(shown)
            made = made if shown else [line for line in made if line[0].lstrip().startswith("#")]
        is_apart = not module.is_program and isinstance(statement, (ast.FunctionDef, ast.ClassDef))
        yield from [("\n", module.path, first)] * (2 * is_apart)
        yield from made
        yield from [("\n", module.path, last)] * (2 * is_apart)

    def _taken(self, module: Module, statement: ast.stmt) -> Iterator[tuple[Place, bool]]:
        """Yields the taken modules that a statement imports, and whether it does so inside a block or function."""
        for node in walk(statement) if statement in module.kept else ():
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for place in self._modules.runs(module, node):
                    if self._modules.is_taken(place):
                        yield place, node is not statement

    def _first(self, module: Module, place: Place, statement: ast.stmt, is_inside: bool) -> Iterator[_Line]:
        """Yields the statements of a module, where it is imported first."""
        if place.path in self._written:
            return
        self._written.add(place.path)
        other = self._modules.taken(module, place, statement)
        if is_inside and not is_pure(other, self._modules):
            message = f"import {place.spelled.lstrip('.')} in a statement of its own, at the top of the file"
            raise module.refused(statement, message)
        yield from self.of(other, is_inside)

    def _write_imports(self, module: Module, statement: ast.stmt) -> None:
        """Removes what imports take of joined files, and writes the others as the program would write them."""
        for node in walk(statement):
            if not isinstance(node, (ast.Import, ast.ImportFrom)):
                continue
            places = self._modules.runs(module, node)
            if not any(map(self._modules.is_taken, places)) and (module.is_program or not places):
                continue
            if not module.source.is_alone(node):
                raise module.refused(node, f"write `{ast.unparse(node)}` in a statement of its own")
            rest = self._rest(module, node)
            indent = " " * node.col_offset
            if not rest and node is not statement:
                rest = ["pass"]
            module.source.replace(module.source.span(node), f"\n{indent}".join(rest))

    def _rest(self, module: Module, node: ast.Import | ast.ImportFrom) -> list[str]:
        """Returns the imports that remain of one."""
        kept = [alias for alias in node.names if not is_taken_alias(self._modules, module, node, alias)]
        if isinstance(node, ast.Import):
            return [f"import {self._spelled(module, node, alias)}" for alias in kept]
        place = self._modules.located(module, node, node.module or "", node.level)
        spelled = place.spelled if place is not None else "." * node.level + (node.module or "")
        names = [_with_name(alias.name, module.renamed.get(alias, alias.asname)) for alias in kept]
        if not spelled:  # a file beside the program, as `from . import name` of one of its modules
            return [f"import {name}" for name in names]
        return [f"from {spelled} import {', '.join(names)}"] if kept else []

    def _spelled(self, module: Module, node: ast.stmt, alias: ast.alias) -> str:
        place = self._modules.located(module, node, alias.name)
        if place is None or place.spelled == alias.name:
            return _with_name(alias.name, module.renamed.get(alias, alias.asname))
        if alias.asname is None and "." in alias.name:
            raise module.refused(node, f"write `import {alias.name} as ...`")
        return _with_name(place.spelled, module.renamed.get(alias, alias.asname or alias.name))


def _with_name(name: str, bound: str | None) -> str:
    """Returns a part of an import, with the name that it binds."""
    return name if bound is None or bound == name else f"{name} as {bound}"


def _write_module_name(module: Module) -> None:
    """Writes the name of a taken module for `__name__`, which would be another one in the program."""
    for node in () if module.is_program else module.kept_nodes():
        if isinstance(node, ast.Name) and node.id == "__name__":
            module.source.replace(module.source.span(node), repr(module.place.spelled))


def _between(lines: list[tuple[str, int]], first: int, last: int, module: Module) -> Iterator[_Line]:
    return ((line, module.path, number) for line, number in lines if first <= number <= last)


def _lines_of(statement: ast.stmt, module: Module, at: int) -> tuple[int, int]:
    """Returns the first and last line of a statement, with the comments directly above it."""
    first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
    lines = module.text.splitlines()
    while first > at and lines[first - 2].lstrip().startswith("#"):
        first -= 1
    return first, statement.end_lineno or statement.lineno
