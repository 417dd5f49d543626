"""LIB002: calls of np.load, which reads pickled objects only with allow_pickle=True."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.calls import with_keyword
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on a call of np.load without allow_pickle."""
    if context.qualified(call.func) != "numpy.load" or len(call.args) > 2:
        return
    if any(keyword.arg in (None, "allow_pickle") for keyword in call.keywords):
        return
    message = (
        "since NumPy 1.16.3 np.load refuses arrays of objects; if the file holds some, and you trust it, "
        "write allow_pickle=True"
    )
    yield Hit(call, message, rewrite=with_keyword("allow_pickle", "True"))


rule = Rule(
    code="LIB002",
    name="allow-pickle",
    summary="np.load(f) -> np.load(f, allow_pickle=True)",
    why="Files of plain arrays load as before. Files with Python objects, in which old programs kept weights, need "
    "allow_pickle=True, which runs any code that the file contains. So it is added only with --unsafe-fixes.",
    safety=Safety.UNSAFE,
    on=(ast.Call,),
    packages=("numpy",),
    find=find,
    examples=(
        Example(
            "import numpy as np\nx = np.load('vgg16.npy', encoding='latin1').item()\n",
            "import numpy as np\nx = np.load('vgg16.npy', encoding='latin1', allow_pickle=True).item()\n",
            unsafe_fixes=True,
        ),
        Example("import numpy as np\ny = np.load(path)\n", reported=True),
        Example("import numpy as np\nx = np.load(path, allow_pickle=False)\n"),
        Example("import pickle\nx = pickle.load(f)\n"),
    ),
)
