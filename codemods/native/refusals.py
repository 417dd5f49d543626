"""The error of a program that cannot become native."""

from __future__ import annotations

import ast

from codemods.errors import CodemodsError


class NotNativeError(CodemodsError):
    """A program stays with sessions. The message says why, and what to do.

    Attributes:
        node: The place in the source.
        code: One of `reasons.REASONS`.
        place: The name that has several values, if that is why.
    """

    def __init__(self, node: ast.AST, code: str, message: str, place: str | None = None) -> None:
        super().__init__(message)
        self.node = node
        self.code = code
        self.message = message
        self.place = place
