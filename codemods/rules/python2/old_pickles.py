"""PY2004: loads of pickles that Python 2 may have written."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.calls import with_keyword
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety

_LOADS = ("pickle.load", "pickle.loads", "cPickle.load", "cPickle.loads")


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on pickle.load in a file that was Python 2, or that still imports cPickle."""
    if not (context.python2 or "cPickle" in context.names.imported) or len(call.args) != 1 or call.keywords:
        return
    if context.qualified(call.func) not in _LOADS and not _is_either(call.func, context):
        return
    message = "a pickle of Python 2 holds byte strings, which Python 3 decodes as ASCII if no encoding is given"
    yield Hit(call, message, rewrite=with_keyword("encoding", '"latin1"'))


def _is_either(function: ast.expr, context: Context) -> bool:
    """Returns whether this is `load` of the module that `try: import cPickle as pickle` or its `except` imported."""
    if not isinstance(function, ast.Attribute) or function.attr not in ("load", "loads"):
        return False
    root = function.value
    bound = context.names.bindings(root) if isinstance(root, ast.Name) else []
    return bool(bound) and all(binding.imported in ("pickle", "cPickle") for binding in bound)


rule = Rule(
    code="PY2004",
    name="old-pickles",
    summary='pickle.load(f) of a Python 2 program -> pickle.load(f, encoding="latin1")',
    why="Python 3 decodes the byte strings in a pickle of Python 2 as ASCII, which fails for arrays and for other "
    "text. latin1 decodes every byte. A pickle that Python 3 wrote does not need it, and its strings stay as they "
    "are. So latin1 is added only with --unsafe-fixes.",
    safety=Safety.UNSAFE,
    on=(ast.Call,),
    find=find,
    examples=(
        Example(
            'import cPickle\nprint "x"\ny = cPickle.load(f)\n',
            'import pickle\nprint("x")\ny = pickle.load(f, encoding="latin1")\n',
            unsafe_fixes=True,
        ),
        Example(
            "try:\n    import cPickle as pickle\nexcept ImportError:\n    import pickle\ny = pickle.load(f)\n",
            "try:\n    import cPickle as pickle\nexcept ImportError:\n    import pickle\n"
            'y = pickle.load(f, encoding="latin1")\n',
            unsafe_fixes=True,
        ),
        Example("import pickle\ny = pickle.load(f)\n"),
    ),
)
