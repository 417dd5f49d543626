"""Runs a program on TensorFlow 2 beside the trace that genuine TensorFlow left of it."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tf2bridge.errors import BridgeError, MissingExtraError, ReplayFailedError
from tf2bridge.proof.comparing.rows import Comparison, first_divergence
from tf2bridge.proof.comparing.traces import compare
from tf2bridge.proof.numbers.tolerance import DEFAULT, Tolerance
from tf2bridge.proof.replaying.child import Task
from tf2bridge.proof.replaying.seeding import FROM_TRACE
from tf2bridge.proof.traces.reader import Trace

if TYPE_CHECKING:
    from tf2bridge.proof.diverging.divergence import Divergence

_START = (
    "import sys; sys.path.remove(''); sys.path.append({root!r}); "
    "from tf2bridge.proof.replaying.child import main; sys.exit(main())"
)
# The recorded program was stopped at its own limits; its replay may go a little further before it is cut.
_LIMITS = (1_000_000, 8 << 30)


@dataclass(frozen=True)
class Seeds:
    """How random numbers of a replay came about.

    Attributes:
        agree: random ops whose seeds are the recorded ones by the release's rule.
        unseeded: random ops without a seed, then and now: they draw other numbers in each run.
        taken: random ops whose seeds were taken over from the trace.
        differ: random ops whose seeds differ from the recorded ones, and were left.
        unmatched: names of random ops that the trace does not hold.
        values: variables that unseeded ops initialise, and whose initial values were taken over from the trace.
    """

    agree: int
    unseeded: int
    taken: int
    differ: int
    unmatched: tuple[str, ...]
    values: tuple[str, ...]

    def describe(self, release: str) -> str:
        """One line for people."""
        total = self.agree + self.unseeded + self.taken + self.differ + len(self.unmatched)
        if not total:
            return "the program has no random ops"
        parts = [f"{self.agree} of {total} op seeds by the rule of TensorFlow {release}"]
        if self.unseeded:
            parts.append(f"{self.unseeded} have no seed")
        if self.taken:
            parts.append(f"{self.taken} taken over from the trace by name")
        if self.differ:
            parts.append(f"{self.differ} differ from the trace")
        if self.unmatched:
            parts.append(f"{len(self.unmatched)} not in the trace ({', '.join(self.unmatched[:3])})")
        if self.values:
            parts.append(f"{len(self.values)} initial values taken over from the trace, which proves nothing of them")
        return ", ".join(parts)


@dataclass(frozen=True)
class Replay:
    """What came of running a program against a trace.

    Attributes:
        rows: one `Comparison` for each tensor of the trace.
        seeds: how the op seeds came about.
        release: the TensorFlow that recorded the trace.
        status: the program's exit status on TensorFlow 2.
        recorded_status: its exit status when it was recorded.
        stopped: why the recording had been stopped early; empty if it is whole.
        printed: what the program printed, standard output and error together.
        variables: name -> {"shape", "dtype"} of those that it has now, whose shapes are known.
        divergence: the first op that parts both, where rows differ and it was found.
        not_searched: why it was not found; empty where it was, where all rows passed or nobody asked.
    """

    rows: list[Comparison]
    seeds: Seeds
    release: str
    status: int
    recorded_status: int
    stopped: str
    printed: str
    variables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    divergence: Divergence | None = None
    not_searched: str = ""

    @property
    def proven(self) -> bool:
        """Whether every tensor was compared and passed, and the program ended as it had when it was recorded."""
        ended_alike = self.status == self.recorded_status
        return bool(self.rows) and first_divergence(self.rows) is None and ended_alike and not self.stopped


def replay(
    recorded: Trace,
    command: Sequence[str],
    cwd: Path,
    *,
    api: str = "",
    seeds: str = FROM_TRACE,
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
        tolerance: for fetches and variables.
        on_call: is told the number of calls made so far.
        search: whether the first op that differs is searched where tensors differ.

    Raises:
        MissingExtraError: TensorFlow is not installed.
        ReplayFailedError: the program ended before it could be recorded.
    """
    require_tensorflow("running the program")
    with tempfile.TemporaryDirectory(prefix="tf2bridge-") as scratch:
        new, account = Path(scratch, "new.trace"), Path(scratch, "seeds.json")
        reader, writer = os.pipe()
        task = Task(tuple(command), str(new), str(recorded.path.resolve()), seeds, str(account), api, writer, _LIMITS)
        status, printed = _run(task, cwd, reader, Path(scratch, "printed.txt"), on_call)
        if not new.is_file() or not account.is_file():
            raise ReplayFailedError(" ".join(command), status, printed)
        actual = Trace(new)
        seeds_used = _seeds(account)
        rows = [_marked(row, seeds_used.values) for row in compare(actual, recorded, tolerance)]
        variables = _variables(actual)
        found = _searched(actual, recorded, rows, tolerance) if search else (None, "")
        actual.close()
    return Replay(
        rows=rows,
        seeds=seeds_used,
        release=recorded.release,
        status=status,
        recorded_status=recorded.exit_status,
        stopped=_why_stopped(recorded),
        printed=printed,
        variables=variables,
        divergence=found[0],
        not_searched=found[1],
    )


def _variables(trace: Trace) -> Mapping[str, Mapping[str, Any]]:
    rows = [row for graph in trace.manifest["graphs"] for row in graph["variables"]]
    return {row["name"]: {"shape": row["shape"], "dtype": row["dtype"]} for row in rows if row["shape"] is not None}


def _searched(
    actual: Trace, recorded: Trace, rows: list[Comparison], tolerance: Tolerance
) -> tuple[Divergence | None, str]:
    """The first op that differs, or why it is not known: no failure of the search hides what was compared."""
    if first_divergence(rows) is None:
        return None, ""
    from tf2bridge.proof.diverging.search import search

    try:
        return search(actual, recorded, rows, tolerance), ""
    except BridgeError as error:
        return None, str(error)
    except Exception as error:  # the graphs are of any kind, and so is what may go wrong with them
        return None, f"the search for the first op failed ({type(error).__name__}: {str(error).splitlines()[0:1]})"


def _seeds(account: Path) -> Seeds:
    fields: dict[str, Any] = json.loads(account.read_text())
    fields.update(unmatched=tuple(fields["unmatched"]), values=tuple(fields["values"]))
    return Seeds(**fields)


def _marked(row: Comparison, taken: tuple[str, ...]) -> Comparison:
    """Says of an initial value that it was taken over, where it was."""
    if row.kind != "initial" or (row.renamed or row.tensor) not in taken:
        return row
    return dataclasses.replace(row, distance=dataclasses.replace(row.distance, note="taken over from the trace"))


def require_tensorflow(purpose: str) -> None:
    """Raises MissingExtraError unless TensorFlow can be imported; does not import it."""
    if find_spec("tensorflow") is None:
        raise MissingExtraError("tensorflow", "tf", purpose)


def _run(task: Task, cwd: Path, reader: int, log: Path, on_call: Callable[[int], None] | None) -> tuple[int, str]:
    start = _START.format(root=str(Path(__file__).resolve().parents[3]))
    environment = {"TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONUNBUFFERED": "1", **os.environ}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-c", start, json.dumps(dataclasses.asdict(task))],
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            pass_fds=(task.progress,),
            env=environment,
        )
        os.close(task.progress)
        try:
            _watch(reader, on_call)
            status = process.wait()
        except BaseException:
            process.kill()
            process.wait()
            raise
        finally:
            os.close(reader)
    return status, log.read_text(errors="replace")


def _watch(reader: int, on_call: Callable[[int], None] | None) -> None:
    calls = 0
    while chunk := os.read(reader, 4096):
        calls += len(chunk)
        if on_call is not None:
            on_call(calls)


def _why_stopped(recorded: Trace) -> str:
    if recorded.stopped is None:
        return ""
    return f"the recording was stopped at its limit of {recorded.stopped['reason']}, call {recorded.stopped['call']}"
