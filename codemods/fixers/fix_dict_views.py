"""d.iteritems() -> d.items(), d.keys() -> list(d.keys()) where a list is needed.

fissix's own fixer also makes a list for every loop; here a loop keeps the view, unless its body changes the dict.
"""

from __future__ import annotations

import re
from typing import Any

from fissix.fixes.fix_dict import FixDict
from fissix.pygram import python_symbols as syms

_CHANGES = r"\.(?:pop|popitem|clear|update|setdefault)\b|\s*\[[^\]]*\]\s*(?:[-+*/%&|^]|//|\*\*|<<|>>)?=(?!=)"


class FixDictViews(FixDict):  # type: ignore[misc]  # fissix is untyped
    """Loops over keys(), values() and items() are left as they are."""

    def in_special_context(self, node: Any, isiter: bool) -> bool:
        """Whether a view does as well as a list here."""
        return bool(super().in_special_context(node, isiter)) or _is_quiet_loop(node)


def _is_quiet_loop(node: Any) -> bool:
    loop = node.parent
    if loop is None:
        return False
    if loop.type in (syms.comp_for, getattr(syms, "old_comp_for", syms.comp_for)):
        return _is_iterable(loop, node)
    if loop.type != syms.for_stmt or not _is_iterable(loop, node):
        return False
    name = re.escape(str(node).strip().rsplit(".", 1)[0])
    body = str(loop.children[-1]) if len(loop.children) == 6 else "".join(map(str, loop.children[5:]))
    return not re.search(rf"\bdel\b|{name}(?:{_CHANGES})", body)


def _is_iterable(loop: Any, node: Any) -> bool:
    words = [str(child).strip() for child in loop.children]
    return "in" in words and loop.children.index(node) == words.index("in") + 1
