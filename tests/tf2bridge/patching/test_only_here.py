"""Nothing of ours sets an attribute of another library's module or class, save through the ledger."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[3] / "tf2bridge"
APART = (
    "patching",
    "proof/recording",  # one file that runs within TensorFlow 0.12 to 1.15, without tf2bridge
    "program/own_builtins.py",  # passes on what the program sets in builtins,
    "behaviour/program_flags.py",  # in FLAGS,
    "behaviour/old_keras/mixed_precision/policy.py",  # and as the policy of the process
)
OF_THE_PROCESS = ("sys.argv", "sys.stdout", "sys.last_value")
"""What Python means to be set."""
IMPORTERS = ("import_module", "tensorflow", "supplier")
"""Functions that return a module of another library."""


def foreign_sets(tree: ast.AST) -> Iterator[str]:
    """The statements of a file that set or delete such an attribute."""
    yield from _in_scope(tree, set())


def _in_scope(scope: ast.AST, outer: set[str]) -> Iterator[str]:
    own = list(_own_nodes(scope))
    names = outer | {name for node in own for name in _bound(node)}
    for _ in range(2):  # a name may be bound to part of another one
        names |= {name for node in own for name in _bound_to_parts(node, names)}
    for node in own:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield from _in_scope(node, names)
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Delete):
            targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else [node.target]
            parts = [
                part for target in targets for part in (target.elts if isinstance(target, ast.Tuple) else [target])
            ]
            for part in parts:
                is_theirs = isinstance(part, ast.Attribute) and _is_foreign(part.value, names)
                if is_theirs and ast.unparse(part) not in OF_THE_PROCESS:
                    yield ast.unparse(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("setattr", "delattr"):
            yield from [ast.unparse(node)] if _is_foreign(node.args[0], names) else []


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield from _own_nodes(child)


def _bound(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and (
        str(node.module).startswith("tf2bridge.internals") or not str(node.module).startswith(("tf2bridge", "codemods"))
    ):
        yield from (alias.asname or alias.name for alias in node.names)


def _bound_to_parts(node: ast.AST, names: set[str]) -> Iterator[str]:
    if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if _is_foreign(node.value, names):
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def _is_foreign(node: ast.AST, names: set[str]) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    if isinstance(node, ast.Call):
        return ast.unparse(node.func).rpartition(".")[2] in IMPORTERS
    return isinstance(node, ast.Name) and node.id in names


def test_only_the_ledger_changes_other_libraries() -> None:
    statements = {
        f"{path.relative_to(PACKAGE)}: {statement}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if not str(path.relative_to(PACKAGE)).startswith(APART)
        for statement in foreign_sets(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert statements == set()


def test_what_such_statements_look_like() -> None:
    text = """
import tensorflow as tf
from tensorflow.python.framework import ops
tf.x = 1
ops.Graph.x = 2
def f(own):
    module = importlib.import_module("keras").layers
    cls = module.Layer
    cls.call, own.call = 1, 2
    setattr(cls, "call", 1)
    del tf.nn.x
    own.tf = 1
"""
    statements = [
        statement.replace("(cls.call, own.call)", "cls.call, own.call") for statement in foreign_sets(ast.parse(text))
    ]
    assert statements == [  # Python 3.10 writes brackets
        "tf.x = 1", "ops.Graph.x = 2", "cls.call, own.call = (1, 2)", "setattr(cls, 'call', 1)", "del tf.nn.x",
    ]  # fmt: skip
