"""Runs a native program beside the trace of its legacy program, and compares both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from codemods.native import native_map as maps
from codemods.native.map_reading import read
from tf2bridge.native.comparing import compare
from tf2bridge.native.counterparts import counterparts
from tf2bridge.native.native_trace import NativeTrace
from tf2bridge.native.refusals import ForeignMapError
from tf2bridge.native.wanted import left_out, wanted
from tf2bridge.proof.numbers.tolerance import DEFAULT, Tolerance
from tf2bridge.proof.replaying.judging import concluded
from tf2bridge.proof.replaying.outcomes import Replay
from tf2bridge.proof.replaying.process import recorded_anew
from tf2bridge.proof.replaying.seeding import FROM_TRACE
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.systems import starting


def prove(
    recorded: Trace,
    command: Sequence[str],
    cwd: Path,
    map_path: Path,
    *,
    seeds: str = FROM_TRACE,
    tolerance: Tolerance = DEFAULT,
    on_call: Callable[[int], None] | None = None,
    search: bool = True,
) -> Replay:
    """Runs a native program in a process of its own and compares what its functions compute with a trace.

    Args:
        recorded: The trace of genuine TensorFlow.
        command: ["train.py", "--steps", "5"] or ["-m", "package.train"].
        cwd: The directory to run in. The program may write there.
        map_path: The map of the program, `native.toml`.
        seeds, tolerance, on_call, search: See `program.replaying.replay`.

    Raises:
        NativeMapError: The map is wrong.
        ForeignMapError: The map is of another program.
        MissingExtraError: TensorFlow is not installed.
        ReplayFailedError: The program ended before its calls could be logged.
    """
    native_map = read(map_path)
    known = counterparts(recorded.program_calls, native_map)
    if recorded.program_calls and not any(known.by_function.values()):
        raise ForeignMapError(map_path, recorded.path)
    rows = list(wanted(recorded, native_map, map_path))
    absent = list(left_out(recorded, native_map))
    recording = [*starting.command("tf2bridge.native.running.child"), str(map_path.resolve())]
    with recorded_anew(recorded, command, cwd, recording, api="", seeds=seeds, on_call=on_call) as run:
        named, in_graph = (NativeTrace(run.trace.path, recorded, known, inside) for inside in (False, True))
        try:
            found = compare(named, recorded, known, rows, absent, tolerance)
            return concluded(run, recorded, tolerance, found, found.otherwise, in_graph if search else None)
        finally:
            named.close()
            in_graph.close()


def map_beside(directory: Path) -> Path | None:
    """Returns the map of a native program in a directory, or None."""
    path = directory / maps.NAME
    return path if path.is_file() else None
