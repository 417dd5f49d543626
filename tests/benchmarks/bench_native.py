"""A training step without a session beside the same step in a session of TensorFlow 2, all in one run.

    python -m pytest -s tests/benchmarks/bench_native.py

The steps are those of fixtures/native: the function of the native program, and the recorded graph of its legacy program
in a v1 session, both with the recorded feeds of one call. Times are the least of several rounds.
"""

from __future__ import annotations

import os
import runpy
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import tensorflow as tf

from codemods.native.map_reading import read
from fixtures.native.record import HERE, PROGRAMS
from tests.benchmarks.turns import in_turns
from tf2bridge.graph.session_variables import assign
from tf2bridge.proof.replaying.playing import Recorded
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord

ROUNDS, STEPS = 5, 200
GOAL = 0.8
STEP = {
    "script": (lambda names: SimpleNamespace(**names), "train_step"),
    "model": (
        lambda names: names["Model"]({"inputs": 6, "hidden": 12, "decay": 0.01, "lr": 0.2, "clip": 0.5}),
        "train",
    ),
    "gan": (lambda names: names["GAN"](0.5), "d_optim"),
    "rnn": (lambda names: names["Model"](4, 5, 7, 8), "train_op"),
    "averages": (lambda names: SimpleNamespace(**names), "train_op"),
}
"""Program -> what makes the owner of its training step from the names of its file, and the step's name."""


def native_step(program: str, feeds: list[Any], folder: Path) -> Callable[[], object]:
    native = shutil.copytree(HERE / program / "native", folder / program)
    file = next(name for name in ("model.py", *PROGRAMS[program].command) if (native / name).is_file())
    os.chdir(native)
    sys.argv = [file]
    make, name = STEP[program]
    owner = make(runpy.run_path(file))
    given = [tf.constant(feed) for feed in feeds]
    return lambda: getattr(owner, name)(*given)


def step_of(trace: Trace, program: str) -> tuple[CallRecord, list[Any]]:
    """Returns the first recorded training step, and its feeds in the order of the native function's parameters."""
    row = next(row for row in read(HERE / program / "native" / "native.toml").calls if row.operations)
    call = next(call for call in trace.program_calls if call.where == row.legacy)
    values = {leaf.name: trace.value(leaf.value) for leaf in call.feeds if leaf.value is not None}
    return call, [values[name] for name in row.feeds]


@pytest.mark.parametrize("program", STEP)
def bench_step(program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    trace = Trace(HERE / program / "genuine" / f"{program}.trace")
    call, feeds = step_of(trace, program)
    native = native_step(program, feeds, tmp_path)
    graph = tf.Graph()
    with graph.as_default(), tf.compat.v1.Session() as session:
        tf.graph_util.import_graph_def(Recorded(trace, call.graph).part, name="")
        for variable in trace.graphs[call.graph].variables:
            if variable.initial is not None:
                session.run(assign(graph, variable.name, trace.value(variable.initial)))
        fed = {graph.as_graph_element(leaf.name): trace.value(leaf.value or 0) for leaf in call.feeds}
        fetches = [graph.as_graph_element(leaf.name) for leaf in call.fetches]
        run = session.make_callable(fetches, list(fed))
        both = [lambda: session.run(fetches, fed), lambda: run(*fed.values())]
        in_session, called = in_turns(both, ROUNDS, STEPS)
    (now,) = in_turns([native], ROUNDS, STEPS)
    print(
        f"{program}: session.run {in_session * 1e6:.0f} us, make_callable {called * 1e6:.0f} us, "
        f"native {now * 1e6:.0f} us: {now / in_session:.2f} of session.run (goal {GOAL})"
    )
