"""A call that feeds a placeholder its default is the recorded call that feeds nothing. Other values are other calls."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tf2bridge.proof.comparing.defaults import Defaults, is_default
from tf2bridge.proof.traces.reader import Trace

TRACE = Path(__file__).parents[4] / "fixtures" / "sessions" / "traces" / "defaults.trace"


def test_defaults_are_those_that_a_recorded_call_did_not_feed() -> None:
    trace = Trace(TRACE)
    step, accuracy, loss = (next(c for c in trace.program_calls if len(c.feeds) == 3 and "scale:0" not in _fed(c)),
                            next(c for c in trace.program_calls if len(c.feeds) == 2),
                            next(c for c in trace.program_calls if "scale:0" in _fed(c)))  # fmt: skip
    defaults = Defaults(trace)
    assert [value.tolist() for value in defaults.unfed(step)] == [0.5]
    assert sorted(value.tolist() for value in defaults.unfed(accuracy)) == [False, 0.5]
    assert [value.tolist() for value in defaults.unfed(loss)] == [False]


def _fed(call: object) -> set[str]:
    return {leaf.name for leaf in call.feeds}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("fed", "default", "is_one"),
    [
        (np.float64(0.3), np.float32(0.3), True),
        (np.float64(0.4), np.float32(0.3), False),
        (np.bool_(False), np.bool_(False), True),
        (np.bool_(False), np.float32(0.0), True),
        (np.float64(0.0), np.int32(0), False),
        (np.zeros([1]), np.float32(0.0), False),
    ],
)
def test_a_fed_value_gets_the_type_of_its_placeholder(fed: np.generic, default: np.generic, is_one: bool) -> None:
    assert is_default(np.asarray(fed), np.asarray(default)) is is_one
