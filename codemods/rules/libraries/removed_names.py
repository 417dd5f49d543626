"""LIB028: names that Python and other libraries removed, and names that compute the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.removed import of_libraries, of_python, of_scipy
from codemods.rule import Example, Hit, Rule, Safety, Use

_NAMES = {**of_python.NAMES, **of_scipy.NAMES, **of_libraries.NAMES}
RENAMED = {name: (row.new, row.release) for name, row in _NAMES.items() if row.new}
GONE = {name: f"{row.release} removed it; {row.hint}" for name, row in _NAMES.items() if not row.new}
"""What a person has to choose: the release that removed it, and what there is."""


def find(node: ast.expr | ast.ImportFrom, context: Context) -> Iterator[Hit]:
    """Yields a hit on each use and each import of such a name."""
    if isinstance(node, ast.ImportFrom):
        yield from _import(node)
        return
    for part, name in context.prefixes(node):
        if isinstance(part, ast.Attribute) and name in RENAMED:
            new, release = RENAMED[name]
            message = f"{release} removed {name}, which is {new}"
            yield Hit(part, message, rewrite=new, imports=(f"import {_module(new)}",), alone=True)
        elif isinstance(part, ast.Attribute) and name in GONE:
            yield Hit(part, f"there is no {name}: {GONE[name]}", Safety.MANUAL)


def _module(name: str) -> str:
    """Returns the module to import for a dotted name; `errno` itself is a module."""
    return name.removesuffix(".loadTestsFromTestCase").rpartition(".")[0] or name


def _import(node: ast.ImportFrom) -> Iterator[Hit]:
    """Yields a hit on `from base64 import encodestring, b64encode`, which imports new names under the old ones."""
    if node.level or not node.module:
        return
    moved = [alias for alias in node.names if f"{node.module}.{alias.name}" in RENAMED]
    for alias in node.names:
        if f"{node.module}.{alias.name}" in GONE:
            message = GONE[f"{node.module}.{alias.name}"]
            yield Hit(node, f"there is no {node.module}.{alias.name}: {message}", Safety.MANUAL)
    if not moved:
        return
    kept = [alias for alias in node.names if alias not in moved]
    lines = [ast.unparse(ast.ImportFrom(node.module, kept, 0))] if kept else []
    lines += [_moved(f"{node.module}.{alias.name}", alias.asname or alias.name) for alias in moved]
    new, release = RENAMED[f"{node.module}.{moved[0].name}"]
    yield Hit(node, f"{release} removed {node.module}.{moved[0].name}, which is {new}", rewrite="\n".join(lines))


def _moved(name: str, bound: str) -> str:
    new = RENAMED[name][0]
    module, _, last = new.rpartition(".")
    if not module:
        return f"import {last}" + (f" as {bound}" if bound != last else "")
    if module == "unittest.defaultTestLoader":
        return f"import unittest\n{bound} = {new}"
    return f"from {module} import {last}" + (f" as {bound}" if bound != last else "")


rule = Rule(
    code="LIB028",
    name="removed-names",
    summary="base64.encodestring -> base64.encodebytes, fractions.gcd -> math.gcd, scipy.signal.hann -> windows.hann",
    why="Python 3.7 to 3.13 and later releases of SciPy, scikit-learn, pandas and Matplotlib removed these names. If "
    "another name replaces one, the rule writes it. Otherwise the finding names what a person can choose from.",
    safety=Safety.SAFE,
    on=(Use, ast.ImportFrom),
    find=find,
    examples=(
        Example("import base64\ns = base64.encodestring(b)\n", "import base64\ns = base64.encodebytes(b)\n"),
        Example("import fractions\nn = fractions.gcd(4, 6)\n", "import math\nimport fractions\nn = math.gcd(4, 6)\n"),
        Example(
            "from base64 import b64encode, decodestring\n",
            "from base64 import b64encode\nfrom base64 import decodebytes as decodestring\n",
        ),
        Example(
            "from scipy import signal\nw = signal.gaussian(9, 2)\n",
            "import scipy.signal.windows\nfrom scipy import signal\nw = scipy.signal.windows.gaussian(9, 2)\n",
        ),
        Example("import os\nif e == os.errno.EEXIST: pass\n", "import errno\nimport os\nif e == errno.EEXIST: pass\n"),
        Example("import platform\nd = platform.linux_distribution()\n", reported=True),
        Example("from sklearn.datasets import load_boston\n", reported=True),
        Example("from mine import base64\ns = base64.encodestring(b)\n"),
    ),
)
