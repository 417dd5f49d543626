"""What a native program prints is held against what the recorded one printed."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from fixtures.sessions.record import HERE
from tests.tf2bridge.native.test_rewritten import rewritten
from tf2bridge.native.printed import printed_row
from tf2bridge.native.proving import map_beside, prove
from tf2bridge.proof.numbers.tolerance import DEFAULT
from tf2bridge.proof.replaying.outcomes import Outcome
from tf2bridge.proof.traces.reader import Trace


def printed(now: str | None, then: str | None) -> tuple[list[Any], list[str]]:
    sides = (cast("Trace", SimpleNamespace(printed=text)) for text in (now, then))
    return printed_row(*sides, tolerance=DEFAULT)


@pytest.mark.parametrize(
    ("now", "then"),
    [
        ("loss 0.5000001\n", "loss 0.5\n"),
        ("step 3  acc 0.91\n\n", "step 3 acc 0.92\n"),  # one unit of the last digit
        ("[np.float32(21.0), np.float32(7.0)] np.True_", "[21.0, 7.0] True"),
        ("[[0.1 0.2]]", "[[ 0.1  0.2 ]]"),
        ("1.5e-07", "1.6e-07"),
        ("50%\r100%", "50%\n100%\n"),
        ("a", "Tensor(\"add:0\", shape=(?, 3), dtype=float32)\n<tf.Variable 'w:0' shape=(2,) dtype=float32_ref>\na"),
    ],
)
def test_what_is_equal(now: str, then: str) -> None:
    rows, notes = printed(now, then)
    assert [row.kind for row in rows] == ["printed"]
    assert rows[0].passed
    assert notes[0].startswith("what it printed is equal (")


@pytest.mark.parametrize(
    ("now", "then", "note"),
    [
        ("step 4", "step 3", "what it printed differs (1 line): 'step 3', now 'step 4'"),
        ("loss 0.7", "loss 0.5", "what it printed differs (1 line): 'loss 0.5', now 'loss 0.7'"),
        ("a\nc", "a\nb\nc", "what it printed differs (3 lines): 'b', now nothing"),
        ("a 1\nb 2\nc 3", "c 3", "what it printed differs (1 line): nothing, now 'a 1', nothing, now 'b 2'"),
        (None, "a", "what it printed differs (1 line): 'a', now nothing"),
        ("v1.5", "v1.6", "what it printed differs (1 line): 'v1.6', now 'v1.5'"),
        ("nan", "0.1", "what it printed differs (1 line): '0.1', now 'nan'"),
    ],
)
def test_what_is_other(now: str | None, then: str, note: str) -> None:
    assert printed(now, then) == ([], [note])


def test_a_trace_of_an_older_recorder_says_nothing_of_it() -> None:
    assert printed("a", None) == ([], [])


def test_nothing_but_tensors_of_the_graph_proves_nothing() -> None:
    assert printed("", 'Tensor("add:0", shape=(), dtype=float32)') == ([], [])


def test_a_program_that_only_reads_is_not_proven_if_it_prints_something_else(tmp_path: Path) -> None:
    folder = rewritten("constants", tmp_path / "constants")
    script = folder / "constants.py"
    script.write_text(script.read_text("utf-8").replace("total = tf.add(a, b)", "total = tf.add(b, b)"), "utf-8")
    trace = Trace(HERE / "traces" / "constants.trace")
    map_path = map_beside(folder, ["constants.py"])
    assert map_path is not None
    proof = prove(trace, ["constants.py"], folder, map_path)
    assert proof.outcome is not Outcome.EQUAL
    assert any("[[5. 7.]] [[34.]]" in note for note in proof.notes)
