"""The tasks of a cluster and the addresses where they listen."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass

from tf2bridge.systems import IS_WINDOWS
from tf2bridge.train.clusters.refusals import PortInUseError

LOOPBACK = "127.0.0.1"
KEEPS_PORTS = not IS_WINDOWS
"""Whether the launcher can reserve a port for a server. On Windows, two sockets at a port take each other's calls."""
PS, WORKER, CHIEF, MASTER, EVALUATOR = "ps", "worker", "chief", "master", "evaluator"

Addresses = dict[str, list[str]]
"""Job -> host:port of each task, by index: the argument of ClusterSpec."""


@dataclass(frozen=True)
class Task:
    """One process of a cluster, printed as "worker 1"."""

    job: str
    index: int

    def __str__(self) -> str:
        return f"{self.job} {self.index}"


def on_loopback(counts: Mapping[str, int], first_port: int | None = None) -> Addresses:
    """Returns an address on this machine for each task.

    Args:
        counts: Job -> number of its tasks.
        first_port: The first port; the others follow it. Without it, the system gives free ports.

    Raises:
        PortInUseError: Another process uses a port.
    """
    ports = iter(range(first_port, first_port + sum(counts.values()))) if first_port else None
    addresses: Addresses = {}
    with contextlib.ExitStack() as stack:
        for job, count in counts.items():
            addresses[job] = []
            for index in range(count):
                wanted = f"{LOOPBACK}:{next(ports) if ports else 0}"
                taken = stack.enter_context(reserved(str(Task(job, index)), wanted, LOOPBACK))
                addresses[job].append(f"{LOOPBACK}:{taken.getsockname()[1]}")
    return addresses


def tasks_of(addresses: Addresses) -> list[Task]:
    """Returns all tasks, in the order of their jobs."""
    return [Task(job, index) for job, listed in addresses.items() for index in range(len(listed))]


def reserved(task: str, address: str, interface: str = "") -> socket.socket:
    """Reserves the port of a task until the returned socket is closed.

    The system then gives the port to no process that asks for any free port. A server that asks for this port gets it,
    because it may reuse addresses (gRPC and Python's servers do). On Windows the server gets it only after the socket
    is closed.

    Args:
        task: The name of the task, for the error.
        address: host:port.
        interface: The interface to check; every interface by default.

    Raises:
        PortInUseError: A process listens there.
    """
    reservation = socket.socket()
    try:
        if KEEPS_PORTS:
            reservation.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reservation.bind((interface, int(address.rpartition(":")[2])))
    except (OSError, OverflowError) as error:
        reservation.close()
        why = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
        raise PortInUseError(task, address, why) from error
    return reservation


def is_listening(address: str, seconds: float = 1.0) -> bool:
    """Returns whether host:port accepts a connection within `seconds`."""
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=seconds):
            return True
    except (OSError, OverflowError, ValueError):
        return False
