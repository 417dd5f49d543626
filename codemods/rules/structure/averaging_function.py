"""Tells whether a function is `average_gradients` of the tutorials: the mean of every gradient over the towers."""

from __future__ import annotations

import ast
import copy
import functools
import itertools

from codemods.context import Context
from codemods.names import in_v1

_TEMPLATE = """
averaged = []
for pairs in zip(*towers):
    gradients = []
    for gradient, other in pairs:
        {expanded}
    mean = concat({concat})
    mean = reduce_mean({mean})
    {pair}
return averaged
"""
_KNOWN = ("zip", "expand_dims", "concat", "reduce_mean")
# The arguments of expand_dims, concat and reduce_mean, as programs of each release and rewritten programs have them.
_EXPANDED = (
    "expanded = expand_dims(gradient, 0)\n        gradients.append(expanded)",
    "gradients.append(expand_dims(gradient, 0))",
)
_CONCAT = ("axis=0, values=gradients", "values=gradients, axis=0", "gradients, 0", "gradients, axis=0")
_MEAN = ("mean, 0", "mean, axis=0", "input_tensor=mean, axis=0", "mean, reduction_indices=0")
_PAIR = (
    "variable = pairs[0][1]\n    pair = (mean, variable)\n    averaged.append(pair)",
    "variable = pairs[0][1]\n    averaged.append((mean, variable))",
    "averaged.append((mean, pairs[0][1]))",
)


def is_mean_over_towers(function: ast.FunctionDef, context: Context) -> bool:
    """Returns whether the function makes exactly the operations of the CIFAR-10 tutorial, in the same order."""
    parameters = function.args
    alone = len(parameters.args) == 1 and not (parameters.vararg or parameters.kwarg or parameters.kwonlyargs)
    if not alone or function.decorator_list:
        return False
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return _normal(body, parameters.args[0].arg, context) in _forms()


@functools.cache
def _forms() -> frozenset[str]:
    texts = (
        _TEMPLATE.format(expanded=expanded, concat=concat, mean=mean, pair=pair)
        for expanded, concat, mean, pair in itertools.product(_EXPANDED, _CONCAT, _MEAN, _PAIR)
    )
    return frozenset(_normal(ast.parse(text).body, "towers", None) for text in texts)


def _normal(body: list[ast.stmt], parameter: str, context: Context | None) -> str:
    """Returns the text of the statements with TensorFlow's names as in 1.x and other names numbered by first use."""
    module = ast.Module(body, [])
    copied = copy.deepcopy(module)
    meant: dict[ast.AST, str] = {}
    if context is not None:
        for old, new in zip(ast.walk(module), ast.walk(copied), strict=True):
            name = context.qualified(old) if isinstance(old, ast.Attribute | ast.Name) else None
            if name and name.startswith("tensorflow."):
                meant[new] = in_v1(name)
    return ast.unparse(_Numbered(meant, parameter).visit(copied))


class _Numbered(ast.NodeTransformer):
    """Writes the names in `meant` by their meaning, and numbers all others."""

    def __init__(self, meant: dict[ast.AST, str], parameter: str) -> None:
        self.meant, self.numbers = meant, {parameter: "n0"}

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return ast.Name(self.meant[node]) if node in self.meant else self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node in self.meant or node.id in _KNOWN:
            return ast.Name(self.meant.get(node, node.id))
        return ast.Name(self.numbers.setdefault(node.id, f"n{len(self.numbers)}"))
