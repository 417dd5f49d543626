"""d.iteritems() -> d.items(), d.keys() -> list(d.keys()) where a list is needed.

fissix's own fixer also makes a list for every loop. This fixer keeps the view in a loop, unless its body changes the
dict.
"""

from __future__ import annotations

import re
from typing import Any

from fissix.fixes.fix_dict import FixDict
from fissix.pygram import python_symbols as syms

_CHANGES = r"\.(?:pop|popitem|clear|update|setdefault)\b|\s*\[[^\]]*\]\s*(?:[-+*/%&|^]|//|\*\*|<<|>>)?=(?!=)"


class FixDictViews(FixDict):  # type: ignore[misc]  # fissix is untyped
    """Converts the methods of dicts, but leaves loops over keys(), values() and items() as they are."""

    def transform(self, node: Any, results: Any) -> Any:
        """Returns the new node, as fissix does; in hparams.values().iteritems(), values() is no view and stays."""
        if _is_own_method(node, results):
            return None
        tail = results["tail"]
        after = str(tail[0]).strip() if tail else ""
        if results["method"][0].value.startswith(("iter", "view")) or not after.startswith("."):
            return super().transform(node, results)
        if hasattr(list, after[1:]):
            return super().transform(node, results)
        for leaf in (trailer.children[1] for trailer in tail if str(trailer.children[0]) == "."):
            if leaf.value in ("iteritems", "iterkeys", "itervalues", "viewitems", "viewkeys", "viewvalues"):
                leaf.value = leaf.value[4:]
                leaf.changed()
        return None

    def in_special_context(self, node: Any, isiter: bool) -> bool:
        """Returns whether a view works as well as a list here."""
        return bool(super().in_special_context(node, isiter)) or _is_quiet_loop(node)


def _is_own_method(node: Any, results: Any) -> bool:
    """Returns whether this is a call such as self.iteritems(), where a class of the file defines that method itself."""
    if "".join(map(str, results["head"])).strip() != "self":
        return False
    while node.parent is not None:
        node = node.parent
    return re.search(rf"^[ \t]+def {results['method'][0].value}\b", str(node), re.MULTILINE) is not None


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
