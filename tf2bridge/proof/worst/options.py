"""Reads the options of `compare`: whether to search, and for how long."""

from __future__ import annotations

from math import inf
from typing import Any

from tf2bridge.proof.worst.refusals import WorstError

WORST = "worst"


def is_worst(inputs: Any) -> bool:
    """Returns True for inputs that are searched: "worst:SECONDS", also without the seconds."""
    return isinstance(inputs, str) and (inputs == WORST or inputs.startswith(f"{WORST}:"))


def is_asked_for(inputs: Any, starts: Any, ranges: Any, every_tensor: bool) -> bool:
    """Returns whether a search is asked for. Raises WorstError for options that do not go together."""
    if not is_worst(inputs):
        if starts is not None or ranges:
            why = "starts and ranges belong to a search, and none is asked for"
            raise WorstError("inputs", why, "give --inputs worst:SECONDS, or leave them away")
        return False
    seconds_of(inputs)
    if every_tensor:
        remedy = "save the inputs by --save-inputs FILE, and compare every tensor on them by --inputs FILE"
        raise WorstError(f"inputs {inputs}", "the search looks at outputs, not at every tensor", remedy)
    return True


def seconds_of(inputs: str) -> float:
    """Returns the seconds of "worst:SECONDS". Raises WorstError if there are none."""
    text = inputs.partition(":")[2]
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < inf:
        why = f"{text!r} is no number of seconds above 0" if text else "it does not say how many seconds to search"
        raise WorstError(f"inputs {inputs}", why, "write worst:SECONDS, as worst:30")
    return seconds
