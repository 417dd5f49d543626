"""The process in which a program is replayed: it records itself while a parent waits.

The parent gives it one argument, the JSON of a `Task`. The program runs alone so that graph mode, argv, the working
directory and a crash stay its own. What runs an untouched program is handed in: `tf2bridge run` stands above this
package.
"""

from __future__ import annotations

import json
import os
import runpy
import socket
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tf2bridge import systems
from tf2bridge.systems import lines


@dataclass(frozen=True)
class Task:
    """What a replaying process does.

    Attributes:
        command: the program and its arguments: ["train.py", "--steps", "5"] or ["-m", "package.train"].
        record_to: where the new trace goes.
        reference: the recorded trace whose op seeds and initial values are looked up.
        seeds: "rule" or "trace"; see `tf2bridge.proof.replaying.seeding`.
        feeds: "program" or "trace": whose feeds are used.
        seeds_to: where the account of what was taken over goes, as JSON.
        api: the release whose namespace an untouched program sees; empty for a migrated program.
        progress: what `lines.taken_up` takes: the line that gets one byte for each call.
        limits: the largest number of calls and of bytes to record.
    """

    command: tuple[str, ...]
    record_to: str
    reference: str
    seeds: str
    feeds: str
    seeds_to: str
    api: str
    progress: dict[str, Any]
    limits: tuple[int, int]


RunUntouched = Callable[[Path | None, str | None, list[str], str], int]
"""Runs a script, or a module, with its arguments, under the names of a release, and returns its exit status."""


def task_of_process() -> Task:
    """Returns the task that the last argument of this process describes."""
    fields = json.loads(sys.argv[-1])
    return Task(**{**fields, "command": tuple(fields["command"]), "limits": tuple(fields["limits"])})


def perform(task: Task, run_untouched: RunUntouched) -> int:
    """Runs a program in this process, and records it beside its reference.

    Args:
        task: what to run and to record.
        run_untouched: runs a program of an old release, where the task names one.

    Returns:
        The program's exit status.
    """
    from tf2bridge.proof.replaying.draws import SteeringRecorder
    from tf2bridge.proof.replaying.initial_values import InitialValues
    from tf2bridge.proof.replaying.random_states import RandomStates
    from tf2bridge.proof.replaying.seeding import FROM_TRACE, Seeding
    from tf2bridge.proof.traces.reader import Trace

    process = os.getpid()
    line = lines.taken_up(task.progress)
    systems.after_fork(line.close)  # the parent would wait for a process that was forked as for the program
    reference = Trace(task.reference)
    # Both before the recorder, whose record must hold the seeds and values that were used.
    seeding = Seeding(reference, task.seeds)
    seeding.install()
    initial = InitialValues(reference)
    if task.seeds == FROM_TRACE:
        initial.install()
    calls, size = task.limits
    beat = beat_of(line)
    inner = reference.manifest["intermediate"]
    options = {"on_call": beat, "argv": list(task.command), "draws": False, "intermediate": inner}
    where = (task.record_to, str(Path.cwd()), calls, size)
    recorder = SteeringRecorder(reference, task.seeds == FROM_TRACE, task.feeds == FROM_TRACE, *where, **options)
    recorder.install()
    states = RandomStates(reference)
    if task.seeds == FROM_TRACE:
        states.install()  # after all else that may draw
    status, error = run_program(task, run_untouched)
    sys.stdout.flush()
    recorder.close(status, error)
    given = {"draws": sorted(recorder.given), "feeds": sorted(recorder.fed), "states": states.taken}
    account = {**seeding.account(), "values": initial.taken, **given}
    if os.getpid() == process:  # and not in one that the program forked and that came to its own end
        Path(task.seeds_to).write_bytes(json.dumps(account).encode())
    return status


def beat_of(line: socket.socket) -> Any:
    """Returns a function that tells the parent of one more call."""

    def beat(*_: Any) -> None:
        line.sendall(b".")

    return beat


def run_program(task: Task, run_untouched: RunUntouched) -> tuple[int, str | None]:
    """Runs the program of a task in this process. Returns its exit status, and the error that ended it, if any."""
    try:
        if task.api and task.command[0] == "-m":
            return run_untouched(None, task.command[1], list(task.command[2:]), task.api), None
        if task.api:
            return run_untouched(Path(task.command[0]), None, list(task.command[1:]), task.api), None
        return _run_migrated(task.command), None
    except SystemExit as stop:
        return _status_of(stop), None
    except BaseException as error:
        traceback.print_exc()
        return 1, f"{type(error).__name__}: {error}"


def _run_migrated(command: tuple[str, ...]) -> int:
    if command[0] == "-m":
        sys.argv = list(command[1:])
        sys.path.insert(0, str(Path.cwd()))
        runpy.run_module(command[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = list(command)
        sys.path.insert(0, str(Path(command[0]).resolve().parent))
        runpy.run_path(command[0], run_name="__main__")
    return 0


def _status_of(stop: SystemExit) -> int:
    if stop.code is None or isinstance(stop.code, int):
        return stop.code or 0
    print(stop.code, file=sys.stderr)
    return 1
