"""The ways in which a cluster ends, and the launcher's text for each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tf2bridge import systems
from tf2bridge.train.clusters.process import TaskProcess

FAILED = 1


@dataclass(frozen=True)
class Outcome:
    """How a cluster ended: the exit status, and the reason as text; "" if all workers ended with status 0."""

    status: int
    why: str = ""


def interrupted(number: int) -> Outcome:
    """Returns the outcome of a signal to the launcher."""
    return Outcome(128 + number, f"{systems.signal_name(number)}: every process was ended")


def failed(processes: Sequence[TaskProcess]) -> Outcome:
    """Returns the outcome of a failure.

    It names the process that failed first: others may have failed because of it.
    """
    ends = {process.failed: process.task for process in processes if process.failed}
    (_, status), task = min(ends.items())
    ended = [process for process in processes if process.status is None and not (process.failed or process.done)]
    rest = [str(process.task) for process in ended]
    also = f"; {listed(rest)} {_were(rest)} ended" if rest else ""
    return Outcome(status if status > 0 else 128 - status, f"{task} {_ended(status)}{also}")


def not_formed(absent: Mapping[str, str], started: Collection[str], seconds: float, waiting: str = "") -> Outcome:
    """Returns the outcome of a cluster whose servers did not all start in time.

    Args:
        absent: The tasks without a server: name -> address, "" if unknown.
        started: The tasks that the launcher started.
        seconds: How long the cluster waited.
        waiting: The task that reported the absent ones.
    """
    places = listed([f"{task} ({address})" if address else task for task, address in absent.items()])
    strange = [task for task in absent if task not in started]
    also = f" ({listed(strange)} {_were(strange)} not among the tasks to start)" if strange else ""
    whom = f", and {waiting} waits for it" if waiting else ""
    return Outcome(FAILED, f"the cluster did not form in {seconds:g} s: no server of {places} has started{also}{whom}")


def left_behind(gone: Sequence[str], left: Sequence[str], seconds: float) -> Outcome:
    """Returns the outcome of a cluster in which tasks still run after the servers that they need have ended.

    Args:
        gone: The servers that have ended.
        left: The tasks that still run.
        seconds: How long ago the servers ended.
    """
    why = f"{listed(gone)} ended with status 0, and {seconds:g} s later {listed(left)} had not ended"
    return Outcome(FAILED, why)


def listed(names: Sequence[str]) -> str:
    """Returns the names as words of a sentence: "a, b and c"."""
    return "".join(names) if len(names) < 2 else f"{', '.join(names[:-1])} and {names[-1]}"


def _were(names: Sequence[str]) -> str:
    return "were" if len(names) > 1 else "was"


def _ended(status: int) -> str:
    if status >= 0:
        return f"ended with status {status}"
    return f"was killed by {systems.signal_name(-status)}"
