"""LIB031: calls of NumPy functions with values that NumPy no longer accepts."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety

STACKS = frozenset(f"numpy.{name}" for name in ("stack", "vstack", "hstack", "dstack", "column_stack", "row_stack"))
_ITERATORS = frozenset(("map", "filter", "zip", "reversed"))
_VIEWS = frozenset(("values", "keys", "items"))


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on `np.sum` and stacks of generators and iterators, and on `np.fromstring` of bytes."""
    name = context.qualified(call.func)
    if name == "numpy.fromstring":
        yield from _of_bytes(call, context)
    elif name == "numpy.sum" and _only_argument(call, ast.GeneratorExp) is not None:
        yield from _sum(call, context)
    elif name in STACKS and call.args and _is_iterated(call.args[0], context):
        argument = call.args[0]
        message = f"np.{name.removeprefix('numpy.')} takes only a list or tuple of arrays since NumPy 1.16"
        yield Hit(argument, message, rewrite=_listed(argument, call, context))


def _only_argument(call: ast.Call, kind: type[ast.expr]) -> ast.expr | None:
    alone = len(call.args) == 1 and not call.keywords and isinstance(call.args[0], kind)
    return call.args[0] if alone else None


def _sum(call: ast.Call, context: Context) -> Iterator[Hit]:
    message = "np.sum of a generator was Python's sum, and is an error since NumPy 2.4"
    if _is_free("sum", context):
        yield Hit(call.func, message, rewrite="sum")
    else:
        yield Hit(call, f"{message}; this file defines its own sum", Safety.MANUAL)


def _is_free(name: str, context: Context) -> bool:
    """Returns whether no name in the file hides the builtin function."""
    names = [node for node in context.names.nodes.get(ast.Name, []) if isinstance(node, ast.Name) and node.id == name]
    defined = [*context.names.nodes.get(ast.FunctionDef, []), *context.names.nodes.get(ast.arg, [])]
    hidden = any(getattr(node, "name", getattr(node, "arg", "")) == name for node in defined)
    return not hidden and all(context.names.is_unbound(node) for node in names)


def _is_iterated(node: ast.expr, context: Context) -> bool:
    """Returns whether the expression is certainly a generator, an iterator of Python, or a view of a dictionary."""
    if isinstance(node, ast.GeneratorExp):
        return True
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute):
        return node.func.attr in _VIEWS and not node.args and not node.keywords
    return isinstance(node.func, ast.Name) and node.func.id in _ITERATORS and context.names.is_unbound(node.func)


def _listed(node: ast.expr, call: ast.Call, context: Context) -> str:
    """Returns the text of the list of the iterated values. A generator may share its brackets with the call."""
    text = context.source(node)
    if not isinstance(node, ast.GeneratorExp):
        return f"list({text})"
    shared = (node.end_lineno, node.end_col_offset) == (call.end_lineno, call.end_col_offset)
    return f"([{text[1:-1]}])" if shared else f"[{text[1:-1]}]"


def _of_bytes(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on `np.fromstring` without a separator. The rewrite copies, because the old result was writable."""
    starred = any(isinstance(part, ast.Starred) for part in call.args)
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    separator = named.get("sep", call.args[3] if len(call.args) > 3 else None)
    if starred or None in named:
        return
    if separator is not None:
        if isinstance(separator, ast.Constant) and not separator.value:
            yield Hit(call, "NumPy 2.3 removed np.fromstring without a separator", Safety.MANUAL)
        return
    message = "NumPy 2.3 removed np.fromstring of bytes; a copy of np.frombuffer's result is the same array"
    if not isinstance(call.func, ast.Attribute):
        yield Hit(call, message, Safety.MANUAL)
        return
    arguments = [context.source(part) for part in call.args]
    arguments += [f"{'buffer' if key == 'string' else key}={context.source(value)}" for key, value in named.items()]
    text = f"{context.source(call.func.value)}.frombuffer({', '.join(arguments)}).copy()"
    yield Hit(call, message, rewrite=text)


rule = Rule(
    code="LIB031",
    name="numpy-values",
    summary="np.fromstring(b) -> np.frombuffer(b).copy(), np.sum(x for ...) -> sum(x for ...), np.vstack(map(...))",
    why="NumPy 1.16 to 2.4 stopped accepting generators in place of lists, and bytes in place of text.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    packages=("numpy",),
    find=find,
    examples=(
        Example(
            "import numpy as np\nx = np.fromstring(data, dtype=np.uint8)\n",
            "import numpy as np\nx = np.frombuffer(data, dtype=np.uint8).copy()\n",
        ),
        Example("import numpy as np\nx = np.fromstring('1 2', dtype=int, sep=' ')\n"),
        Example("import numpy as np\nx = np.fromstring(data, int, sep='')\n", reported=True),
        Example(
            "import numpy as np\nn = np.sum(len(a) for a in b)\n", "import numpy as np\nn = sum(len(a) for a in b)\n"
        ),
        Example("import numpy as np\ndef f(sum):\n    return np.sum(a for a in sum)\n", reported=True),
        Example("import numpy as np\nn = np.sum([len(a) for a in b], axis=0)\n"),
        Example(
            "import numpy as np\nx = np.vstack(a.T for a in b)\ny = np.stack(map(f, b), axis=1)\n",
            "import numpy as np\nx = np.vstack([a.T for a in b])\ny = np.stack(list(map(f, b)), axis=1)\n",
        ),
        Example(
            "import numpy as np\nx = np.hstack(parts.values())\n",
            "import numpy as np\nx = np.hstack(list(parts.values()))\n",
        ),
        Example("import numpy as np\nx = np.stack(parts)\n"),
    ),
)
