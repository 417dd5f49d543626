"""What expressions do besides giving values."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field


@dataclass
class Effects:
    """What an expression does besides giving a value: the `variables`, `layers` and `iterators` that it makes, the
    elements of iterators that are `taken`, and whether it `draws` at random, `runs` a session, makes `summaries`,
    `collects` tensors in a collection, or `stores` variables; it `counts` if the name of one may have a number, and
    `normalizes` if a layer of the store adds to the updates."""

    variables: list[ast.Call] = field(default_factory=list)
    layers: list[ast.Call] = field(default_factory=list)
    iterators: list[ast.Call] = field(default_factory=list)
    taken: list[ast.Call] = field(default_factory=list)
    draws: bool = False
    runs: bool = False
    summaries: bool = False
    collects: bool = False
    stores: bool = False
    counts: bool = False
    normalizes: bool = False
