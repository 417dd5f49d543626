"""LIB001: names that NumPy 1.24 and 2.0 removed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety, Use

# Source: the release notes of NumPy 1.24 ("expired deprecations") and 2.0 ("main namespace").
BUILTINS = {
    "bool": "bool",
    "complex": "complex",
    "float": "float",
    "int": "int",
    "long": "int",
    "object": "object",
    "str": "str",
    "unicode": "str",
}
RENAMED = {
    "Inf": "inf",
    "Infinity": "inf",
    "NAN": "nan",
    "NINF": "-inf",
    "NaN": "nan",
    "PINF": "inf",
    "alltrue": "all",
    "cfloat": "complex128",
    "complex_": "complex128",
    "cumproduct": "cumprod",
    "float_": "float64",
    "infty": "inf",
    "mat": "asmatrix",
    "product": "prod",
    "round_": "round",
    "row_stack": "vstack",
    "sometrue": "any",
    "string_": "bytes_",
    "unicode_": "str_",
}


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """A hit on np.float and its like."""
    for part, name in context.prefixes(node):
        head, _, last = name.rpartition(".")
        if head != "numpy" or not isinstance(part, ast.Attribute):
            continue
        if last in BUILTINS and not context.names.binds(BUILTINS[last]):
            message = f"np.{last} was the builtin {BUILTINS[last]}; NumPy 1.24 removed it"
            yield Hit(part, message, rewrite=BUILTINS[last])
        elif last in RENAMED:
            new = RENAMED[last]
            sign = "-" if new.startswith("-") else ""
            text = f"{sign}{context.source(part.value)}.{new.lstrip('-')}"
            yield Hit(part, f"NumPy 2.0 removed np.{last}, which is {sign}np.{new.lstrip('-')}", rewrite=text)


rule = Rule(
    code="LIB001",
    name="numpy-names",
    summary="np.float -> float, np.int -> int, np.Inf -> np.inf, np.product -> np.prod",
    why="np.float, np.int, np.bool, np.object and np.str were the builtins under another name and are gone since NumPy "
    "1.24 (np.bool of 2.0 is another type, np.bool_); 2.0 removed further aliases.",
    safety=Safety.SAFE,
    on=(Use,),
    packages=("numpy",),
    find=find,
    examples=(
        Example("import numpy as np\nx = np.zeros(3, np.float)\n", "import numpy as np\nx = np.zeros(3, float)\n"),
        Example("import numpy as np\nx = y.astype(np.bool)\n", "import numpy as np\nx = y.astype(bool)\n"),
        Example("import numpy\nbest = numpy.Inf\n", "import numpy\nbest = numpy.inf\n"),
        Example("import numpy as np\nx = np.float32(1)\ny = np.bool_(0)\n"),
        Example("import mine as np\nx = np.float\n"),
    ),
)
