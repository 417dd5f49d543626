"""A recorded program beside itself, disturbed by a unit in the last place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.numbers.distance import Distance
from tf2bridge.proof.numbers.tolerance import Verdict
from tf2bridge.proof.replaying.disturbed import controls
from tf2bridge.proof.replaying.graphs import replay_graphs
from tf2bridge.proof.reporting.replay_text import final_lines
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.trajectories.control import Control
from tf2bridge.proof.trajectories.series import Series, of_rows

GENUINE = Path(__file__).parents[4] / "fixtures/legacy/mnist_towers/genuine/mnist_towers.trace"
STEPS = tuple(range(1, 25))
"""The training steps among the program's calls."""


LAST = {"conv1/weights": 1e-7, "local2/biases": 1e-2}
"""Variable -> how far its last value is made to be from the recorded one."""


@pytest.fixture(scope="module")
def held() -> dict[str, Control]:
    recorded = Trace(GENUINE)
    # Of one session: what TensorFlow 2 makes of the recorded graph, and three made-up differences.
    rows: list[Comparison] = replay_graphs(recorded).ways[0].rows
    (genuine,) = [row for row in of_rows(rows) if row.name == "mean_loss:0"]
    made_up = Series("all_losses:0", STEPS, tuple(1e-3 for _ in STEPS))
    constant = Series("ExponentialDecay:0", STEPS, tuple(1e-7 for _ in STEPS))
    series = [genuine, made_up, constant, Series("images:0", STEPS, tuple(1e-7 for _ in STEPS))]
    finals = [Series(name, (len(recorded.calls),), (apart,)) for name, apart in LAST.items()]
    return controls(recorded, series, finals)


def test_what_another_release_rounds_otherwise_is_explained(held: dict[str, Control]) -> None:
    assert held["mean_loss:0"].explained
    assert held["mean_loss:0"].ratio < 30


def test_a_fault_is_not(held: dict[str, Control]) -> None:
    result = held["all_losses:0"]
    assert (result.explained, result.step) == (False, 1)
    assert "3 disturbed runs of the old program" in result.why


def test_what_no_disturbance_reaches_has_no_control(held: dict[str, Control]) -> None:
    assert held.keys() == {"mean_loss:0", "all_losses:0", *LAST}


def test_last_values_are_held_against_those_of_the_disturbed_program(held: dict[str, Control]) -> None:
    assert [held[name].explained for name in LAST] == [True, False]
    rows = [Comparison("final", None, name, "", "", (), Distance(Verdict.DIFFERENT)) for name in LAST]
    lines = final_lines(rows, held)
    assert [line.split(":")[0] for line in lines] == [
        "last values that differ",
        "  rounding explains 1 of 2",
        "  local2/biases",
    ]
