"""Errors of starting clusters."""

from __future__ import annotations

from collections.abc import Sequence

from tf2bridge.errors import BridgeError


class PortInUseError(BridgeError):
    """Another process uses the address of a task."""

    def __init__(self, task: str, address: str, why: str) -> None:
        super().__init__(
            f"{task} cannot listen at {address}: {why}; end what uses the port (`ss -ltnp` names it), or give the task "
            "another one"
        )


class UntoldProgramError(BridgeError):
    """The text of the program does not show how the program learns its task."""

    def __init__(self, program: str, missing: Sequence[tuple[str, Sequence[str]]], known: Sequence[str]) -> None:
        looked = "; ".join(f"no flag for {meaning} (--{', --'.join(names)})" for meaning, names in missing)
        example = " ".join(known or ("--job={job}", "--index={task}"))
        super().__init__(
            f"{program}: cannot tell how the program learns its place in the cluster: {looked}; and nothing reads "
            "TF_CONFIG. Write {job}, {task}, {ps_hosts} and {worker_hosts} where the program takes them, as in "
            f"`-- {program} {example} --ps={{ps_hosts}} --workers={{worker_hosts}}` (without what it does not take) or "
            f"`-- TASK={{task}} {program}`, or give `--via tf-config`"
        )


class UnknownPlaceholderError(BridgeError):
    """An argument of the program holds a placeholder in braces that does not exist."""

    def __init__(self, argument: str, name: str, known: Sequence[str]) -> None:
        super().__init__(
            f"{argument}: there is no {{{name}}}; use {', '.join(f'{{{placeholder}}}' for placeholder in known)}"
        )


class ChiefWantedError(BridgeError):
    """The cluster of an Estimator has no chief."""

    def __init__(self, program: str, name: str) -> None:
        super().__init__(
            f"{program} uses {name}, which takes a cluster from TF_CONFIG only with a chief in it: add --chief "
            "(--master, as contrib.learn and Cloud ML called it), which is one process more than the workers"
        )


class UnknownJobError(BridgeError, ValueError):
    """A task names a job that is not in the cluster."""

    def __init__(self, job: str, jobs: Sequence[str]) -> None:
        super().__init__(
            f"the cluster has no job {job!r}; its jobs are {', '.join(map(repr, jobs)) or 'none'}: give the task one "
            "of these (--job_name in most programs), or put the job into the ClusterSpec"
        )


class TaskIndexError(BridgeError, ValueError):
    """A task has an index that is not in its job."""

    def __init__(self, job: str, index: int, tasks: Sequence[tuple[int, str]]) -> None:
        listed = ", ".join(f"{number} at {address}" for number, address in tasks) or "none"
        super().__init__(
            f"job {job!r} has no task {index}; its tasks are {listed}: give one of these indices (--task_index in most "
            f"programs), or add a host to {job!r}"
        )


class AddressError(BridgeError, ValueError):
    """An address of a ClusterSpec is not host:port."""

    def __init__(self, task: str, address: str) -> None:
        super().__init__(
            f"{task} has the address {address!r}, which is not host:port: write it as in '127.0.0.1:2222', with commas "
            "between the hosts of a job and without grpc://"
        )


class UnresolvedHostError(BridgeError, ValueError):
    """A host of a ClusterSpec cannot be resolved here."""

    def __init__(self, task: str, address: str, why: str) -> None:
        super().__init__(
            f"the host of {task}, {address}, does not resolve ({why}), and every session would wait for it: correct "
            "the name, or start this task once the name is known"
        )
