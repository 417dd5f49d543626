"""Finds the TensorFlow of a file by names that only one of both has."""

from __future__ import annotations

from functools import cache

from codemods import symbols
from codemods.facts import Facts
from codemods.names import in_v1
from codemods.symbols.exports import State, status

# New in 1.13 and 1.14, where a program without graphs enables eager execution.
_EAGER = frozenset(("tensorflow.GradientTape", "tensorflow.function"))
_ENABLES = frozenset(
    f"tensorflow.{head}{name}"
    for head in ("", "compat.v1.", "contrib.eager.")
    for name in ("enable_eager_execution", "enable_v2_behavior")
)
_ELSEWHERE = ("compat.", "python.", "contrib.", "models.", "examples.", "core.")


def vote(facts: Facts) -> int:
    """Returns 1 if a file's own names are those of TensorFlow 2, -1 if those of TensorFlow 1, else 0."""
    used = facts.names_used
    if not used or _ENABLES & used or any(map(_only_first, used)):
        return -int(bool(used))
    return int(bool(_EAGER & used) or any(map(_only_second, used)))


@cache
def _only_first(name: str) -> bool:
    """Returns whether only TensorFlow 1 had a name. In a rewritten file it follows `tf2bridge.v1` or `tf.compat.v1`."""
    short = in_v1(name)
    if short.startswith("contrib."):
        return True
    if short.startswith(_ELSEWHERE) or name.endswith("disable_v2_behavior"):
        return name.endswith("disable_v2_behavior")
    match = symbols.longest(short)
    if match is None or match[0].module:
        return False
    return status(f"tensorflow.{match[0].name}").state is State.MISSING


@cache
def _only_second(name: str) -> bool:
    """Returns whether TensorFlow 2.21 has a name that no release of 1.x had."""
    short = name.removeprefix("tensorflow.")
    if short.startswith(_ELSEWHERE) or status(name).state is not State.OK:
        return False
    match = symbols.longest(short)
    if match is not None and not match[0].module:
        return False
    return status(f"tensorflow.compat.v1.{short}").state is State.MISSING
