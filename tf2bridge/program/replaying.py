"""Runs a program on TensorFlow 2, and compares it with the trace that genuine TensorFlow left of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tf2bridge.proof.numbers.tolerance import DEFAULT, Tolerance
from tf2bridge.proof.replaying.judging import judged
from tf2bridge.proof.replaying.outcomes import Replay
from tf2bridge.proof.replaying.process import FROM_PROGRAM, recorded_anew
from tf2bridge.proof.replaying.seeding import FROM_TRACE
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.systems import starting

RECORDING = starting.command("tf2bridge.program.replayed")
"""The command that runs a program and records it, as `recorded_anew` takes it."""


def replay(
    recorded: Trace,
    command: Sequence[str],
    cwd: Path,
    *,
    api: str = "",
    seeds: str = FROM_TRACE,
    feeds: str = FROM_PROGRAM,
    tolerance: Tolerance = DEFAULT,
    on_call: Callable[[int], None] | None = None,
    search: bool = True,
) -> Replay:
    """Runs a program in a process of its own and compares what its sessions compute with a trace.

    Args:
        recorded: the trace that genuine TensorFlow left.
        command: ["train.py", "--steps", "5"] or ["-m", "package.train"].
        cwd: the directory to run in; the program may write there.
        api: the release of an untouched program ("0.12"); empty for a migrated one.
        seeds: "trace" or "rule", see `tf2bridge.proof.replaying.seeding.Seeding`.
        feeds: "program", or "trace" to feed what was recorded in place of what the program feeds.
        tolerance: for fetches and variables.
        on_call: is told the number of calls made so far.
        search: whether the first op that differs is searched where tensors differ.

    Raises:
        MissingExtraError: TensorFlow is not installed.
        ReplayFailedError: the program ended before it could be recorded.
    """
    with recorded_anew(recorded, command, cwd, RECORDING, api=api, seeds=seeds, feeds=feeds, on_call=on_call) as run:
        return judged(run, recorded, tolerance, search)
