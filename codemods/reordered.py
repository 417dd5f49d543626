"""The functions whose first arguments had another order in 0.x, by public and by private names."""

from __future__ import annotations

import ast
from functools import cache

from codemods.calls import plan
from codemods.symbols import RELEASES, TODAY, declared, signature

_LATE = ("nn.nce_loss", "nn.sampled_softmax_loss")  # these two changed after their arguments weights and biases
_OPS = "python.ops."


@cache
def is_reordered(name: str) -> bool:
    """Returns whether the first arguments of a function have other places today."""
    old, new = signature(name, RELEASES[0]), signature(name, TODAY)
    if old is None or new is None:
        return False
    call = ast.Call(ast.Name("f"), [ast.Constant(0)] * (3 if name in _LATE else 1), [])
    made = plan(call, old, new, declared.PARAMETERS.get(name, {}))
    return made is not None and bool(made.keywords)


@cache
def public_name(private: str) -> str | None:
    """Returns `concat` for `python.ops.array_ops.concat`; None for another name."""
    last = private.rpartition(".")[2]
    if not private.startswith(_OPS):
        return None
    return next((name for name in (last, f"nn.{last}") if is_reordered(name)), None)
