"""The files of a program that is joined into one text: their names, and the statements that the program needs."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from codemods import scopes
from codemods.names import Chain, Names, Scope
from codemods.native.module_files import Place
from codemods.native.refusals import NotJoinedError
from codemods.native.source_text import SourceText
from codemods.tree import children, walk

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(eq=False)
class Module:
    """A file of a program.

    Attributes:
        place: Which module it is.
        text: Its text.
        through: The statement of the program that takes it; None for the program itself.
        kept: The statements at its top that the program needs.
        renamed: What imports bind under another name than in the author's file.
    """

    place: Place
    text: str
    through: ast.stmt | None = None
    kept: set[ast.stmt] = field(default_factory=set)
    renamed: dict[ast.alias, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """The file."""
        return self.place.path

    @property
    def is_program(self) -> bool:
        """Whether it is the file that runs."""
        return self.through is None

    @cached_property
    def tree(self) -> ast.Module:
        """The tree of the text."""
        return ast.parse(self.text)

    @cached_property
    def names(self) -> Names:
        """The meanings of its names."""
        return scopes.resolve(self.tree)

    @cached_property
    def source(self) -> SourceText:
        """The text with edits."""
        return SourceText(self.text, self.tree)

    @cached_property
    def chains(self) -> dict[ast.stmt, list[Chain]]:
        """Statement at the top -> the dotted names that it reads."""
        known = set(self.names.chains)
        return {s: [n for n in walk(s) if n in known and isinstance(n, Chain)] for s in self.tree.body}

    @cached_property
    def stars(self) -> list[ast.ImportFrom]:
        """The star imports at the top."""
        return [s for s in self.tree.body if isinstance(s, ast.ImportFrom) and s.names[0].name == "*"]

    @cached_property
    def global_names(self) -> frozenset[str]:
        """The names that functions change."""
        statements = (node for node in walk(self.tree) if isinstance(node, ast.Global))
        return frozenset(name for node in statements for name in node.names)

    def refused(self, node: ast.AST, message: str) -> NotJoinedError:
        """Returns the error of a file that cannot be joined."""
        return NotJoinedError(node, message, self.path, self.through)

    def kept_chains(self) -> Iterator[Chain]:
        """Yields the dotted names of the statements that the program needs, in the order of the text."""
        for statement in self.tree.body:
            if statement in self.kept:
                yield from self.chains[statement]

    def kept_nodes(self) -> Iterator[ast.AST]:
        """Yields the nodes of the statements that the program needs."""
        for statement in self.tree.body:
            if statement in self.kept:
                yield from walk(statement)

    def scope_of(self, node: ast.Name) -> Scope | None:
        """Returns the scope that binds a name; None if none does."""
        scope: Scope | None = self.names.scopes.get(node)
        if scope is None:
            return None
        scope, first = scope.outer.get(node.id, scope), True
        while scope is not None and not (node.id in scope.bindings and (first or scope.kind != "class")):
            scope, first = scope.parent, False
        return scope

    def own_binders(self, name: str) -> list[ast.stmt]:
        """Returns the statements at the top that bind a name."""
        return self._binders.get(name, [])

    @cached_property
    def _binders(self) -> dict[str, list[ast.stmt]]:
        binders: dict[str, list[ast.stmt]] = {}
        for statement in self.tree.body:
            for name in sorted(bound_at_top(statement)):
                binders.setdefault(name, []).append(statement)
        return binders


def bound_at_top(statement: ast.stmt) -> frozenset[str]:
    """Returns the names that a statement binds where it stands, and those that its functions bind as `global`."""
    names: set[str] = set()
    todo: list[tuple[ast.AST, bool]] = [(statement, True)]
    while todo:
        node, outside = todo.pop()
        if isinstance(node, ast.Global):
            names |= set(node.names)
        if outside and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        if outside and isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names} - {"*"}
        if outside and isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
        if outside and isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        inner = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, *_COMPREHENSIONS))
        todo += [(child, outside and not inner) for child in children(node)]
    return frozenset(names)


def relative_name(path: str, program: str) -> str:
    """Returns the path of a file as seen from the folder of a program, "utils/ops.py"."""
    return posixpath.relpath(path, posixpath.dirname(program) or ".")
