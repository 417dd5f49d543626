"""From a program and a number of tasks to the commands that start them."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tf2bridge.train.clusters.cluster import Launch
from tf2bridge.train.clusters.program import program_of
from tf2bridge.train.clusters.tasks import EVALUATOR, Addresses, Task, on_loopback, tasks_of
from tf2bridge.train.clusters.telling import AUTO, tell

# As the script `tf2bridge` starts: not with the modules of the current directory before all others.
_START = (
    f"import sys; sys.path.remove(''); sys.path.append({str(Path(__file__).resolve().parents[3])!r}); "
    "from tf2bridge.train.clusters.member import main; main(sys.argv[1:])"
)


def through_run(api: str) -> list[str]:
    """The start of a command that runs a program as `tf2bridge run --api` does, with a line to the launcher."""
    return [sys.executable, "-c", _START, "--api", api]


def launches(
    words: Sequence[str],
    jobs: Mapping[str, int],
    starter: Sequence[str],
    via: str = AUTO,
    first_port: int | None = None,
) -> tuple[list[Launch], Addresses]:
    """Returns how each task of a program, as `program_of` takes it, is started, and where each listens.

    Of a program that is told no hosts, and so has its own, nobody knows where: there are no addresses.

    `jobs` is job -> number of tasks; an evaluator has no address. `starter` comes before the program in each command:
    `through_run(api)`, or the interpreter of a genuine release. `via` is as in `tell`, `first_port` as in
    `on_loopback`. Raises NoSuchFileError and what these two raise.
    """
    program = program_of(words)
    addresses = on_loopback({job: count for job, count in jobs.items() if count and job != EVALUATOR}, first_port)
    tasks = [*tasks_of(addresses), *(Task(EVALUATOR, index) for index in range(jobs.get(EVALUATOR, 0)))]
    told = tell(program, addresses, tasks, via)
    words_told = [word for each in told for word in (*each.arguments, *each.environment.values())]
    if not any(address in word for listed in addresses.values() for address in listed for word in words_told):
        addresses = {}
    found = [Launch(each.task, [*starter, *program.entry, *each.arguments], each.environment) for each in told]
    return found, addresses
