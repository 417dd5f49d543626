"""The names that the needed statements of one file use: which they bind, which they take, and which are of Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from codemods.names import root_of
from codemods.native.joined_modules import Module, bound_at_top
from codemods.native.module_meanings import Modules
from codemods.tree import walk

Meaning = tuple[str, ...]
"""What a name means: ("import", "numpy"), ("from", "utils", "ops"), ("value", "28"), or () for what is of its file."""


class Used:
    """The names of one module.

    Attributes:
        references: The names of other modules that it takes.
        free: The names that nothing in it binds.
        starred: The names of star imports of files that stay, with what they mean.
    """

    def __init__(self, module: Module, modules: Modules) -> None:
        self.module = module
        pairs = [(chain, modules.reference(module, chain)) for chain in module.kept_chains()]
        self.references = [reference for _, reference in pairs if reference is not None]
        self.free = frozenset(
            root.id
            for chain, reference in pairs
            if reference is None and (root := root_of(chain)) is not None and module.names.is_unbound(root)
        )
        self._modules = modules
        self.starred = self._starred()
        self.free -= self.starred.keys()

    def _starred(self) -> dict[str, Meaning]:
        """Returns the names of star imports of other files, with what they mean.

        Raises:
            NotJoinedError: The source does not say these names, which might replace names of other files.
        """
        starred: dict[str, Meaning] = {}
        for statement in self.module.stars:
            if is_taken_alias(self._modules, self.module, statement, statement.names[0]):
                continue
            place = self._modules.located(self.module, statement, statement.module or "", statement.level)
            names = self._modules.star_names(self.module, statement) if statement in self.module.kept else frozenset()
            if names is None:
                message = (
                    f"import the names of {statement.module} that this file uses; * may replace names of other files"
                )
                raise self.module.refused(statement, message)
            starred |= {name: ("from", place.spelled, name) for name in names if place is not None}
        return starred

    @cached_property
    def bound(self) -> dict[str, Meaning]:
        """The names that the statements bind at the top, with what they mean, if that is the same in other files."""
        meanings: dict[str, list[Meaning]] = {}
        for statement in self.module.tree.body:
            for name in bound_at_top(statement) if statement in self.module.kept else ():
                meaning = self._meaning(statement, name)
                if meaning is not None:
                    meanings.setdefault(name, []).append(meaning)
        for name, meaning in self.starred.items():
            meanings.setdefault(name, []).append(meaning)
        return {name: known[0] if len(set(known)) == 1 else () for name, known in meanings.items()}

    def _meaning(self, statement: ast.stmt, name: str) -> Meaning | None:
        """Returns what an import or a constant binds; () for all else, and None for what is taken of another file."""
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            alias = next(a for a in statement.names if (a.asname or a.name).split(".")[0] == name)
            if is_taken_alias(self._modules, self.module, statement, alias):
                return None
            if isinstance(statement, ast.Import):
                return "import", alias.name if alias.asname else name
            place = self._modules.located(self.module, statement, statement.module or "", statement.level)
            holder = place.spelled if place is not None else "." * statement.level + (statement.module or "")
            return "from", holder, alias.name
        if isinstance(statement, ast.Assign) and len(self.module.names.module.bindings.get(name, [])) == 1:
            value = statement.value
            if isinstance(value, ast.Constant) and isinstance(statement.targets[0], ast.Name):
                return "value", repr(value.value)
            known = self.module.names.qualified(value) if isinstance(value, (ast.Name, ast.Attribute)) else None
            if known is not None and not known.startswith("."):
                return "value", known
        return ()

    @cached_property
    def inner(self) -> frozenset[str]:
        """The names that functions and classes in the statements have of their own."""
        names: set[str] = set()
        for statement in self.module.kept:
            for node in walk(statement):
                if isinstance(node, ast.arg):
                    names.add(node.arg)
                elif isinstance(node, ast.Name) and self.module.scope_of(node) not in (None, self.module.names.module):
                    names.add(node.id)
                elif isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node is not statement:
                    names.add(node.name)
                elif isinstance(node, (ast.Import, ast.ImportFrom)) and node is not statement:
                    names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
                elif isinstance(node, ast.ExceptHandler) and node.name:
                    names.add(node.name)
        return frozenset(names)

    @cached_property
    def in_texts(self) -> frozenset[ast.AST]:
        """What stands in f-strings, whose places in the text are not known before Python 3.12."""
        texts = (node for node in self.module.kept_nodes() if isinstance(node, ast.JoinedStr))
        return frozenset(below for text in texts for below in walk(text))

    def identifiers(self) -> Iterator[str]:
        """Yields every name in the statements."""
        yield from self.inner
        yield from self.bound
        yield from (node.id for node in self.module.kept_nodes() if isinstance(node, ast.Name))


def is_taken_alias(modules: Modules, module: Module, node: ast.stmt, alias: ast.alias) -> bool:
    """Returns whether an import of a module, or of a name in one, gives way to statements of that module."""
    if alias.name == "*":
        assert isinstance(node, ast.ImportFrom)
        return modules.is_taken(modules.located(module, node, node.module or "", node.level))
    if isinstance(node, ast.Import):
        return modules.is_taken(modules.located(module, node, alias.name))
    target = modules.target(module, node, alias)
    return modules.is_taken(target[0] if isinstance(target, tuple) else target)
