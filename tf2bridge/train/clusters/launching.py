"""Turns a program and numbers of tasks into the commands that start the tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tf2bridge.train.clusters.cluster import Launch
from tf2bridge.train.clusters.program import program_of
from tf2bridge.train.clusters.tasks import EVALUATOR, Addresses, Task, on_loopback, tasks_of
from tf2bridge.train.clusters.telling import AUTO, tell


def launches(
    words: Sequence[str],
    jobs: Mapping[str, int],
    starter: Sequence[str],
    via: str = AUTO,
    first_port: int | None = None,
) -> tuple[list[Launch], Addresses]:
    """Returns how each task of a program is started, and where each task listens.

    Args:
        words: The program, as `program_of` takes it.
        jobs: Job -> number of tasks. An evaluator has no address.
        starter: The words before the program in each command: that of `tf2bridge cluster`, or the interpreter of a
            genuine release.
        via: How the program is told its task; see `tell`.
        first_port: The first port; see `on_loopback`.

    Returns:
        The launches, and the addresses. The addresses are empty if the program gets no hosts on its command line or in
        its environment: it then has hosts of its own, which are unknown here.

    Raises:
        NoSuchFileError: There is no such program; also what `tell` and `on_loopback` raise.
    """
    program = program_of(words)
    addresses = on_loopback({job: count for job, count in jobs.items() if count and job != EVALUATOR}, first_port)
    tasks = [*tasks_of(addresses), *(Task(EVALUATOR, index) for index in range(jobs.get(EVALUATOR, 0)))]
    starts = tell(program, addresses, tasks, via)
    words_told = [word for start in starts for word in (*start.arguments, *start.environment.values())]
    if not any(address in word for listed in addresses.values() for address in listed for word in words_told):
        addresses = {}
    started = [Launch(start.task, [*starter, *program.entry, *start.arguments], start.environment) for start in starts]
    return started, addresses
