"""LIB011: NumPy no longer makes a Python number of an array that holds one element."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety

# Their result has the shape of their arguments; the idiom is a random draw of size 1.
_ARRAYS = frozenset({"numpy.searchsorted", "numpy.dot", "numpy.matmul"})


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """A hit on int(...) or float(...) of a NumPy call whose result may be an array of one element."""
    if not isinstance(call.func, ast.Name) or call.func.id not in ("int", "float"):
        return
    if not context.names.is_unbound(call.func) or len(call.args) != 1 or call.keywords:
        return
    inner = call.args[0]
    if isinstance(inner, ast.Call) and context.qualified(inner.func) in _ARRAYS:
        name = call.func.id
        yield Hit(
            inner, f"{name}() of an array of one element, deprecated in NumPy 1.25, is an error now", rewrite=_item
        )


def _item(node: Any) -> Any:
    import libcst as cst

    return cst.Call(cst.Attribute(node, cst.Name("item")))


rule = Rule(
    code="LIB011",
    name="size-one-array",
    summary="int(np.searchsorted(...)) -> int(np.searchsorted(...).item())",
    why="NumPy deprecated int() and float() of arrays with dimensions in 1.25 and refuses them now. item() takes the "
    "one element of an array or of a NumPy number, and refuses more than one, as int() did.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    find=find,
    examples=(
        Example(
            "import numpy as np\ni = int(np.searchsorted(t, np.random.rand(1) * s))\n",
            "import numpy as np\ni = int(np.searchsorted(t, np.random.rand(1) * s).item())\n",
        ),
        Example("import numpy as np\nn = int(np.ceil(a / b))\n"),
        Example("import numpy as np\ni = int(np.searchsorted(t, r).item())\n"),
    ),
)
