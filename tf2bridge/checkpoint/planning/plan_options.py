"""The options of a plan beside its rules, and the patterns of names in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tf2bridge.checkpoint.planning.refusals import RuleError


@dataclass(frozen=True)
class PlanOptions:
    """The options of a plan beside its rules. `tf2bridge.checkpoint.plan` describes them."""

    averages: bool = False
    forget_bias: float | None = None
    learning_rate: float | None = None
    iterations: int | None = None
    drop: Sequence[str] = ()
    keep: Sequence[str] = ()
    lossy: bool = False
    created: Sequence[str] = ()


def named_by(patterns: Sequence[str], names: Iterable[str], why: str) -> dict[str, str]:
    """Returns the names that fit a pattern as a whole, each with the reason `why`.

    Raises:
        RuleError: A pattern is no regular expression, or fits no name.
    """
    reasons: dict[str, str] = {}
    for pattern in patterns:
        fitting = [name for name in names if compiled(pattern).fullmatch(name)]
        if not fitting:
            raise RuleError(pattern, "it fits no name")
        reasons |= dict.fromkeys(fitting, why)
    return reasons


def compiled(pattern: str) -> re.Pattern[str]:
    """Returns the compiled pattern of a rule or an option. Raises RuleError if it is no regular expression."""
    try:
        return re.compile(pattern)
    except re.error as error:
        raise RuleError(pattern, f"no regular expression: {error}") from error
