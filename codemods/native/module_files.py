"""The files of a tree as modules: which file an import means when a program runs, and which files use TensorFlow."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from codemods.project import folders
from codemods.tree import walk

PACKAGES = ("tensorflow", "tf2bridge")
_NEVER_ABOVE = frozenset((*PACKAGES, "keras", *sys.stdlib_module_names))
"""Modules that a folder above a program does not hide."""


@dataclass(frozen=True)
class Import:
    """An import statement: its module, the dots before it, and the names that it takes; none for a whole module."""

    module: str
    level: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Contents:
    """What a file imports, in functions too, and whether TensorFlow is among it."""

    imports: tuple[Import, ...] = ()
    uses: bool = False


@dataclass(frozen=True)
class Place:
    """A module of the tree.

    Attributes:
        path: Its file; "" for a folder without `__init__.py`.
        spelled: How the program would write its import: "utils.ops", ".ops", or "" for the program itself.
        folder: The folder of its submodules, "src/utils/"; None for a module that is no package.
        before: The packages round it, whose `__init__.py` runs first.
    """

    path: str
    spelled: str = field(compare=False)
    folder: str | None = None
    before: tuple[Place, ...] = field(default=(), compare=False)

    @property
    def package(self) -> tuple[str, str]:
        """The folder that relative imports of the module start from, and how the program would write it."""
        if self.folder is not None:
            return self.folder, self.spelled
        return folders(self.path)[0], _up(self.spelled) if self.spelled else "."


class UncertainImportError(Exception):
    """An import may mean several files, which `args` has."""


class Tree:
    """The Python files of a tree.

    Args:
        paths: Every file.
        read: Gives the text of a file; None if it cannot be read.
    """

    def __init__(self, paths: Iterable[str], read: Callable[[str], str | None]) -> None:
        self.files = frozenset(path for path in paths if path.endswith(".py"))
        self._read = read
        self._contents: dict[str, Contents] = {}

    @cached_property
    def folders(self) -> frozenset[str]:
        """The folders that hold files, "utils/"."""
        return frozenset(folder for path in self.files for folder in folders(path))

    def text(self, path: str) -> str | None:
        """Returns the text of a file; None if it cannot be read."""
        return self._read(path)

    def contents(self, path: str) -> Contents:
        """Returns what a file imports; nothing if it cannot be read."""
        if path not in self._contents:
            self._contents[path] = _contents(self._read(path))
        return self._contents[path]

    def at(self, folder: str, module: str, package: str = "") -> Place | None:
        """Returns the module of a dotted name below a folder, whose own package is spelled so."""
        before: tuple[Place, ...] = ()
        place = Place(f"{folder}__init__.py" if f"{folder}__init__.py" in self.files else "", package, folder)
        for part in module.split(".") if module else ():
            if place.folder is None:
                return None
            before = (*before, place) if place.path and place.spelled != package else before
            inner, spelled = f"{place.folder}{part}", joined_name(place.spelled, part)
            if f"{inner}/__init__.py" in self.files:
                place = Place(f"{inner}/__init__.py", spelled, f"{inner}/", before)
            elif f"{inner}.py" in self.files:
                place = Place(f"{inner}.py", spelled, None, before)
            elif f"{inner}/" in self.folders:
                place = Place("", spelled, f"{inner}/", before)
            else:
                return None
        return place


@dataclass(eq=False)
class SearchPath:
    """Where one program finds its modules: beside it, where its source says so, and in the folders above it.

    Attributes:
        tree: The tree.
        entry: The program's file.
        stated: Folders that the program puts into `sys.path`.
    """

    tree: Tree
    entry: str
    stated: tuple[str, ...] = ()
    _located: dict[tuple[tuple[str, str], str, int], list[Place]] = field(default_factory=dict)

    def located(self, importer: Place, module: str, level: int = 0) -> Place | None:
        """Returns the module that an import means; None if it is no module of the tree.

        Raises:
            UncertainImportError: It may mean several.
        """
        candidates = self.candidates(importer, module, level)
        if len(candidates) > 1:
            raise UncertainImportError(*(place.path or place.folder for place in candidates))
        return candidates[0] if candidates else None

    def candidates(self, importer: Place, module: str, level: int = 0) -> list[Place]:
        """Returns the modules that an import may mean.

        Python looks beside the program first. Python 2 looked beside the file that imports before that.
        """
        key = importer.package, module, level
        if key not in self._located:
            self._located[key] = self._search(*key)
        return self._located[key]

    def _search(self, package: tuple[str, str], module: str, level: int) -> list[Place]:
        if level:
            for _ in range(level - 1):
                package = (folders(package[0][:-1]) or [""])[0], _up(package[1])
            place = self.tree.at(package[0], module, package[1])
            return [place] if place is not None else []
        beside = folders(self.entry)[:1]
        own = self.tree.at(package[0], module, package[1]) if package[0] not in beside else None
        near = [self.tree.at(folder, module) for folder in (*beside, *self.stated)]
        places = [place for place in (*near, own) if place is not None]
        if not places and module.split(".")[0] not in _NEVER_ABOVE:
            above = (self.tree.at(folder, module) for folder in folders(self.entry)[1:])
            places = [place for place in above if place is not None]
        files = [place for place in places if place.path] or places
        return list({(place.path, place.folder): place for place in reversed(files)}.values())[::-1]

    def targets(self, importer: Place, statement: Import) -> list[Place]:
        """Returns the modules that an import may run, those of the packages round them too."""
        places = self.candidates(importer, statement.module, statement.level)
        if statement.module or statement.level:
            for name in statement.names:
                inner = f"{statement.module}.{name}" if statement.module else name
                places = places + self.candidates(importer, inner, statement.level)
        return [place for inner in places for place in (*inner.before, inner) if place.path]

    def reaching(self) -> frozenset[str]:
        """Returns the files of the program that use TensorFlow, themselves or by files that they import."""
        start = Place(self.entry, "")
        users: dict[str, set[str]] = {}
        todo, known = [start], {start.path}
        while todo:
            place = todo.pop()
            for statement in self.tree.contents(place.path).imports:
                for target in self.targets(place, statement):
                    users.setdefault(target.path, set()).add(place.path)
                    if target.path not in known:
                        known.add(target.path)
                        todo.append(target)
        reached: set[str] = set()
        waiting = [path for path in known if self.tree.contents(path).uses]
        while waiting:
            path = waiting.pop()
            if path not in reached:
                reached.add(path)
                waiting += users.get(path, ())
        return frozenset(reached)


def joined_name(package: str, name: str) -> str:
    """Returns the dotted name of a module in a package."""
    return package + name if not package or package.endswith(".") else f"{package}.{name}"


def imports_of(node: ast.AST) -> Iterator[Import]:
    """Yields the imports of a statement."""
    if isinstance(node, ast.Import):
        yield from (Import(alias.name, 0) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield Import(node.module or "", node.level, tuple(alias.name for alias in node.names))


def _up(spelled: str) -> str:
    """Returns the package of a module, or of a package."""
    if not spelled.strip("."):
        return f"{spelled}." if spelled else ""
    head, dot, _ = spelled.rpartition(".")
    return head + dot if not head.strip(".") else head


def _contents(text: str | None) -> Contents:
    try:
        tree = ast.parse(text) if text is not None else ast.Module(body=[], type_ignores=[])
    except (SyntaxError, ValueError, RecursionError):
        return Contents()
    statements = tuple(statement for node in walk(tree) for statement in imports_of(node))
    uses = any(statement.module.split(".")[0] in PACKAGES for statement in statements if not statement.level)
    return Contents(statements, uses)
