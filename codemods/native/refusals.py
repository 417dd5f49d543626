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


class NotJoinedError(NotNativeError):
    """Files of a program cannot be joined.

    Attributes:
        path: The file that `node` is in.
        through: The statement of the program that takes this file; None for the program itself.
    """

    def __init__(self, node: ast.AST, message: str, path: str, through: ast.stmt | None) -> None:
        super().__init__(node, "NAT008", message)
        self.path = path
        self.through = through
