"""Recorded graphs run again on TensorFlow 2, without their programs: traces that genuine releases left."""

from __future__ import annotations

from pathlib import Path

import pytest

from tf2bridge.proof.comparing.rows import first_divergence
from tf2bridge.proof.replaying.graphs import GraphReplay, replay_graphs
from tf2bridge.proof.reporting.graph_text import as_json, summary
from tf2bridge.proof.traces.reader import Trace

LEGACY = Path(__file__).parents[4] / "fixtures/legacy"
INCOMPLETE = {"saver_swap": [10, 11, 12, 22]}
"""Program -> its calls that need what was restored from a file, which a graph alone does not do: nothing is proven."""
PROGRAMS = sorted(path.parent.parent.name for path in LEGACY.glob("*/genuine/*.trace"))


def run(program: str) -> GraphReplay:
    return replay_graphs(Trace(LEGACY / program / "genuine" / f"{program}.trace"))


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_graph_alone_computes_what_genuine_tensorflow_did(program: str) -> None:
    result = run(program)
    assert result.proven == (program not in INCOMPLETE), [first_divergence(way.rows) for way in result.ways]
    assert result.ways[0].missed == INCOMPLETE.get(program, [])
    assert {row.kind for row in result.ways[0].rows} >= {"initial", "fetch", "final"}


def test_both_ways_compare_the_same_tensors() -> None:
    session, functions = run("char_rnn").ways
    assert [(row.step, row.tensor) for row in session.rows] == [(row.step, row.tensor) for row in functions.rows]
    fetches = [row for row in session.rows if row.kind == "fetch"]
    assert len({row.call for row in fetches}) == 40  # of the program's 41 calls one is the initializer


def test_what_touches_files_is_not_run_and_is_said() -> None:
    session = run("freeze_script").ways[0]
    assert "save/SaveV2 (SaveV2) reads or writes files" in summary(session, "1.4.1")
    taken = [row.tensor for row in session.rows if row.distance.note == "taken over from the trace"]
    assert taken, "the variables of the graph that was restored got their values from the trace"


def test_calls_that_are_not_run_again_are_no_proof() -> None:
    result = run("saver_swap")
    assert all(first_divergence(way.rows) is None for way in result.ways)
    assert result.unproven == "4 calls that fetched values were not run again, or not wholly"
    assert "NOT PROVEN: 4 calls" in summary(result.ways[0], "1.4.1")
    assert (as_json(result)["proven"], as_json(result)["unproven"]) == (False, result.unproven)


def test_it_is_plain_json() -> None:
    result = as_json(run("scopes"))
    assert result["proven"] is True
    assert [len(way["rows"]) for way in result["ways"].values()] == [154, 154]
