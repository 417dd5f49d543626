"""Runs a program on TensorFlow 2 and compares it with its trace of genuine TensorFlow."""

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
"""The command that runs and records a program, for `recorded_anew`."""


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
        recorded: The trace of genuine TensorFlow.
        command: ["train.py", "--steps", "5"] or ["-m", "package.train"].
        cwd: The directory to run in. The program may write there.
        api: The release of an untouched program ("0.12"); empty for a migrated program.
        seeds: "trace" or "rule", see `tf2bridge.proof.replaying.seeding.Seeding`.
        feeds: "program", or "trace" to replace the program's feeds by the recorded ones.
        tolerance: The tolerance for fetches and variables.
        on_call: A function that gets the number of calls made so far.
        search: Whether to search for the first op that differs, if tensors differ.

    Raises:
        MissingExtraError: TensorFlow is not installed.
        ReplayFailedError: the program ended before it could be recorded.
    """
    with recorded_anew(recorded, command, cwd, RECORDING, api=api, seeds=seeds, feeds=feeds, on_call=on_call) as run:
        return judged(run, recorded, tolerance, search)
