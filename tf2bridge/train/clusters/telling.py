"""Makes the arguments or the TF_CONFIG by which the program learns its task, for each process."""

from __future__ import annotations

import json
import string
from collections.abc import Sequence
from dataclasses import dataclass

from tf2bridge.train.clusters.flags import LIST, NUMBER, SWITCH, TEXT, Flag, Interface
from tf2bridge.train.clusters.program import Program
from tf2bridge.train.clusters.refusals import ChiefWantedError, UnknownPlaceholderError, UntoldProgramError
from tf2bridge.train.clusters.tasks import CHIEF, MASTER, PS, WORKER, Addresses, Task

AUTO, BY_FLAGS, BY_TF_CONFIG = "auto", "flags", "tf-config"

_SPELLINGS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "job": (("job_name", "job", "task_type", "job_type", "role"), (TEXT,)),
    "task": (("task_index", "task_id", "task", "worker_index", "worker_id", "index"), (NUMBER, TEXT)),
    "ps_hosts": (("ps_hosts", "ps_host", "parameter_servers", "ps_servers", "ps"), (TEXT, LIST)),
    "worker_hosts": (("worker_hosts", "worker_host", "workers", "worker_servers", "worker"), (TEXT, LIST)),
    "num_ps": (("num_ps", "ps_replicas", "num_ps_replicas", "num_parameter_servers"), (NUMBER,)),
    "num_workers": (("num_workers", "worker_replicas", "num_worker_replicas", "total_workers"), (NUMBER,)),
    "is_chief": (("is_chief",), (SWITCH,)),
    "replica": (("replica_id",), (NUMBER,)),
}
"""Role of a flag -> its names in programs of 2016-2018, most common first, and the kinds of value it takes."""

_WANTED = {"job": "the job", "task": "the task"}
"""What every program must be told. A program that takes no hosts names them itself."""


@dataclass(frozen=True)
class Told:
    """The arguments and the environment that one task's process is given."""

    task: Task
    arguments: list[str]
    environment: dict[str, str]


def tell(program: Program, addresses: Addresses, tasks: Sequence[Task], via: str) -> list[Told]:
    """Returns what each of `tasks` is given, so that `program` learns its place in the cluster.

    Placeholders in the program's arguments and environment are filled in.

    Args:
        program: The program.
        addresses: Where each task listens.
        tasks: The tasks.
        via: Used if there are no placeholders: "flags", "tf-config", or "auto", which tries flags before TF_CONFIG.

    Raises:
        UntoldProgramError: The program's text does not show how it learns its task.
        ChiefWantedError: An Estimator's cluster has no chief.
        UnknownPlaceholderError: A placeholder does not exist.
    """
    assigned = [_filled(program.environment, addresses, task) for task in tasks]
    environments = [dict(word.split("=", 1) for word in words) for words in assigned]
    if any(_placeholders(word) for word in (*program.environment, *program.arguments)):
        every = [_filled(program.arguments, addresses, task) for task in tasks]
    else:
        interface = program.interface()
        chosen = _flags_of(interface)
        wanted = {role for role in _WANTED if role != "job" or len({task.job for task in tasks}) > 1}
        missing = [
            (meaning, _SPELLINGS[role][0]) for role, meaning in _WANTED.items() if role in wanted - chosen.keys()
        ]
        if via == BY_TF_CONFIG or (via == AUTO and missing and interface.reads_tf_config):
            if interface.estimator and not {CHIEF, MASTER} & addresses.keys():
                raise ChiefWantedError(program.shown, interface.estimator)
            every = [list(program.arguments)] * len(tasks)
            for environment, task in zip(environments, tasks, strict=True):
                environment["TF_CONFIG"] = _tf_config(addresses, task)
        elif missing:
            known = [f"--{chosen[role].name}={{{role}}}" for role in ("job", "task") if role in chosen]
            raise UntoldProgramError(program.shown, missing, known)
        else:
            every = [_with_flags(program.arguments, chosen, addresses, task) for task in tasks]
    return [Told(*fields) for fields in zip(tasks, every, environments, strict=True)]


def _flags_of(interface: Interface) -> dict[str, Flag]:
    chosen = {}
    for role, (names, kinds) in _SPELLINGS.items():
        defined = [
            interface.flags[name] for name in names if name in interface.flags and interface.flags[name].takes in kinds
        ]
        if defined:
            chosen[role] = defined[0]
    return chosen


def _with_flags(arguments: Sequence[str], chosen: dict[str, Flag], addresses: Addresses, task: Task) -> list[str]:
    """Returns the flags and the arguments. Flags come first: later words may belong to the program.

    A flag of the user stays.
    """
    words: list[str] = []
    values = _values(addresses, task)
    for role, flag in chosen.items():
        by_hand = any(word.lstrip("-").partition("=")[0] == flag.name for word in arguments if word.startswith("-"))
        if by_hand:
            continue
        if flag.takes == LIST:
            words += [f"--{flag.name}", *values[role].split(",")]
        elif not flag.bare:
            words.append(f"--{flag.name}={values[role]}")
        elif values[role] == "True":
            words.append(f"--{flag.name}")
    return [*words, *arguments]


def _values(addresses: Addresses, task: Task) -> dict[str, str]:
    hosts = {job: ",".join(addresses.get(job, ())) for job in (PS, WORKER)}
    return {
        "job": task.job,
        "task": str(task.index),
        "ps_hosts": hosts[PS],
        "worker_hosts": hosts[WORKER],
        "num_ps": str(len(addresses.get(PS, ()))),
        "num_workers": str(len(addresses.get(WORKER, ()))),
        "is_chief": str(task == Task(WORKER, 0)),
        "replica": str(task.index),
        "address": addresses[task.job][task.index] if task.job in addresses else "",
        "tf_config": _tf_config(addresses, task),
    }


def _tf_config(addresses: Addresses, task: Task) -> str:
    """Returns TF_CONFIG, with the "environment" that contrib.learn needs to start a server; other readers ignore it."""
    config = {"cluster": addresses, "task": {"type": task.job, "index": task.index}, "environment": "cloud"}
    return json.dumps(config)


def _placeholders(argument: str) -> list[str]:
    """Returns the names in braces; none for text that is not a format string, such as JSON."""
    try:
        parts = [name for _, name, _, _ in string.Formatter().parse(argument) if name is not None]
    except ValueError:
        return []
    return [name for name in parts if name.isidentifier()]


def _filled(arguments: Sequence[str], addresses: Addresses, task: Task) -> list[str]:
    values = _values(addresses, task)
    words = []
    for argument in arguments:
        for name in _placeholders(argument):
            if name not in values:
                raise UnknownPlaceholderError(argument, name, sorted(values))
            argument = argument.replace(f"{{{name}}}", values[name])  # noqa: PLW2901  # one after the other
        words.append(argument)
    return words
