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
"""Whether a port can be kept for a server that uses it: on Windows, two sockets at a port take each other's calls."""
PS, WORKER, CHIEF, MASTER, EVALUATOR = "ps", "worker", "chief", "master", "evaluator"

Addresses = dict[str, list[str]]
"""Job name -> host:port of each task, by index: what ClusterSpec takes."""


@dataclass(frozen=True)
class Task:
    """One process of a cluster; printed as "worker 1"."""

    job: str
    index: int

    def __str__(self) -> str:
        return f"{self.job} {self.index}"


def on_loopback(counts: Mapping[str, int], first_port: int | None = None) -> Addresses:
    """Returns an address on this machine for each of `counts` tasks (job -> how many).

    The ports are free ones, or those that follow `first_port`. Raises PortInUseError.
    """
    ports = iter(range(first_port, first_port + sum(counts.values()))) if first_port else None
    addresses: Addresses = {}
    with contextlib.ExitStack() as held:
        for job, count in counts.items():
            addresses[job] = []
            for index in range(count):
                wanted = f"{LOOPBACK}:{next(ports) if ports else 0}"
                taken = held.enter_context(reserved(str(Task(job, index)), wanted, LOOPBACK))
                addresses[job].append(f"{LOOPBACK}:{taken.getsockname()[1]}")
    return addresses


def tasks_of(addresses: Addresses) -> list[Task]:
    """All tasks, in the order of their jobs."""
    return [Task(job, index) for job, listed in addresses.items() for index in range(len(listed))]


def reserved(task: str, address: str, interface: str = "") -> socket.socket:
    """Keeps the port where the task is to listen, until the socket that is returned is closed.

    The system gives the port to nobody who asks for any free one, while a server that asks for this one gets it, as it
    may use addresses again (gRPC does, and Python's servers); on Windows, that server gets it only once the socket is
    closed. Raises PortInUseError if something listens there, on any
    interface unless one is named.
    """
    held = socket.socket()
    try:
        if KEEPS_PORTS:
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind((interface, int(address.rpartition(":")[2])))
    except (OSError, OverflowError) as error:
        held.close()
        why = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
        raise PortInUseError(task, address, why) from error
    return held


def is_listening(address: str, seconds: float = 1.0) -> bool:
    """Whether a connection to host:port is accepted."""
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=seconds):
            return True
    except (OSError, OverflowError, ValueError):
        return False
