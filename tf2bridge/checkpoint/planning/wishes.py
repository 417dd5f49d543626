"""What a user says of a plan besides its rules, and the patterns in which names are said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tf2bridge.checkpoint.planning.refusals import RuleError


@dataclass(frozen=True)
class Wishes:
    """What the user says besides rules.

    averages: take moving averages where there are any. forget_bias: what the legacy LSTM cells added to their forget
    gate; without it what the .meta beside the checkpoint says, or 1. learning_rate: for Keras's momentum, where the
    target's optimizer has a schedule. iterations: the steps taken, where no counter says them. drop, keep: patterns of
    whole names, of tensors and of variables. lossy: cast where that loses digits. created: names of the checkpoint's
    variables in the order in which the program made them, where no .meta beside it says so.
    """

    averages: bool = False
    forget_bias: float | None = None
    learning_rate: float | None = None
    iterations: int | None = None
    drop: Sequence[str] = ()
    keep: Sequence[str] = ()
    lossy: bool = False
    created: Sequence[str] = ()


def named_by(patterns: Sequence[str], names: Iterable[str], why: str) -> dict[str, str]:
    """The names that a pattern fits, whole. Raises RuleError for a pattern that is none, or fits nothing."""
    found: dict[str, str] = {}
    for pattern in patterns:
        fitting = [name for name in names if compiled(pattern).fullmatch(name)]
        if not fitting:
            raise RuleError(pattern, "it fits no name")
        found |= dict.fromkeys(fitting, why)
    return found


def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern of a rule or wish. Raises RuleError for what is no regular expression."""
    try:
        return re.compile(pattern)
    except re.error as error:
        raise RuleError(pattern, f"no regular expression: {error}") from error
