"""LIB001: names that NumPy 1.24 and 2.0 removed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.removed import of_numpy
from codemods.rule import Example, Hit, Rule, Safety, Use

BUILTINS = {name.removeprefix("numpy."): row.new for name, row in of_numpy.BUILTINS.items()}
RENAMED = {name.removeprefix("numpy."): row.new.replace("numpy.", "") for name, row in of_numpy.RENAMED.items()}
GONE = {name.removeprefix("numpy."): row.hint for name, row in of_numpy.GONE.items()}

_LIB = frozenset(("array_utils", "format", "introspect", "mixins", "npyio", "recfunctions", "scimath", "stride_tricks"))
_LIB |= {"Arrayterator", "NumpyVersion", "add_docstring", "add_newdoc", "user_array"}
_OLD_LIB = frozenset(("arraypad", "arraysetops", "arrayterator", "financial", "function_base", "histograms", "info"))
_OLD_LIB |= {
    "index_tricks",
    "nanfunctions",
    "polynomial",
    "shape_base",
    "twodim_base",
    "type_check",
    "ufunclike",
    "utils",
}
"""Names that np.lib still has, and modules that it had. Up to 1.26, its functions were those of np."""


def find(node: ast.expr | ast.ImportFrom, context: Context) -> Iterator[Hit]:
    """Yields a hit on np.float and other removed names."""
    if isinstance(node, ast.ImportFrom):
        yield from _import(node)
        return
    for part, name in context.prefixes(node):
        if isinstance(part, ast.Attribute):
            yield from _of_name(part, name, context)


def _of_name(part: ast.Attribute, name: str, context: Context) -> Iterator[Hit]:
    head, _, last = name.rpartition(".")
    if head == "numpy.lib" and isinstance(part.value, ast.Attribute) and last not in _LIB | _OLD_LIB | GONE.keys():
        new = RENAMED.get(last, last)
        text = f"{context.source(part.value.value)}.{new}"
        yield Hit(part, f"NumPy 2.0 removed np.lib.{last}, which is np.{new}", rewrite=text)
    if head != "numpy":
        return
    if last in BUILTINS and not context.names.binds(BUILTINS[last]):
        message = f"np.{last} was the builtin {BUILTINS[last]}; NumPy 1.24 removed it"
        yield Hit(part, message, rewrite=BUILTINS[last])
    elif last in RENAMED:
        new = RENAMED[last]
        sign = "-" if new.startswith("-") else ""
        text = f"{sign}{context.source(part.value)}.{new.lstrip('-')}"
        yield Hit(part, f"{_release(last)} removed np.{last}, which is {sign}np.{new.lstrip('-')}", rewrite=text)
    elif last in GONE:
        yield Hit(part, f"NumPy 2 has no np.{last}: {GONE[last]}", Safety.MANUAL)


def _release(name: str) -> str:
    return of_numpy.RENAMED[f"numpy.{name}"].release


def _import(node: ast.ImportFrom) -> Iterator[Hit]:
    """Yields a hit on `from numpy import Inf, NaN`, which imports the new names under the old ones."""
    if node.module != "numpy" or node.level:
        return
    changed = [alias for alias in node.names if _plain(alias.name)]
    if changed:
        names = [_imported(alias) for alias in node.names]
        message = f"NumPy 2.0 removed np.{changed[0].name}, which is np.{RENAMED[changed[0].name]}"
        yield Hit(node, message, rewrite=ast.unparse(ast.ImportFrom("numpy", names, 0)))
    for alias in node.names:
        if alias.name in GONE:
            yield Hit(node, f"NumPy 2 has no np.{alias.name}: {GONE[alias.name]}", Safety.MANUAL)


def _plain(name: str) -> bool:
    """Returns whether an import can bind the replacement of `name`: not if it is `-inf` or in another module."""
    return RENAMED.get(name, "-").isidentifier()


def _imported(alias: ast.alias) -> ast.alias:
    return ast.alias(RENAMED[alias.name], alias.asname or alias.name) if _plain(alias.name) else alias


rule = Rule(
    code="LIB001",
    name="numpy-names",
    summary="np.float -> float, np.int -> int, np.Inf -> np.inf, np.product -> np.prod",
    why="np.float, np.int, np.bool, np.object and np.str were other names of the builtins. NumPy 1.24 removed them "
    "(np.bool of 2.0 is another type, np.bool_). NumPy 2.0 removed further aliases.",
    safety=Safety.SAFE,
    on=(Use, ast.ImportFrom),
    packages=("numpy",),
    find=find,
    examples=(
        Example("import numpy as np\nx = np.zeros(3, np.float)\n", "import numpy as np\nx = np.zeros(3, float)\n"),
        Example("import numpy as np\nx = y.astype(np.bool)\n", "import numpy as np\nx = y.astype(bool)\n"),
        Example("import numpy\nbest = numpy.Inf\n", "import numpy\nbest = numpy.inf\n"),
        Example("import numpy as np\nn = np.rank(x)\n", "import numpy as np\nn = np.ndim(x)\n"),
        Example("import numpy as np\nx = np.lib.pad(x, 1, 'edge')\n", "import numpy as np\nx = np.pad(x, 1, 'edge')\n"),
        Example("from numpy import NaN, zeros, Inf as top\n", "from numpy import nan as NaN, zeros, inf as top\n"),
        Example("import numpy as np\nx = np.pmt(0.1, 2, 3)\n", reported=True),
        Example("from numpy import zeros\n"),
        Example("import numpy as np\nx = np.float32(1)\ny = np.bool_(0)\n"),
        Example("import mine as np\nx = np.float\n"),
    ),
)
