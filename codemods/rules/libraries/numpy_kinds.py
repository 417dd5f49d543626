"""LIB034: `np.issubdtype(x, float)`, which held for all floating-point types before NumPy 1.20."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.removed import of_numpy
from codemods.rule import Example, Hit, Rule, Safety

_KINDS = {"float": "floating", "int": "signedinteger", "complex": "complexfloating", "str": "str_"}
"""Python's type -> what it stood for (measured with NumPy 1.16.6 and 1.18.5). `bool` and `object` were always true."""


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on the type of Python in the second place, also under a name that NumPy had for it."""
    if context.qualified(call.func) != "numpy.issubdtype" or len(call.args) != 2 or call.keywords:
        return
    kind = call.args[1]
    name = _of_python(kind, context)
    if name not in _KINDS or not isinstance(call.func, ast.Attribute):
        return
    new = f"{context.source(call.func.value)}.{_KINDS[name]}"
    meant = "text" if name == "str" else f"every np.{_KINDS[name]} type"
    yield Hit(kind, f"{name} meant {meant} here; since NumPy 1.20 it is one type", rewrite=new)


def _of_python(kind: ast.expr, context: Context) -> str:
    if isinstance(kind, ast.Name):
        return kind.id if context.names.is_unbound(kind) else ""
    row = of_numpy.BUILTINS.get(context.qualified(kind) or "")
    return row.new or "" if row else ""


rule = Rule(
    code="LIB034",
    name="numpy-kinds",
    summary="np.issubdtype(x.dtype, float) -> np.issubdtype(x.dtype, np.floating)",
    why="Before NumPy 1.20 `float` stood for float32, too, so that a check of types fails today.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    packages=("numpy",),
    find=find,
    examples=(
        Example(
            "import numpy as np\nok = np.issubdtype(x.dtype, float)\n",
            "import numpy as np\nok = np.issubdtype(x.dtype, np.floating)\n",
        ),
        Example(
            "import numpy as np\nok = np.issubdtype(x.dtype, np.int)\n",
            "import numpy as np\nok = np.issubdtype(x.dtype, np.signedinteger)\n",
        ),
        Example("import numpy as np\nok = np.issubdtype(x.dtype, np.float32)\n"),
        Example("import numpy as np\nok = np.issubdtype(x.dtype, bool)\n"),
    ),
)
