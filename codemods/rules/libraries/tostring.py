"""LIB023: the method tostring of arrays and images, which is tobytes today."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety

# Arrays and images of these had tostring, and have tobytes (release notes: NumPy 2.3, Python 3.9, Pillow 3.0).
_PACKAGES = ("numpy", "array", "PIL", "cv2", "scipy", "skimage", "imageio", "tensorflow")


def find(module: ast.Module, context: Context) -> Iterator[Hit]:  # noqa: ARG001 - a rule for a whole file is given it
    """Yields a hit on each `x.tostring()` unless x is a module; the function of xml and lxml is left alone."""
    calls = context.names.nodes.get(ast.Call, []) if ".tostring" in context.text else []
    for call in calls:
        if isinstance(call, ast.Call) and _is_of_array(call, context):
            message = "NumPy 2.3 removed tostring, as array and Pillow did before; tobytes returns the same bytes"
            yield Hit(call, message, rewrite=_tobytes)


def _is_of_array(call: ast.Call, context: Context) -> bool:
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr != "tostring" or call.args:
        return False
    return all(keyword.arg == "order" for keyword in call.keywords) and _may_be_array(function, context)


def _may_be_array(function: ast.Attribute, context: Context) -> bool:
    """Returns whether this may be an array's method: the file imports such a library, x is no module, and no class
    defines it.
    """
    if context.qualified(function) is not None or not any(map(context.names.imports, _PACKAGES)):
        return False
    defined = context.names.nodes.get(ast.FunctionDef, [])
    return not any(isinstance(node, ast.FunctionDef) and node.name == "tostring" for node in defined)


def _tobytes(node: Any) -> Any:
    import libcst as cst

    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        return node.with_changes(func=node.func.with_changes(attr=cst.Name("tobytes")))
    return node


rule = Rule(
    code="LIB023",
    name="tostring",
    summary="x.tostring() -> x.tobytes()",
    why="The method of arrays and images was renamed because it returns bytes. NumPy 2.3 removed the old name, as "
    "array did in Python 3.9, and Pillow.",
    safety=Safety.SAFE,
    on=(ast.Module,),
    find=find,
    examples=(
        Example(
            "import numpy as np\ns = np.zeros(3).astype('f4').tostring()\n",
            "import numpy as np\ns = np.zeros(3).astype('f4').tobytes()\n",
        ),
        Example(
            "import tensorflow as tf\ndef f(image):\n    return [image.tostring(order='C')]\n",
            "import tensorflow as tf\ndef f(image):\n    return [image.tobytes(order='C')]\n",
        ),
        Example("import numpy\nfrom xml.etree import ElementTree\ns = ElementTree.tostring(element)\n"),
        Example("import numpy\nclass A:\n    def tostring(self):\n        pass\ns = A().tostring()\n"),
        Example("s = image.tostring()\n"),
    ),
)
