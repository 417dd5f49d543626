"""What is said of the seeds that a program gives, beside those of a genuine recording."""

from __future__ import annotations

from pathlib import Path

from tf2bridge.proof.replaying.own_seeds import OtherSeed, told
from tf2bridge.proof.traces.reader import Trace

TRACE = Path(__file__).parents[4] / "fixtures/mutations/1.15.5/adversarial.trace"
FIRST = "generator/first/kernel/Initializer/random_normal/RandomStandardNormal"
SECOND = "generator/second/kernel/Initializer/random_uniform/RandomUniform"


def lines(*others: OtherSeed) -> tuple[list[str], list[str]]:
    return told(Trace(TRACE), others)


def test_another_seed_of_the_graph_is_said_once() -> None:
    result, notes = lines(OtherSeed(FIRST, (21, 4), (22, 4)), OtherSeed(SECOND, (21, 36), (22, 36)))
    assert result == [f"{FIRST}, {SECOND}: the graph's seed was 21 when recorded, and is 22 now"]
    assert notes == []


def test_another_seed_of_an_op_is_said() -> None:
    result, _ = lines(OtherSeed(FIRST, (21, 4), (21, 5)))
    assert result == [f"{FIRST}: its seed was 4 when recorded, and is 5 now"]


def test_a_seed_on_one_side_alone_is_said() -> None:
    result, _ = lines(OtherSeed(FIRST, (0, 0), (21, 5)), OtherSeed(SECOND, (21, 36), (0, 0)))
    assert result == [f"{SECOND}: a recorded seed, and none now", f"{FIRST}: no recorded seed, and one now"]


def test_the_place_of_an_op_without_a_seed_is_a_note() -> None:
    result, notes = lines(OtherSeed(SECOND, (21, 36), (21, 37)))  # 36 ops were made before it
    assert result == []
    (note,) = notes
    assert note.startswith(f"{SECOND}: no seed of its own, and another number of earlier ops")
