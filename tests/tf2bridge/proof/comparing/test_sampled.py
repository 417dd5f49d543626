"""Calls of a trace that was sampled are known by their positions among all calls that the program made."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

import pytest

from tests import scratch
from tests.tf2bridge.proof.recording.running import recorder
from tf2bridge.proof.comparing.inputs import batches
from tf2bridge.proof.comparing.ports import Paired
from tf2bridge.proof.comparing.sides import Port
from tf2bridge.proof.comparing.trace_and_model import calls_that_hold
from tf2bridge.proof.comparing.two_traces import compare
from tf2bridge.proof.traces.reader import Trace

PROGRAM = """
import tensorflow as tf
v1 = tf.compat.v1
v1.disable_v2_behavior()
x = v1.placeholder(tf.float32, [], name="x")
w = v1.get_variable("w", initializer=1.0)
out = tf.multiply(w, x, name="out")
train = v1.assign_add(w, x, name="train")
with v1.Session() as session:
    session.run(w.initializer)
    for step in range(STEPS):
        session.run(train.op, {x: float(step)})
        session.run(out, {x: float(step)})
"""
# Of the calls with the same fetches the first ten are recorded, and each fourth: those of the steps 0 to 9, 12 and 16.
STEPS = [*range(10), 12, 16]
PLACES = [2 + 2 * step for step in STEPS]  # call 0 initializes; each step trains, then looks


@cache
def recorded(steps: int, every: int = 4) -> Trace:
    folder = scratch.folder()
    (folder / "train.py").write_text(PROGRAM.replace("STEPS", str(steps)))
    command = [sys.executable, str(recorder()), "--output", "t.trace", "--every", str(every), "--", "train.py"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return Trace(folder / "t.trace")


def test_inputs_of_a_sample_say_which_call_fed_them() -> None:
    result = list(batches(recorded(17), [Paired(Port("x:0", "float32", ()), Port("x:0", "float32", ()))]))
    fed = {batch.call: float(batch.a["x:0"]) for batch in result}
    assert fed == {place - before: step for step, place in zip(STEPS, PLACES, strict=True) for before in (0, 1)}


@pytest.mark.parametrize("steps, holding", [(17, [PLACES[-1]]), (19, [])], ids=["whole-end", "end-left-out"])
def test_what_was_left_out_may_have_changed_the_variables(steps: int, holding: list[int]) -> None:
    """After 17 steps the last look shows the last values; after 19 two steps came that were left out."""
    trace = recorded(steps)
    assert [place for place, call in calls_that_hold(trace, True) if call.fetches[0].name == "out:0"] == holding
    looks = [place for place, call in calls_that_hold(trace, False) if call.fetches[0].name == "out:0"]
    assert looks == PLACES


def test_a_sample_beside_a_run_that_made_fewer_calls_misses_just_those() -> None:
    comparison = compare(recorded(14, every=1), recorded(17))
    missing = [row.call for row in comparison.rows if row.distance.note == "this call was not made"]
    assert missing == [PLACES[-1] - 1, PLACES[-1]]
    looks = [row.call for row in comparison.rows if row.tensor == "out:0" and row.distance.note == ""]
    assert looks == PLACES[:-1]
