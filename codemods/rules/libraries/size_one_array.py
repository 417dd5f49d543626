"""LIB011: int() and float() of arrays with one element, which NumPy refuses."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety

# The result has the shape of the arguments; the idiom is a random draw of size 1.
_ARRAYS = frozenset({"numpy.searchsorted", "numpy.dot", "numpy.matmul"})


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on int(...) or float(...) of a NumPy call whose result may be an array with one element."""
    if not isinstance(call.func, ast.Name) or call.func.id not in ("int", "float"):
        return
    if not context.names.is_unbound(call.func) or len(call.args) != 1 or call.keywords:
        return
    inner = call.args[0]
    if isinstance(inner, ast.Call) and context.qualified(inner.func) in _ARRAYS:
        name = call.func.id
        yield Hit(
            inner,
            f"{name}() of an array with one element was deprecated in NumPy 1.25, and is an error now",
            rewrite=_item,
        )


def _item(node: Any) -> Any:
    import libcst as cst

    return cst.Call(cst.Attribute(node, cst.Name("item")))


rule = Rule(
    code="LIB011",
    name="size-one-array",
    summary="int(np.searchsorted(...)) -> int(np.searchsorted(...).item())",
    why="NumPy 1.25 deprecated int() and float() of arrays with dimensions, and NumPy refuses them now. item() "
    "returns the only element of an array or of a NumPy number. It refuses more than one element, as int() did.",
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
