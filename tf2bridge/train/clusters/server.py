"""`tf.train.Server` with checks: it reports what is wrong with a cluster, where gRPC would wait or only write a log."""

from __future__ import annotations

import ipaddress
import socket
import sys
import threading
import time
from collections.abc import Iterable
from typing import Any

import tensorflow as tf

from codemods.printable import printable
from tf2bridge.errors import BridgeError
from tf2bridge.internals.training import server_lib
from tf2bridge.train.clusters import link
from tf2bridge.train.clusters.loopback import OPEN, is_loopback, made_on_loopback
from tf2bridge.train.clusters.refusals import (
    AddressError,
    PortInUseError,
    TaskIndexError,
    UnknownJobError,
    UnresolvedHostError,
)
from tf2bridge.train.clusters.tasks import Addresses, Task, is_listening, reserved, tasks_of

_POLL = 0.2
_GRPC = "grpc"
_ABSENT: Any = object()

_RAISED = {
    PortInUseError: tf.errors.UnknownError,
    AddressError: tf.errors.InvalidArgumentError,
    TaskIndexError: tf.errors.InvalidArgumentError,
    UnknownJobError: tf.errors.InternalError,
}
"""Error -> the class that TensorFlow raises for the same reason (measured on 1.15.5). Programs catch that class and try
another port."""


class Server(tf.compat.v1.train.Server):  # type: ignore[misc]  # TensorFlow has no types
    """TensorFlow's own server. A server of a cluster of this machine cannot be reached from other machines.

    Raises:
        UnknownJobError, TaskIndexError, AddressError, UnresolvedHostError, PortInUseError: The cluster's definition is
            wrong here. All but UnresolvedHostError also have the class that TensorFlow raises for it.
    """

    def __init__(
        self,
        server_or_cluster_def: Any,
        job_name: str | None = None,
        task_index: int | None = None,
        protocol: str | None = None,
        config: Any = None,
        start: bool = True,
    ) -> None:
        if isinstance(server_or_cluster_def, dict):  # _make_server_def would hide the errors of a dict
            server_or_cluster_def = tf.compat.v1.train.ClusterSpec(server_or_cluster_def)
        definition = server_lib._make_server_def(server_or_cluster_def, job_name, task_index, protocol, config)
        try:
            self._peers = _checked(definition)
        except BridgeError as error:
            raise _as_raised(error) from error.__cause__
        own = self._peers[definition.job_name][definition.task_index]

        def make() -> None:
            super(Server, self).__init__(server_or_cluster_def, job_name, task_index, protocol, config, start=False)

        if not all(is_loopback(address) for listed in self._peers.values() for address in listed if address):
            make()
            _say_open(definition, "as the cluster is not of this machine alone")
        elif not made_on_loopback(make, int(own.rpartition(":")[2])):
            _say_open(definition, "as this system cannot keep it on loopback")
        if start:
            self.start()

    @staticmethod
    def create_local_server(config: Any = None, start: bool = True) -> Server:
        """Returns a server of a cluster of its own.

        Its job is "local", as in 1.x; TensorFlow 2.21 calls the job "localhost".
        """
        return Server({"local": ["localhost:0"]}, protocol=_GRPC, config=config, start=start)

    def start(self) -> None:
        """Starts the server, and lets the launcher know whether the other tasks come up."""
        super().start()
        definition = self.server_def
        link.tell(link.SERVING, job=definition.job_name, task=definition.task_index)
        seconds = link.timeout()
        if seconds is not None:
            own = Task(definition.job_name, definition.task_index)
            absent = {task: self._peers[task.job][task.index] for task in tasks_of(self._peers) if task != own}
            threading.Thread(target=_tell_missing, args=(absent, seconds), daemon=True).start()

    def join(self) -> None:
        """Blocks for ever, as a parameter server does."""
        link.tell(link.JOINED)
        super().join()


def _say_open(definition: Any, why: str) -> None:
    """Prints on standard error who can reach a server."""
    task = Task(definition.job_name, definition.task_index)
    notice = f"the server of {task} listens on every address of this machine, {why}; {OPEN}"
    print(f"tf2bridge: {printable(notice)}", file=sys.stderr)


def started_server(
    cluster: Any, *, job_name: str, task_index: int, config: Any = _ABSENT, protocol: Any = _ABSENT
) -> Any:
    """Returns a started server, of Server or of the class with which a program replaced TensorFlow's.

    Args:
        cluster: A ClusterSpec, a ClusterDef, or job -> addresses.
        job_name: The job of the task.
        task_index: The number of the task in its job.
        config: The ConfigProto of the server. If it is absent, the class gets no such argument.
        protocol: The protocol, such as "grpc". If it is absent, the class gets no such argument.
    """
    optional = {"config": config, "protocol": protocol}
    options = {name: value for name, value in optional.items() if value is not _ABSENT}
    own = server_lib.Server
    make = Server if own is tf.compat.v1.train.Server else own
    server = make(cluster, job_name=job_name, task_index=task_index, start=False, **options)
    server.start()
    return server


def _as_raised(error: BridgeError) -> BridgeError:
    """Returns the error as one that also has the class that TensorFlow raises for it, so that programs catch it."""
    own = type(error)
    if own not in _RAISED:
        return error
    kind = _RAISED[own]
    made = type(own.__name__, (own, kind), {"__init__": kind.__init__, "__module__": own.__module__})
    raised: BridgeError = made(None, None, str(error))
    return raised


def _checked(definition: Any) -> Addresses:
    """Returns the addresses of the cluster: job -> addresses by index. Raises the errors of `Server`."""
    tasks = {job.name: dict(job.tasks) for job in definition.cluster.job}
    job, index = definition.job_name, definition.task_index
    if job not in tasks:
        raise UnknownJobError(job, sorted(tasks))
    if index not in tasks[job]:
        raise TaskIndexError(job, index, sorted(tasks[job].items()))
    for name, listed in tasks.items():
        for number, address in listed.items():
            _check_address(Task(name, number), address)
    own = tasks[job][index]
    if (definition.protocol or _GRPC) == _GRPC and not own.endswith(":0"):  # port 0 means any free port
        reserved(str(Task(job, index)), own).close()
    return {
        name: [listed.get(number, "") for number in range(max(listed, default=-1) + 1)]
        for name, listed in tasks.items()
    }


def _check_address(task: Task, address: str) -> None:
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535 or "/" in host:
        raise AddressError(str(task), address)
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        try:
            socket.getaddrinfo(host, int(port))
        except (OSError, UnicodeError) as error:
            raise UnresolvedHostError(str(task), address, str(getattr(error, "strerror", None) or error)) from error


def _tell_missing(absent: dict[Task, str], seconds: float) -> None:
    """Reports the tasks without a server after `seconds` to the launcher.

    Sessions wait for all servers without a limit.
    """
    until = time.monotonic() + seconds
    while absent and time.monotonic() < until:
        absent = _absent(absent.items())
        time.sleep(_POLL)
    if absent:
        link.tell(link.MISSING, tasks=[[str(task), address] for task, address in absent.items()])


def _absent(tasks: Iterable[tuple[Task, str]]) -> dict[Task, str]:
    return {task: address for task, address in tasks if address and not is_listening(address)}
