"""LIB030: parameters that NumPy 1 had and NumPy 2 does not have."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from codemods.calls import Plan, without, written
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety

_METHOD = {"interpolation": "method"}
_COMPARED = {"x": "actual", "y": "desired"}
_DENSITY = {"normed": "density"}
RENAMED: dict[str, dict[str, str]] = {
    **dict.fromkeys(("percentile", "quantile", "nanpercentile", "nanquantile"), _METHOD),
    **dict.fromkeys(("testing.assert_array_equal", "testing.assert_array_almost_equal"), _COMPARED),
    **dict.fromkeys(("histogram2d", "histogramdd"), _DENSITY),
    "linalg.matrix_rank": {"M": "A"},
    "isscalar": {"num": "element"},
}
# The documentation of 1.16 says that none of these has an effect; `fix_imports` is for files that Python 2 reads.
WITHOUT_EFFECT: dict[str, tuple[str, ...]] = {
    "corrcoef": ("bias", "ddof"),
    "ma.corrcoef": ("bias", "ddof"),
    "array2string": ("style",),
    "save": ("fix_imports",),
}
BY_POSITION: dict[str, str] = {"reshape": "a", "linalg.cholesky": "a", "ma.diff": "a"}
NORMED = "histogram"


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on each call that gives such a parameter by name."""
    name = (context.qualified(call.func) or "").removeprefix("numpy.")
    given = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    renamed = tuple((old, new) for old, new in RENAMED.get(name, {}).items() if old in given)
    if renamed:
        listed = ", ".join(f"{old} of np.{name} became {new}" for old, new in renamed)
        yield Hit(call, f"{listed}; NumPy 2 does not have the old name", rewrite=written(Plan(renamed)))
    yield from _dropped(call, name, given)
    if BY_POSITION.get(name) in given:
        message = f"NumPy 2 takes {BY_POSITION[name]} of np.{name} only by position"
        yield Hit(call, message, rewrite=_first(BY_POSITION[name]))
    if name == NORMED and "normed" in given:
        message = "NumPy 1.24 removed normed of np.histogram; tf2bridge.old_numpy.histogram normalizes as it did"
        text = "tf2bridge.old_numpy.histogram"
        yield Hit(call.func, message, rewrite=text, imports=("import tf2bridge.old_numpy",))
    copied = given.get("copy")
    if name == "array" and isinstance(copied, ast.Constant) and copied.value is False:
        message = "with copy=False, NumPy 2 raises an error if it has to copy; copy=None copies then, as NumPy 1 did"
        yield Hit(copied, message, rewrite="None")


def _dropped(call: ast.Call, name: str, given: dict[str, ast.expr]) -> Iterator[Hit]:
    lost = [parameter for parameter in WITHOUT_EFFECT.get(name, ()) if parameter in given]
    if not lost:
        return
    message = f"NumPy 2 takes no {' and no '.join(lost)} in np.{name}; it had no effect"
    if all(isinstance(given[parameter], (ast.Constant, ast.Name, ast.Attribute)) for parameter in lost):
        yield Hit(call, message, rewrite=without(*lost))
    else:
        yield Hit(call, f"{message}, but the value that is given may have one", Safety.MANUAL)


def _first(name: str) -> Any:
    """Returns the rewrite that gives the argument of this name by position, as the first of the call."""

    def moved(node: Any) -> Any:
        import libcst as cst

        if not isinstance(node, cst.Call):
            return node
        named = [argument for argument in node.args if argument.keyword and argument.keyword.value == name]
        if not named or any(argument.keyword is None for argument in node.args):
            return node
        first = cst.Arg(value=named[0].value, comma=node.args[0].comma)
        rest = [argument for argument in node.args if argument is not named[0]]
        if rest:
            first = first.with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
            rest[-1] = rest[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return node.with_changes(args=[first, *rest])

    return moved


rule = Rule(
    code="LIB030",
    name="numpy-arguments",
    summary="np.percentile(x, 5, interpolation=m) -> method=m, np.array(x, copy=False) -> copy=None, and others",
    why="NumPy 1.18 to 2.4 renamed or removed these parameters.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    packages=("numpy",),
    find=find,
    examples=(
        Example(
            "import numpy as np\nm = np.percentile(x, 50, interpolation='lower')\n",
            "import numpy as np\nm = np.percentile(x, 50, method='lower')\n",
        ),
        Example(
            "import numpy as np\nx = np.array(y, dtype=np.float32, copy=False)\n",
            "import numpy as np\nx = np.array(y, dtype=np.float32, copy=None)\n",
        ),
        Example(
            "import numpy as np\nh, _ = np.histogram(x, 10, normed=True)\n",
            "import tf2bridge.old_numpy\nimport numpy as np\n"
            "h, _ = tf2bridge.old_numpy.histogram(x, 10, normed=True)\n",
        ),
        Example(
            "import numpy as np\nc = np.corrcoef(x, y, bias=1)\n",
            "import numpy as np\nc = np.corrcoef(x, y)\n",
        ),
        Example("import numpy as np\nc = np.corrcoef(x, bias=read())\n", reported=True),
        Example(
            "import numpy as np\ny = np.reshape(order='F', a=x, shape=s)\n",
            "import numpy as np\ny = np.reshape(x, order='F', shape=s)\n",
        ),
        Example("import numpy as np\ny = np.array(x, copy=True)\nz = x.astype(int, copy=False)\n"),
        Example("from mine import np\ny = np.percentile(x, 50, interpolation='lower')\n"),
    ),
)
