"""Chooses the names that statements of several files have in one text, and writes them.

A name stays as it is, where no other file has it too. Else the file that is taken gives way: `loss` of cifar10.py is
`cifar10_loss`. The names of the program itself always stay.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from codemods.native.joined_modules import Module
from codemods.native.module_meanings import Modules, Reference
from codemods.native.places import names_in_texts
from codemods.native.used_names import Meaning, Used
from codemods.tree import walk


def name_all(modules: Modules, order: Sequence[Module]) -> None:
    """Writes the names of all modules, so that they can stand in one text.

    Raises:
        NotJoinedError: Two files have a name, and it is not certain what else has it.
    """
    used = [Used(module, modules) for module in order]
    taken = {identifier for part in used for identifier in part.identifiers()}
    owners: dict[str, tuple[Module, Meaning]] = {name: (order[0], used[0].bound[name]) for name in used[0].bound}
    new: dict[tuple[Module, str], str] = {}
    _require_names_apart(used, modules)
    for part in used[1:]:
        for name, meaning in part.bound.items():
            if _is_free(part, name, meaning, used, owners):
                owners.setdefault(name, (part.module, meaning))
                new[part.module, name] = name
            else:
                other = owners[name][0] if name in owners else order[0]
                _require_renamable(part, name, used, other, modules)
                new[part.module, name] = _fresh(f"{_stem(part.module)}_{name}", taken)
    _write(used, new)


def _write(used: Sequence[Used], new: Mapping[tuple[Module, str], str]) -> None:
    """Writes the new names.

    Raises:
        NotJoinedError: A use of a name cannot be written.
    """
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


def _require_names_apart(used: Sequence[Used], modules: Modules) -> None:
    """Refuses a program that has a name which a file that is taken has of Python.

    Raises:
        NotJoinedError: It has.
    """
    program = used[0]
    for part in used[1:]:
        for name in sorted(part.free & program.bound.keys()):
            message = f"{name} is a name of this file, and {modules.shown(part.module.path)} uses the one of Python"
            binders = (*program.module.own_binders(name), program.module.tree)
            raise program.module.refused(binders[0], f"{message}; rename it")


def _is_free(
    part: Used, name: str, meaning: Meaning, used: Sequence[Used], owners: dict[str, tuple[Module, Meaning]]
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


def _require_unchanged(part: Used, reference: Reference) -> None:
    """Refuses a name that one file takes by `from other import name`, while functions of the other change it.

    Raises:
        NotJoinedError: They do, so that the importer has the first value alone.
    """
    other, name = reference.module, reference.name
    if name in other.global_names and isinstance(reference.node, ast.Name):
        raise part.module.refused(reference.node, f"{name} is changed by functions of its file; import the file")


def _require_renamable(part: Used, name: str, used: Sequence[Used], other: Module, modules: Modules) -> None:
    """Refuses a name that two files have, where not all uses of it are known.

    Raises:
        NotJoinedError: They are not.
    """
    users = [u for u in used if u is part or any(r.module is part.module and r.name == name for r in u.references)]
    in_texts = any(name in names_in_texts(statement) for user in users for statement in user.module.kept)
    unsure = name.startswith("__") or name in part.starred
    unsure = unsure or any(_is_unsure(node, name, part.module) for node in part.module.kept_nodes())
    if in_texts or unsure:
        first, second = modules.shown(part.module.path), modules.shown(other.path)
        raise part.module.refused(part.module.tree, f"{name} is a name of {first} and of {second}; rename one")


def _is_unsure(node: ast.AST, name: str, module: Module) -> bool:
    """Returns whether a node binds a name in a way that is not written anew."""
    if isinstance(node, ast.ExceptHandler) and node.name == name:
        return True
    if isinstance(node, ast.Import) and _binds_at_top(node, name, module):
        return any(alias.asname is None and alias.name.startswith(f"{name}.") for alias in node.names)
    if isinstance(node, ast.Name) and node.id == name:
        scope = module.scope_of(node)
        return scope is not None and scope.kind == "class" and isinstance(node.ctx, ast.Load)
    if not isinstance(node, ast.Global) or name not in node.names:
        return False
    nested = (below for statement in module.kept for below in walk(statement) if below not in module.tree.body)
    return any(isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.name == name for n in nested)


def _binds_at_top(node: ast.Import | ast.ImportFrom, name: str, module: Module) -> bool:
    """Returns whether an import binds a name of the module, and not of a function."""
    return any(binding.statement is node for binding in module.names.module.bindings.get(name, ()))


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
        elif isinstance(node, (ast.Import, ast.ImportFrom)) and _binds_at_top(node, name, module):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    module.renamed[alias] = fresh
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
