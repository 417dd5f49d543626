"""LIB022: StopIteration raised in a generator, a RuntimeError since Python 3.7."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def find(node: ast.Raise | ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on `raise StopIteration`, and a finding on `next(x)` without a default, in a generator."""
    if isinstance(node, ast.Raise):
        yield from _of_raise(node, context)
    elif isinstance(node.func, ast.Name) and node.func.id == "next" and context.names.is_unbound(node.func):
        function, caught = _around(node, context)
        if len(node.args) == 1 and not caught and isinstance(function, ast.FunctionDef) and _yields(function):
            message = "next() raises StopIteration when the iterator ends, which ended this generator up to Python 3.6"
            yield Hit(
                node,
                f"{message}, and is a RuntimeError since 3.7: if the iterator can end, catch StopIteration and return",
                Safety.MANUAL,
            )


def _of_raise(statement: ast.Raise, context: Context) -> Iterator[Hit]:
    raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
    if not isinstance(raised, ast.Name) or raised.id != "StopIteration" or not context.names.is_unbound(raised):
        return
    function, caught = _around(statement, context)
    if function is None or not _yields(function):
        return
    if caught or (isinstance(statement.exc, ast.Call) and (len(statement.exc.args) > 1 or statement.exc.keywords)):
        message = "StopIteration that leaves a generator is a RuntimeError since Python 3.7: write return there"
        yield Hit(statement, message, Safety.MANUAL, todo=True)
        return
    value = [context.source(node) for node in getattr(statement.exc, "args", [])]
    message = "in a generator, raise StopIteration is a RuntimeError since Python 3.7 (PEP 479); return ends it"
    yield Hit(statement, message, rewrite=" ".join(["return", *value]))


def _around(statement: ast.stmt | ast.expr, context: Context) -> tuple[ast.AST | None, bool]:
    """Returns the function around the statement, and whether a `try` in it may catch the error."""
    inner: ast.AST = statement
    outer = context.parent(statement)
    caught = False
    while outer is not None and not isinstance(outer, _FUNCTIONS):
        if isinstance(outer, ast.ClassDef):
            return None, False
        caught = caught or (isinstance(outer, ast.Try) and inner in outer.body and bool(outer.handlers))
        inner, outer = outer, context.parent(outer)
    return outer, caught


def _yields(function: ast.AST) -> bool:
    """Returns whether a function is a generator: it contains a yield outside of its inner functions."""
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)
    return False


rule = Rule(
    code="LIB022",
    name="stop-iteration",
    summary="raise StopIteration in a generator -> return",
    why="Up to Python 3.6 a generator ended where it raised StopIteration. Since 3.7 that is a RuntimeError (PEP "
    "479). return ends a generator in every release. If a try in the generator may catch the error, a person has to "
    "look.",
    safety=Safety.SAFE,
    on=(ast.Raise, ast.Call),
    find=find,
    examples=(
        Example(
            "def f(xs):\n    for x in xs:\n        if x:\n            raise StopIteration\n        yield x\n",
            "def f(xs):\n    for x in xs:\n        if x:\n            return\n        yield x\n",
        ),
        Example(
            "def f(n):\n    yield n\n    raise StopIteration(n + 1)\n",
            "def f(n):\n    yield n\n    return n + 1\n",
        ),
        Example(
            "def f(n):\n    yield n\n    try:\n        raise StopIteration()\n    except Exception:\n        n = 0\n",
            "def f(n):\n    yield n\n    try:\n        # TODO(codemods LIB022): StopIteration that leaves a generator "
            "is a RuntimeError since Python 3.7: write return there\n        raise StopIteration()\n    except "
            "Exception:\n        n = 0\n",
        ),
        Example("def f(xs):\n    it = iter(xs)\n    while True:\n        yield next(it)\n", reported=True),
        Example("def f(xs):\n    it = iter(xs)\n    yield next(it, None)\n"),
        Example(
            "def f(it):\n    try:\n        yield next(it)\n    except StopIteration:\n        return\n",
        ),
        Example("class A:\n    def __next__(self):\n        raise StopIteration\n"),
        Example("def f():\n    def g():\n        yield 1\n    raise StopIteration\n"),
    ),
)
