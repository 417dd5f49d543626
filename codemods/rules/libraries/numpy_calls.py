"""LIB027: functions and methods that NumPy removed, and expressions that compute the same."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from codemods.context import Context
from codemods.removed.of_numpy import CALLS
from codemods.rule import Example, Hit, Rule, Safety

_INEXACT = frozenset(f"numpy.{name}" for name in ("float16", "float32", "float64", "float_", "double", "single"))


def find(module: ast.Module, context: Context) -> Iterator[Hit]:  # noqa: ARG001 - a rule for a whole file is given it
    """Yields a hit on each call of such a function or method."""
    if context.names.imports("numpy"):
        for call in context.names.nodes.get(ast.Call, []):
            if isinstance(call, ast.Call):
                yield from _of_call(call, context)


def _of_call(call: ast.Call, context: Context) -> Iterator[Hit]:
    name = context.qualified(call.func) or ""
    function = name.removeprefix("numpy.")
    if name.startswith("numpy.") and function in FUNCTIONS:
        yield _hit(call, function, f"np.{function}", FUNCTIONS[function](call, context))
    elif isinstance(call.func, ast.Subscript) and context.qualified(call.func.value) == "numpy.cast":
        yield _hit(call, "cast", "np.cast", _cast(call, call.func, context))
    elif isinstance(call.func, ast.Attribute) and call.func.attr == "ptp":
        yield from _ptp(call, call.func, context)


def _hit(call: ast.Call, name: str, shown: str, text: str | None) -> Hit:
    message = f"{CALLS[f'numpy.{name}'].release} removed {shown}"
    if text is None:
        return Hit(
            call, f"{message}, and the arguments here do not show which expression computes the same", Safety.MANUAL
        )
    return Hit(call, f"{message}; {text} computes the same", rewrite=text)


def _one(call: ast.Call) -> bool:
    """Returns whether the call has one argument, given by position."""
    return len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ast.Starred)


def _module(call: ast.Call, context: Context) -> str | None:
    """Returns the text before the function's name, such as `np`; None if the function itself was imported."""
    return context.source(call.func.value) if isinstance(call.func, ast.Attribute) else None


def _of_one(form: str) -> Callable[[ast.Call, Context], str | None]:
    """Returns a function that writes a call with one argument in another form; `form` has {np} and {x}."""

    def made(call: ast.Call, context: Context) -> str | None:
        module = _module(call, context)
        return form.format(np=module, x=context.source(call.args[0])) if module and _one(call) else None

    return made


def _asfarray(call: ast.Call, context: Context) -> str | None:
    module = _module(call, context)
    if module is None or call.keywords or not call.args or any(isinstance(part, ast.Starred) for part in call.args):
        return None
    array = context.source(call.args[0])
    if len(call.args) == 1:
        return f"{module}.asarray({array}, {module}.float64)"
    inexact = context.qualified(call.args[1]) in _INEXACT
    return f"{module}.asarray({array}, {context.source(call.args[1])})" if inexact else None


def _in1d(call: ast.Call, context: Context) -> str | None:
    """Returns the call of isin, with the first argument flattened as in1d does; the other arguments are the same."""
    module = _module(call, context)
    if module is None or len(call.args) < 2 or any(isinstance(part, ast.Starred) for part in call.args):
        return None
    if any(keyword.arg not in ("assume_unique", "invert") for keyword in call.keywords):
        return None
    rest = [context.source(part) for part in call.args[1:]]
    rest += [f"{keyword.arg}={context.source(keyword.value)}" for keyword in call.keywords]
    return f"{module}.isin({module}.ravel({context.source(call.args[0])}), {', '.join(rest)})"


def _cast(call: ast.Call, function: ast.Subscript, context: Context) -> str | None:
    if not _one(call) or not isinstance(function.value, ast.Attribute):
        return None
    module, kind = context.source(function.value.value), context.source(function.slice)
    return f"{module}.asarray({context.source(call.args[0])}).astype({kind})"


def _ptp(call: ast.Call, function: ast.Attribute, context: Context) -> Iterator[Hit]:
    """Yields a hit on `x.ptp()` of an object, unless a class of the file defines such a method."""
    defined = context.names.nodes.get(ast.FunctionDef, [])
    own = any(isinstance(node, ast.FunctionDef) and node.name == "ptp" for node in defined)
    if own or context.qualified(function) is not None:
        return
    arguments = [context.source(function.value), *map(context.source, call.args)]
    arguments += [
        f"{k.arg}={context.source(k.value)}" if k.arg else f"**{context.source(k.value)}" for k in call.keywords
    ]
    text = f"numpy.ptp({', '.join(arguments)})"
    message = f"NumPy 2.0 removed the method ptp of arrays; {text} computes the same"
    yield Hit(call, message, rewrite=text, imports=("import numpy",))


FUNCTIONS: dict[str, Callable[[ast.Call, Context], str | None]] = {
    "alen": _of_one("len({np}.atleast_1d({x}))"),
    "asfarray": _asfarray,
    "asscalar": _of_one("{np}.asarray({x}).item()"),
    "in1d": _in1d,
    "msort": _of_one("{np}.sort({x}, axis=0)"),
}

rule = Rule(
    code="LIB027",
    name="numpy-calls",
    summary="np.asscalar(x) -> np.asarray(x).item(), np.in1d, np.asfarray, np.cast[t](x), x.ptp() and others",
    why="NumPy 1.23 to 2.4 removed these functions. A short expression computes the same.",
    safety=Safety.SAFE,
    on=(ast.Module,),
    find=find,
    examples=(
        Example("import numpy as np\nx = np.asscalar(y[0])\n", "import numpy as np\nx = np.asarray(y[0]).item()\n"),
        Example(
            "import numpy as np\nm = np.in1d(a, b, invert=True)\n",
            "import numpy as np\nm = np.isin(np.ravel(a), b, invert=True)\n",
        ),
        Example(
            "import numpy as np\nx = np.cast[np.float32](y)\n",
            "import numpy as np\nx = np.asarray(y).astype(np.float32)\n",
        ),
        Example("import numpy as np\nx = np.asfarray(y)\n", "import numpy as np\nx = np.asarray(y, np.float64)\n"),
        Example("import numpy\nr = (a - b).ptp(axis=0)\n", "import numpy\nr = numpy.ptp(a - b, axis=0)\n"),
        Example("import numpy as np\nx = np.asfarray(y, dtype=kind)\n", reported=True),
        Example("import numpy as np\nx = np.asarray(y)\n"),
        Example("from mine import np\nx = np.asscalar(y)\n"),
    ),
)
