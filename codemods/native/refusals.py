"""Why a program cannot become native: one error class, and the codes of its reasons."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from codemods.errors import CodemodsError

REASONS: Mapping[str, str] = {
    "NAT001": "a part of TensorFlow without a counterpart in TensorFlow 2",
    "NAT002": "a call of a session whose fetches or feeds the source does not say",
    "NAT003": "a tensor that Python code reads",
    "NAT004": "a graph that grows while the program runs",
    "NAT005": "a function that makes variables and is called several times",
    "NAT006": "a name that changes between the building of the graph and its runs",
    "NAT007": "values that TensorFlow 1 left undetermined",
    "NAT008": "a structure of the program that is not known",
    "NAT009": "a name that would be lost",
}
"""Each code, and what it stands for."""


class NotNativeError(CodemodsError):
    """A program stays with sessions. The message says why, and what to do.

    Attributes:
        node: The place in the source.
        code: One of `REASONS`.
    """

    def __init__(self, node: ast.AST, code: str, message: str) -> None:
        super().__init__(message)
        self.node = node
        self.code = code
        self.message = message
