"""LIB012: np.array of rows of different lengths."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.facts import is_zip
from codemods.rule import Example, Hit, Rule, Safety


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on np.array(x) with one argument, if x is known to pair values of different lengths."""
    if context.qualified(call.func) not in ("numpy.array", "numpy.asarray") or len(call.args) != 1 or call.keywords:
        return
    if not is_zip(call.args[0]) and not _is_given_pairs(call.args[0], call, context):
        return
    message = "rows of different lengths made an array of objects; since NumPy 1.24 they are an error"
    text = "tf2bridge.old_numpy.array"
    yield Hit(call.func, message, rewrite=text, imports=("import tf2bridge.old_numpy",))


def _is_given_pairs(node: ast.expr, call: ast.Call, context: Context) -> bool:
    """Returns whether this is a parameter to which some file of the project passes list(zip(x, y))."""
    if not isinstance(node, ast.Name):
        return False
    function: ast.AST | None = call
    while function is not None and not isinstance(function, ast.FunctionDef):
        function = context.parent(function)
    if function is None:
        return False
    names = [argument.arg for argument in function.args.args]
    places = {names.index(node.id) - shift for shift in (0, 1)} if node.id in names else set()
    given = {pair for facts in context.project.files.values() for pair in facts.zipped}
    return any((function.name, place) in given for place in places if place >= 0)


rule = Rule(
    code="LIB012",
    name="ragged-array",
    summary="np.array(list(zip(x, y))) of unlike rows -> tf2bridge.old_numpy.array(list(zip(x, y)))",
    why="Before 1.24, NumPy made an array of objects from rows of different lengths, such as pairs of a sentence and "
    "its label. Now it raises an error. old_numpy.array makes the same array as the old NumPy, and is np.array for "
    "everything else.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    packages=("numpy",),
    find=find,
    examples=(
        Example(
            "import numpy as np\ndef batches(data):\n    return np.array(data)\nbatches(list(zip(x, y)))\n",
            "import tf2bridge.old_numpy\nimport numpy as np\ndef batches(data):\n    return "
            "tf2bridge.old_numpy.array(data)\n"
            "batches(list(zip(x, y)))\n",
        ),
        Example("import numpy as np\ndef batches(data):\n    return np.array(data)\n"),
        Example("import numpy as np\nx = np.array(list(zip(a, b)), dtype=np.float32)\n"),
        Example("import numpy as np\nx = np.array([1, 2])\n"),
    ),
)
