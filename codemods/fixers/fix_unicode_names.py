"""unicode -> str, unichr -> chr, and string literals that Python 3 would read differently.

fissix's own fixer also strips every u prefix, which Python 3 accepts.
"""

from __future__ import annotations

import re
from typing import Any

from fissix.fixer_base import BaseFix
from fissix.fixer_util import is_probably_builtin
from fissix.pgen2 import token

_NEW = {"unichr": "chr", "unicode": "str"}


class FixUnicodeNames(BaseFix):  # type: ignore[misc]  # fissix is untyped
    """Converts names and literals; \\u and \\U are escapes in a str of Python 3, but not in one of Python 2."""

    BM_compatible = True
    PATTERN = "STRING | 'unicode' | 'unichr'"

    def start_tree(self, tree: Any, filename: str) -> None:
        """Remembers whether the file's literals without a prefix are already text."""
        super().start_tree(tree, filename)
        self.text_literals = "unicode_literals" in tree.future_features

    def transform(self, node: Any, results: Any) -> Any:  # noqa: ARG002  # fissix's signature
        """Returns the new leaf, or None to keep the old one."""
        if node.type == token.NAME:
            new = _NEW[node.value] if is_probably_builtin(node) else node.value
        else:
            new = self.literal(node.value)
        if new == node.value:
            return None
        leaf = node.clone()
        leaf.value = new
        return leaf

    def literal(self, value: str) -> str:
        """Returns a string literal with the same meaning in Python 3."""
        if value[:2].lower() == "ur":
            return value[1:]
        if value[0] in "'\"" and not self.text_literals:
            return re.sub(r"(?<!\\)((?:\\\\)*)\\([uUN])", r"\1\\\\\2", value)
        return value
