"""Chooses the names that statements of several files have in one text, and writes them.

A name stays as it is, where no other file has it too. Else the file that is taken gives way: `loss` of cifar10.py is
`cifar10_loss`. The names of the program itself always stay.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from codemods.names import root_of
from codemods.native.joined_modules import Module, bound_at_top
from codemods.native.module_meanings import Modules, Reference
from codemods.native.places import names_in_texts
from codemods.tree import walk

_Meaning = tuple[str, ...]


class _Used:
    """The names that the needed statements of one module use."""

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

    @cached_property
    def bound(self) -> dict[str, _Meaning]:
        """The names that the statements bind at the top, with what they mean, if that is the same in other files."""
        meanings: dict[str, list[_Meaning]] = {}
        for statement in self.module.tree.body:
            for name in bound_at_top(statement) if statement in self.module.kept else ():
                meaning = self._meaning(statement, name)
                if meaning is not None:
                    meanings.setdefault(name, []).append(meaning)
        return {name: known[0] if len(set(known)) == 1 else () for name, known in meanings.items()}

    def _meaning(self, statement: ast.stmt, name: str) -> _Meaning | None:
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


def name_all(modules: Modules, order: Sequence[Module]) -> None:
    """Writes the names of all modules, so that they can stand in one text.

    Raises:
        NotJoinedError: Two files have a name, and it is not certain what else has it.
    """
    used = [_Used(module, modules) for module in order]
    taken = {identifier for part in used for identifier in part.identifiers()}
    owners: dict[str, tuple[Module, _Meaning]] = {name: (order[0], used[0].bound[name]) for name in used[0].bound}
    new: dict[tuple[Module, str], str] = {}
    for part in used[1:]:
        for name, meaning in part.bound.items():
            if _is_free(part, name, meaning, used, owners):
                owners.setdefault(name, (part.module, meaning))
                new[part.module, name] = name
            else:
                other = owners[name][0] if name in owners else order[0]
                _require_renamable(part, name, used, other, modules)
                new[part.module, name] = _fresh(f"{_stem(part.module)}_{name}", taken)
    for part in used:
        for reference in part.references:
            _require_unchanged(part, reference)
            fresh = new.get((reference.module, reference.name))
            if fresh is not None and fresh != _written(reference):
                if reference.node in part.in_texts:
                    raise part.module.refused(reference.node, f"{reference.name} is read in a text; rename it")
                part.module.source.replace(part.module.source.span(reference.node), fresh)
        for name in part.bound:
            fresh = new.get((part.module, name), name)
            if fresh != name:
                _rename(part.module, name, fresh)


def is_taken_alias(modules: Modules, module: Module, node: ast.stmt, alias: ast.alias) -> bool:
    """Returns whether an import of a module, or of a name in one, gives way to statements of that module."""
    if alias.name == "*":
        assert isinstance(node, ast.ImportFrom)
        return modules.is_taken(modules.located(module, node, node.module or "", node.level))
    if isinstance(node, ast.Import):
        return modules.is_taken(modules.located(module, node, alias.name))
    target = modules.target(module, node, alias)
    return modules.is_taken(target[0] if isinstance(target, tuple) else target)


def _is_free(
    part: _Used, name: str, meaning: _Meaning, used: Sequence[_Used], owners: dict[str, tuple[Module, _Meaning]]
) -> bool:
    """Returns whether a module can keep a name."""
    if name in owners and not (meaning and owners[name][1] == meaning):
        return False
    for other in used:
        if other is part:
            continue
        others = {r for r in other.references if r.module is part.module and r.name == name}
        if name in other.free:
            return False
        if name in other.inner and any(_written(r) != name for r in others):
            return False
    return True


def _written(reference: Reference) -> str:
    return reference.node.id if isinstance(reference.node, ast.Name) else ""


def _require_unchanged(part: _Used, reference: Reference) -> None:
    """Refuses a name that one file takes by `from other import name`, while functions of the other change it.

    Raises:
        NotJoinedError: They do, so that the importer has the first value alone.
    """
    other, name = reference.module, reference.name
    if name in other.global_names and isinstance(reference.node, ast.Name):
        raise part.module.refused(reference.node, f"{name} is changed by functions of its file; import the file")


def _require_renamable(part: _Used, name: str, used: Sequence[_Used], other: Module, modules: Modules) -> None:
    """Refuses a name that two files have, where not all uses of it are known.

    Raises:
        NotJoinedError: They are not.
    """
    users = [u for u in used if u is part or any(r.module is part.module and r.name == name for r in u.references)]
    in_texts = any(name in names_in_texts(statement) for user in users for statement in user.module.kept)
    unsure = name.startswith("__") or any(_is_unsure(node, name, part.module) for node in part.module.kept_nodes())
    if in_texts or unsure:
        first, second = modules.shown(part.module.path), modules.shown(other.path)
        raise part.module.refused(part.module.tree, f"{name} is a name of {first} and of {second}; rename one")


def _is_unsure(node: ast.AST, name: str, module: Module) -> bool:
    """Returns whether a node binds a name in a way that is not written anew."""
    if isinstance(node, ast.ExceptHandler) and node.name == name:
        return True
    if isinstance(node, ast.Name) and node.id == name:
        scope = module.scope_of(node)
        return scope is not None and scope.kind == "class" and isinstance(node.ctx, ast.Load)
    if not isinstance(node, ast.Global) or name not in node.names:
        return False
    nested = (below for statement in module.kept for below in walk(statement) if below not in module.tree.body)
    return any(isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.name == name for n in nested)


def _stem(module: Module) -> str:
    return module.place.spelled.rpartition(".")[2]


def _fresh(wished: str, taken: set[str]) -> str:
    candidates = (wished, *(f"{wished}_{number}" for number in range(2, 1000)))
    name = next(candidate for candidate in candidates if candidate not in taken)
    taken.add(name)
    return name


def _rename(module: Module, name: str, fresh: str) -> None:
    """Writes a name of the top of a module anew, wherever it means that."""
    source = module.source
    for node in module.kept_nodes():
        if isinstance(node, ast.Name) and node.id == name and module.scope_of(node) is module.names.module:
            source.replace(source.span(node), fresh)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.name == name:
            if node in module.tree.body:
                _replace_word(module, node, name, fresh)
        elif isinstance(node, ast.Global) and name in node.names:
            _replace_word(module, node, name, fresh)
        elif isinstance(node, (ast.Import, ast.ImportFrom)) and node in module.tree.body:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    source.replace(source.span(alias), f"{alias.name} as {fresh}")


def _replace_word(module: Module, node: ast.stmt, name: str, fresh: str) -> None:
    """Replaces a name in the head of a statement, such as `def name(`."""
    source = module.source
    start, end = source.span(node)
    match = re.compile(rb"(?:\b(?:def|class|global)\s+|,\s*)(" + name.encode() + rb")\b").search(
        source.data, start, end
    )
    if match is None:
        raise module.refused(node, f"{name} is written in a way that is not known; rename it")
    source.replace(match.span(1), fresh)
