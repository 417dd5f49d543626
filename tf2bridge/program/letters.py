"""Makes `s is "_"` compare letters, as up to Python 3.10: 3.11 and 3.12 have several objects for a letter."""

from __future__ import annotations

import ast


class _Letters(ast.NodeTransformer):
    def visit_Compare(self, node: ast.Compare) -> ast.AST:  # ast requires this name
        self.generic_visit(node)
        before = [node.left, *node.comparators]
        pairs = zip(before, before[1:], node.ops, strict=False)
        node.ops = [_operator(operator, _is_letter(left) or _is_letter(right)) for left, right, operator in pairs]
        return node


def with_letters_compared(tree: ast.Module) -> ast.Module:
    """Returns `tree`, in which `is` and `is not` beside a letter of Latin-1 are == and !=."""
    _Letters().visit(tree)
    return ast.fix_missing_locations(tree)


def _is_letter(node: ast.expr) -> bool:
    """Returns whether a node is a text of one Latin-1 letter, for which Python had a single object."""
    text = node.value if isinstance(node, ast.Constant) else None
    return isinstance(text, str) and len(text) == 1 and ord(text) < 256


def _operator(operator: ast.cmpop, compares: bool) -> ast.cmpop:
    if compares and isinstance(operator, ast.Is):
        return ast.Eq()
    return ast.NotEq() if compares and isinstance(operator, ast.IsNot) else operator
