"""Which TensorFlow a file is of by the names that only one of the two has."""

from __future__ import annotations

from functools import cache

from codemods import symbols
from codemods.facts import Facts
from codemods.names import in_v1
from codemods.symbols.exports import State, status

# They came with 1.13 and 1.14, where a program that is not of graphs switched eager execution on.
_EAGER = frozenset(("tensorflow.GradientTape", "tensorflow.function"))
_ENABLES = frozenset(
    f"tensorflow.{head}{name}"
    for head in ("", "compat.v1.", "contrib.eager.")
    for name in ("enable_eager_execution", "enable_v2_behavior")
)
_ELSEWHERE = ("compat.", "python.", "contrib.", "models.", "examples.", "core.")


def vote(facts: Facts) -> int:
    """Returns 1 for a file that is of TensorFlow 2 by its own names, -1 for one of TensorFlow 1, else 0."""
    used = facts.names_used
    if not used or _ENABLES & used or any(map(_only_first, used)):
        return -int(bool(used))
    return int(bool(_EAGER & used) or any(map(_only_second, used)))


@cache
def _only_first(name: str) -> bool:
    """Whether only TensorFlow 1 had a name; the rewritten file has `tf2bridge.v1` or `tf.compat.v1` before it."""
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
    """Whether a name is of TensorFlow 2.21 and no release of 1.x had it."""
    short = name.removeprefix("tensorflow.")
    if short.startswith(_ELSEWHERE) or status(name).state is not State.OK:
        return False
    match = symbols.longest(short)
    if match is not None and not match[0].module:
        return False
    return status(f"tensorflow.compat.v1.{short}").state is State.MISSING
