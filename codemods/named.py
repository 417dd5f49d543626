"""A dotted name of a program that is a known symbol of TensorFlow 1.x."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from codemods.symbols import Symbol


@dataclass(frozen=True)
class Named:
    """The part of a dotted name that is a known symbol. `root` is the first name; `root_name` is its full name."""

    node: ast.expr
    name: str
    symbol: Symbol
    root: ast.Name
    root_name: str
    is_0x: bool

    @property
    def short(self) -> str:
        """The short spelling, `tf.nn.rnn_cell`."""
        return "tf." + self.name.removeprefix("tensorflow.")
