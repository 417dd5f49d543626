"""print statements -> calls of print; `print (x)` already is a call.

fissix keeps brackets only around a name or a string, and writes `print((a + b))` otherwise. It also keeps `print ()`,
which printed an empty tuple in Python 2.
"""

from __future__ import annotations

from typing import Any

from fissix.fixer_util import Call, Name
from fissix.fixes import fix_print
from fissix.pygram import python_symbols as syms
from fissix.pytree import Node


class FixPrint(fix_print.FixPrint):  # type: ignore[misc]  # fissix is untyped
    """Keeps a statement with one expression in brackets, and prints a tuple in brackets as a tuple."""

    def transform(self, node: Any, results: Any) -> Any:
        """Returns the new node, as fissix does, or None for brackets around one expression."""
        arguments = node.children[1:]
        if "bare" not in results and len(arguments) == 1:
            if _is_in_brackets(arguments[0]):
                return None
            if str(arguments[0]).strip() == "()":
                empty = arguments[0].clone()
                empty.prefix = ""
                return Call(Name("print"), [empty], prefix=node.prefix)
        return super().transform(node, results)


def _is_in_brackets(argument: Any) -> bool:
    if not isinstance(argument, Node) or argument.type != syms.atom or len(argument.children) != 3:
        return False
    opening, inside, _ = argument.children
    return str(opening).strip() == "(" and inside.type not in (syms.testlist_gexp, syms.yield_expr)
