"""Savers of all variables, which the code that makes an object makes too: `__init__` makes them, with the variables.

model = Model()                        model = Model()      # whose __init__ ends with self.saver = tf.train.Saver()
saver = tf.train.Saver()         ->
saver.save(sess, path)                 model.saver.save(sess, path)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from codemods import scopes
from codemods.names import Names
from codemods.native.closed_classes import uses_of
from codemods.native.kinds import Kind, kind_of_call, v1_name
from codemods.native.layers import NAMES as LAYERS
from codemods.native.mains import builds, straight
from codemods.native.one_by_one import Lines
from codemods.native.places import names_in_texts
from codemods.native.recurrent import function_of
from codemods.native.source_text import SourceText
from codemods.tree import walk

_ATTRIBUTE = "saver"
_STEPS = frozenset(("minimize", "apply_gradients"))


@dataclass(frozen=True)
class _Made:
    """A saver that code makes outside the class: its statement, its name, the block, and the name of the object."""

    statement: ast.Assign
    name: str
    block: ast.Module | ast.FunctionDef
    model: str


def with_savers_inside(text: str) -> Lines | None:
    """Returns a text whose objects have the savers of their variables, and the old number of each line.

    None if there is no such saver, or it may have other variables than those of the object.
    """
    if "Saver(" not in text or "class " not in text:
        return None
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    owners = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    firsts = [(owner, first) for owner in owners if (first := first_of(owner)) is not None and builds(first, names)]
    if len(firsts) != 1:
        return None
    owner, first = firsts[0]
    made = list(_made(owner, tree, names, source))
    if not _are_all(made, owner, tree, names) or not _can_end(first, tree, names, source):
        return None
    for known in made:
        for node in walk(known.block):
            if isinstance(node, ast.Name) and node.id == known.name and node is not known.statement.targets[0]:
                source.replace(source.span(node), f"{known.model}.{_ATTRIBUTE}")
        start, end = source.span(known.statement)
        if _is_only(known, names):
            source.replace((start, end), "pass")
        else:
            end = source.positions.after_newline(source.positions.line_end(end))
            source.delete((source.positions.line_start(start), end))
    end = source.lines_of(first.body[-1])[1]
    line = f"{source.indent_of(first.body[-1])}self.{_ATTRIBUTE} = {source.plain(made[0].statement.value)}\n"
    source.replace((end, end), line if source.data[:end].endswith(b"\n") else f"\n{line}")
    return source.with_origins()


def _are_all(made: list[_Made], owner: ast.ClassDef, tree: ast.Module, names: Names) -> bool:
    """Returns whether a program has no other savers than these, which are alike."""
    inside = {id(node) for node in walk(owner)}
    calls = [n for n in walk(tree) if isinstance(n, ast.Call) and v1_name(names, n.func) == "train.Saver"]
    texts = {ast.unparse(known.statement.value) for known in made}
    return len(made) == len(calls) and len(texts) == 1 and not any(id(call) in inside for call in calls)


def _can_end(first: ast.FunctionDef, tree: ast.Module, names: Names, source: SourceText) -> bool:
    """Returns whether `__init__` makes all variables, and can end with a saver of them."""
    if any(isinstance(node, ast.Attribute) and node.attr == _ATTRIBUTE for node in walk(tree)):
        return False
    returns = any(isinstance(node, ast.Return) for node in walk(first))
    return not returns and source.is_alone(first.body[-1]) and not grows_elsewhere(first, tree, names)


def first_of(owner: ast.ClassDef) -> ast.FunctionDef | None:
    """Returns the `__init__` of a class."""
    return next((n for n in owner.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)


def grows_elsewhere(first: ast.FunctionDef, tree: ast.Module, names: Names) -> bool:
    """Returns whether other code than a function makes variables, so that the graph is not complete after it."""
    inside = {id(node) for node in walk(first)}
    calls = [n for n in walk(tree) if isinstance(n, ast.Call) and id(n) not in inside]
    kinds = (Kind.VARIABLE, Kind.OPTIMIZER)
    known = [v1_name(names, call.func) or "" for call in calls]
    steps = any(isinstance(call.func, ast.Attribute) and call.func.attr in _STEPS for call in calls)
    return steps or any(n in LAYERS or function_of(n) or kind_of_call(n) in kinds for n in known)


def _made(owner: ast.ClassDef, tree: ast.Module, names: Names, source: SourceText) -> Iterator[_Made]:
    """Yields the savers of all variables that stand behind the object of a class."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    module = _object(owner, tree, tree)
    blocks: list[ast.Module | ast.FunctionDef] = [tree, *functions]
    for block in blocks:
        own = _object(owner, block, tree)
        model = own or (module if module is not None and not _binds(block, module.id) else None)
        for statement in straight(block.body):
            if not isinstance(statement, ast.Assign) or model is None or not _is_of_all(statement.value, names):
                continue
            target = statement.targets[0]
            if len(statement.targets) > 1 or not isinstance(target, ast.Name) or not source.is_alone(statement):
                continue
            if own is not None and own.lineno > statement.lineno:
                continue
            if _stores(block, target.id) == 1 and not _is_read_elsewhere(target.id, block, tree):
                yield _Made(statement, target.id, block, model.id)


def _object(owner: ast.ClassDef, block: ast.Module | ast.FunctionDef, tree: ast.Module) -> ast.Name | None:
    """Returns the name under which a block makes an object of a class, if it binds it once."""
    calls = {id(use) for use in uses_of(owner, tree)}
    for statement in straight(block.body):
        value = statement.value if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
        if isinstance(statement, ast.Assign) and isinstance(value, ast.Call) and id(value.func) in calls:
            target = statement.targets[0]
            return target if isinstance(target, ast.Name) and _stores(block, target.id) == 1 else None
    return None


def _is_of_all(value: ast.expr, names: Names) -> bool:
    """Returns whether an expression makes a saver of all variables."""
    if not isinstance(value, ast.Call) or v1_name(names, value.func) != "train.Saver" or value.args:
        return False
    return all(keyword.arg == "max_to_keep" and isinstance(keyword.value, ast.Constant) for keyword in value.keywords)


def _stores(block: ast.AST, name: str) -> int:
    return sum(isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load) for n in walk(block))


def _binds(block: ast.AST, name: str) -> bool:
    if isinstance(block, ast.Module):
        return False
    return _stores(block, name) > 0 or any(isinstance(n, ast.arg) and n.arg == name for n in walk(block))


def _is_read_elsewhere(name: str, block: ast.AST, tree: ast.Module) -> bool:
    """Returns whether a text names a saver, or a function has the same name for something else."""
    if name in names_in_texts(tree):
        return True
    inner = [node for node in walk(block) if isinstance(node, ast.arg) and node.arg == name]
    return bool(inner)


def _is_only(known: _Made, names: Names) -> bool:
    parent = names.parents[known.statement]
    return getattr(parent, "body", []) == [known.statement]
