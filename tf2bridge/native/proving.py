"""Runs a native program beside the trace of its legacy program, and compares both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from codemods.native import native_map as maps
from codemods.native.map_reading import read
from tf2bridge.native.comparing import compare
from tf2bridge.native.counterparts import counterparts, program_of
from tf2bridge.native.estimator_calls import ProgramTrace
from tf2bridge.native.functions_of_source import functions_in
from tf2bridge.native.native_trace import NativeTrace
from tf2bridge.native.refusals import ForeignMapError, NoSuchFunctionError
from tf2bridge.native.wanted import wanted
from tf2bridge.proof.numbers.tolerance import DEFAULT, Tolerance
from tf2bridge.proof.replaying.judging import concluded
from tf2bridge.proof.replaying.outcomes import Replay
from tf2bridge.proof.replaying.process import FROM_PROGRAM, recorded_anew
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
    feeds: str = FROM_PROGRAM,
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
        seeds, feeds, tolerance, on_call, search: See `program.replaying.replay`.

    Raises:
        NativeMapError: The map is wrong.
        ForeignMapError: The map is of another program.
        NoSuchFunctionError: The map names a function that the program lacks.
        MissingExtraError: TensorFlow is not installed.
        ReplayFailedError: The program ended before its calls could be logged.
    """
    recorded = ProgramTrace(recorded.path)
    native_map = read(map_path).of_program(program_of(command))
    _check_functions(native_map, map_path, (map_path.parent, cwd))
    known = counterparts(recorded, native_map)
    if recorded.program_calls and not known.dropped and not any(known.by_function.values()):
        raise ForeignMapError(map_path, recorded.path)
    rows = list(wanted(recorded, native_map, map_path))
    recording = [*starting.command("tf2bridge.native.running.child"), str(map_path.resolve())]
    with recorded_anew(recorded, command, cwd, recording, api="", seeds=seeds, feeds=feeds, on_call=on_call) as run:
        named, in_graph = (NativeTrace(run.trace.path, recorded, known, inside) for inside in (False, True))
        try:
            compared = compare(named, recorded, known, rows, tolerance)
            graphs = in_graph if search and not recorded.has_estimator else None  # its input cannot be fed again
            proof = concluded(run, recorded, tolerance, compared, compared.otherwise, graphs, True)
            return replace(proof, choices=native_map.choices)
        finally:
            named.close()
            in_graph.close()


def map_beside(directory: Path, command: Sequence[str]) -> Path | None:
    """Returns the map of a native program: beside its script, or in the directory that it runs in; else None."""
    script = directory / command[0] if command and command[0] != "-m" else directory
    paths = (script.parent / maps.NAME, directory / maps.NAME)
    return next((path for path in paths if path.is_file()), None)


def _check_functions(native_map: maps.NativeMap, path: Path, folders: Sequence[Path]) -> None:
    """Raises NoSuchFunctionError if a row names a function that no file of the program has."""
    known: dict[str, set[str]] = {}
    for row in native_map.calls:
        module, _, name = row.function.partition(":")
        if module not in known:
            files = [f"{module.replace('.', '/')}{end}" for end in (".py", "/__init__.py")]
            known[module] = {name for folder in folders for file in files for name in functions_in(folder, file)}
        if name.replace("<locals>.", "") not in known[module] and not name.endswith("<lambda>"):
            raise NoSuchFunctionError(path, row.line, row.function)
