"""A program run in a process of its own on TensorFlow 2, and recorded there."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tf2bridge import kernels, quiet_start
from tf2bridge.errors import MissingExtraError
from tf2bridge.proof.replaying.child import Task
from tf2bridge.proof.replaying.own_seeds import OtherSeed
from tf2bridge.proof.replaying.refusals import ReplayFailedError
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.systems import IS_WINDOWS
from tf2bridge.systems.lines import Line

FROM_PROGRAM = "program"
"""The program feeds its own values."""
# Limits of the new recording. They are above those of the recorded program, so that its calls all fit.
_LIMITS = (1_000_000, 8 << 30)


@dataclass(frozen=True)
class Seeds:
    """Where the random numbers of a replay come from.

    Attributes:
        agree: The number of random ops with the recorded seeds by the release's rule.
        unseeded: The number of random ops without a seed in both runs. They draw other numbers in each run.
        taken: The number of random ops whose seeds were taken from the trace.
        differ: The number of random ops that keep other seeds than recorded.
        unmatched: The names of random ops that the trace lacks.
        values: The variables with unseeded initializers whose initial values were taken from the trace.
        draws: The random ops without a seed that got their recorded results.
        feeds: The tensors that got their recorded feeds instead of the program's.
        states: How often the state of Python's or NumPy's random numbers was set to the recorded one.
        others: The random ops whose seeds differ, with the seeds of the program.
    """

    agree: int
    unseeded: int
    taken: int
    differ: int
    unmatched: tuple[str, ...]
    values: tuple[str, ...]
    draws: tuple[str, ...] = ()
    feeds: tuple[str, ...] = ()
    states: int = 0
    others: tuple[OtherSeed, ...] = ()

    def describe(self, release: str) -> str:
        """Returns one line for the report."""
        total = self.agree + self.unseeded + self.taken + self.differ + len(self.unmatched)
        parts = ["the program has no random ops"]
        if total:
            parts = [f"{self.agree} of {total} op seeds by the rule of TensorFlow {release}"]
        if self.unseeded:
            given = f", and {len(self.draws)} of these got their recorded results" if self.draws else ""
            parts.append(f"{self.unseeded} have no seed{given}")
        if self.taken:
            parts.append(f"{self.taken} taken over from the trace by name")
        if self.differ:
            parts.append(f"{self.differ} differ from the trace")
        if self.unmatched:
            parts.append(f"{len(self.unmatched)} not in the trace ({', '.join(self.unmatched[:3])})")
        if self.values:
            parts.append(f"{len(self.values)} initial values taken over from the trace, their initializers compared")
        if self.feeds:
            parts.append(
                f"{len(self.feeds)} placeholders fed from the trace, which proves nothing of the program's own data"
            )
        return ", ".join(parts)


@dataclass(frozen=True)
class Run:
    """The result of one run.

    Attributes:
        trace: The trace of the run. It is closed at the end of the `with` block.
        seeds: Where its random numbers come from.
        status: The program's exit status.
        printed: The program's output, standard output and error together.
    """

    trace: Trace
    seeds: Seeds
    status: int
    printed: str


@contextmanager
def recorded_anew(
    recorded: Trace,
    command: Sequence[str],
    cwd: Path,
    recording: Sequence[str],
    *,
    api: str,
    seeds: str,
    feeds: str = FROM_PROGRAM,
    on_call: Callable[[int], None] | None = None,
) -> Iterator[Run]:
    """Runs a program in a process of its own, with seeds and initial values from a trace of it.

    Args:
        recorded, command, cwd, api, seeds, feeds, on_call: See `program.replaying.replay`.
        recording: The command that performs a `child.Task`, whose JSON is its last argument.

    Raises:
        MissingExtraError: TensorFlow is not installed.
        ReplayFailedError: The program ended before it could be recorded.
    """
    require_tensorflow("running the program")
    with tempfile.TemporaryDirectory(prefix="tf2bridge-", ignore_cleanup_errors=IS_WINDOWS) as scratch:
        new, account = Path(scratch, "new.trace"), Path(scratch, "seeds.json")
        line = Line()
        task = Task(
            tuple(command), str(new), str(recorded.path.resolve()), seeds, feeds, str(account), api, line.told, _LIMITS
        )
        status, printed = _run(
            [*recording, json.dumps(dataclasses.asdict(task))], cwd, line, Path(scratch, "printed.txt"), on_call
        )
        if not new.is_file() or not account.is_file():
            raise ReplayFailedError(" ".join(command), status, printed)
        trace = Trace(new)
        try:
            yield Run(trace, seeds_of(account), status, printed)
        finally:
            trace.close()


def seeds_of(account: Path) -> Seeds:
    """Reads the seeds that a replaying process wrote into a file."""
    fields: dict[str, Any] = json.loads(account.read_bytes())
    others = tuple(OtherSeed(name, tuple(recorded), tuple(new)) for name, recorded, new in fields.pop("others"))
    fields.update((name, tuple(value)) for name, value in fields.items() if isinstance(value, list))
    return Seeds(**fields, others=others)


def require_tensorflow(purpose: str) -> None:
    """Raises MissingExtraError unless TensorFlow can be imported; does not import it."""
    if find_spec("tensorflow") is None:
        raise MissingExtraError("tensorflow", "tf", purpose)


def _run(
    command: Sequence[str], cwd: Path, line: Line, log: Path, on_call: Callable[[int], None] | None
) -> tuple[int, str]:
    environment = {quiet_start.VARIABLE: quiet_start.LEVEL, "PYTHONUNBUFFERED": "1", **kernels.environment()}
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment,
            **line.options,
        )
        line.started()
        try:
            _watch(line, process, on_call)
            status = process.wait()
        except BaseException:
            process.kill()
            process.wait()
            raise
        finally:
            line.close()
    return status, log.read_text("locale", errors="replace")  # as the program wrote it


def _watch(line: Line, process: subprocess.Popen[bytes], on_call: Callable[[int], None] | None) -> None:
    calls = 0
    for chunk in line.received(lambda: process.poll() is None):
        calls += len(chunk)
        if on_call is not None:
            on_call(calls)
