"""Writes `name=scope.name` as the name that its block has: `with tf.variable_scope("conv1") as scope`.

A variable scope vanishes, and so does the object that tells its name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods import scopes
from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.native.source_text import SourceText
from codemods.tree import walk


def with_names_of_scopes(text: str) -> str:
    """Returns a text where ops have the names of scopes as texts, where the source says them."""
    if ".name" not in text or "_scope" not in text:
        return text
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    for block in names.nodes.get(ast.With, []):
        for held, stated in _opened(block, names):
            for statement in (block, *_followers(block, held, names)):
                for node in _names_of_ops(statement, held, names):
                    source.replace(source.span(node), repr(stated))
    return source.result()


def _opened(block: ast.AST, names: Names) -> Iterator[tuple[str, str]]:
    """Yields the name that holds a variable scope, and the last part of the scope's own name."""
    assert isinstance(block, ast.With)
    for item in block.items:
        context, held = item.context_expr, item.optional_vars
        is_scope = isinstance(context, ast.Call) and v1_name(names, context.func) == "variable_scope"
        first = context.args[0] if is_scope and isinstance(context, ast.Call) and context.args else None
        stated = first.value if isinstance(first, ast.Constant) else None
        if isinstance(held, ast.Name) and isinstance(stated, str) and stated:
            yield held.id, stated.rpartition("/")[2]


def _followers(block: ast.AST, held: str, names: Names) -> Iterator[ast.stmt]:
    """Yields the statements after a block, up to one that binds the name of the scope again."""
    parent = names.parents.get(block)
    siblings = next((part for _, part in ast.iter_fields(parent) if isinstance(part, list) and block in part), [])  # type: ignore[arg-type]
    for statement in siblings[siblings.index(block) + 1 :] if siblings else []:
        stored = (n for n in walk(statement) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))
        if any(node.id == held for node in stored):
            return
        yield statement


def _names_of_ops(block: ast.AST, held: str, names: Names) -> Iterator[ast.expr]:
    """Yields `scope.name` where it names an op in a block, and where no other block binds the name of the scope."""
    inner = {id(below) for node in walk(block) if node is not block and _binds(node, held) for below in walk(node)}
    for node in walk(block):
        if not isinstance(node, ast.keyword) or node.arg != "name" or id(node) in inner:
            continue
        call, value = names.parents.get(node), node.value
        of = value.value if isinstance(value, ast.Attribute) and value.attr == "name" else None
        is_op = isinstance(call, ast.Call) and (v1_name(names, call.func) or "").rpartition(".")[2] not in _OF_VARIABLES
        if is_op and isinstance(of, ast.Name) and of.id == held:
            yield value


_OF_VARIABLES = ("Variable", "get_variable", "placeholder", "variable_scope", "name_scope", "scalar", "histogram")
"""Functions whose names matter."""


def _binds(node: ast.AST, name: str) -> bool:
    if isinstance(node, (ast.FunctionDef, ast.Lambda)):
        return any(argument.arg == name for argument in walk(node.args) if isinstance(argument, ast.arg))
    held = [item.optional_vars for item in node.items] if isinstance(node, ast.With) else []
    return any(isinstance(part, ast.Name) and part.id == name for part in held)
