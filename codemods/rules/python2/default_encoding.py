"""PY2005: calls of sys.setdefaultencoding, which Python 3 does not have."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety

_RELOADS = ("importlib.reload", "imp.reload")


def find(node: ast.Expr, context: Context) -> Iterator[Hit]:
    """Yields a hit on the call, and on the reload of sys that it needed."""
    call = node.value
    if not isinstance(call, ast.Call):
        return
    if context.qualified(call) == "sys.setdefaultencoding":
        yield Hit(
            node,
            "Python 3 has no sys.setdefaultencoding: its text is Unicode, and its default encoding is UTF-8",
            rewrite="",
        )
    elif _reloads_sys(call, context) and _sets_encoding(context):
        yield Hit(node, "sys was reloaded for sys.setdefaultencoding, which Python 3 does not have", rewrite="")


def _reloads_sys(call: ast.Call, context: Context) -> bool:
    name = context.qualified(call) or getattr(call.func, "id", "")
    return name in (*_RELOADS, "reload") and len(call.args) == 1 and context.qualified(call.args[0]) == "sys"


def _sets_encoding(context: Context) -> bool:
    return any(context.qualified(chain) == "sys.setdefaultencoding" for chain in context.names.chains)


rule = Rule(
    code="PY2005",
    name="default-encoding",
    summary="sys.setdefaultencoding('utf-8') is removed",
    why="Python 2 programs reloaded sys to reach sys.setdefaultencoding, so that they could mix bytes and text. "
    "Python 3 keeps the two apart, decodes source files as UTF-8, and has no such function.",
    safety=Safety.SAFE,
    on=(ast.Expr,),
    find=find,
    examples=(
        Example(
            "import sys, importlib\nimportlib.reload(sys)\nsys.setdefaultencoding('utf-8')\nmain()\n",
            "import sys, importlib\nmain()\n",
        ),
        Example("import sys\nif old:\n    sys.setdefaultencoding('utf-8')\n", "import sys\nif old:\n    pass\n"),
        Example("import sys\nprint(sys.getdefaultencoding())\n"),
        Example("import sys, importlib\nimportlib.reload(sys)\n"),
    ),
)
