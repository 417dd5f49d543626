"""LIB013: calls of np.reshape with newshape=."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.calls import Plan, written
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on a call with the old keyword."""
    if context.qualified(call.func) == "numpy.reshape" and any(k.arg == "newshape" for k in call.keywords):
        message = "np.reshape's newshape became shape in NumPy 2.1; the old keyword is gone"
        yield Hit(call, message, rewrite=written(Plan((("newshape", "shape"),))))


rule = Rule(
    code="LIB013",
    name="reshape-shape",
    summary="np.reshape(x, newshape=s) -> np.reshape(x, shape=s)",
    why="NumPy 2.1 renamed the parameter. A later release removed the old name.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    packages=("numpy",),
    find=find,
    examples=(
        Example(
            "import numpy as np\ny = np.reshape(x, newshape=(2, 3))\n",
            "import numpy as np\ny = np.reshape(x, shape=(2, 3))\n",
        ),
        Example("import numpy as np\ny = np.reshape(x, (2, 3))\n"),
    ),
)
