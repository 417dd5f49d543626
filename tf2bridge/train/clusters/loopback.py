"""Keeps the servers of a cluster of this machine unreachable for other machines.

TensorFlow's server listens on every address, whatever the cluster's definition says ("0.0.0.0" is hard-coded in its
grpc_server_lib.cc), and authenticates nobody: whoever reaches the port runs graphs, which read and write files. Linux
lets a process bind its own socket to one interface at any time (SO_BINDTODEVICE, for every user since Linux 5.7). In
the moment before, another socket of this process accepts all connections to the port and drops them.
"""

from __future__ import annotations

import contextlib
import ctypes
import ipaddress
import os
import socket
import stat
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

OPEN = "whoever reaches it runs graphs as you do: let a firewall keep others away"
"""The advice of a notice about a server that listens on every address."""
_INTERFACE = b"lo\0"
_REUSE_PORT = "TF_GRPC_REUSE_PORT"
"""The value "1" makes TensorFlow let two sockets of this process share the port (grpc_server_lib.cc)."""
_ATTACH_REUSEPORT_CBPF = 51
"""SO_ATTACH_REUSEPORT_CBPF of asm-generic/socket.h: selects which of the sockets at a port gets a connection."""
_TO_THE_FIRST = struct.pack("HBBI", 0x06, 0, 0, 0)
"""A program of classic BPF (linux/filter.h): return 0, the number of the first socket at the port."""


def is_loopback(address: str) -> bool:
    """Returns whether host:port can be reached from this machine alone."""
    host = address.rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def made_on_loopback(make: Callable[[], None], port: int) -> bool:
    """Calls `make`, which makes a server that listens at a port (0: any), and binds the server to loopback.

    Returns:
        Whether the system could do it.
    """
    with _dropping(port), contextlib.ExitStack() as copies:
        before = {number for number, _ in _listening(port, copies)}
        make()
        made = [server for number, server in _listening(port, copies) if number not in before]
        try:
            for server in made:
                server.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, _INTERFACE)
        except (OSError, AttributeError):  # the system does not permit it, or does not know it
            return False
    return bool(made)


def _listening(port: int, copies: contextlib.ExitStack) -> Iterator[tuple[int, socket.socket]]:
    """Yields the sockets of this process that accept connections at a port (0: any), each with its inode number."""
    for path in Path("/proc/self/fd").glob("*"):
        with contextlib.suppress(OSError):
            facts = path.stat()
            if stat.S_ISSOCK(facts.st_mode):
                listener = copies.enter_context(socket.socket(fileno=os.dup(int(path.name))))
                is_inet = listener.family in (socket.AF_INET, socket.AF_INET6)
                listens = is_inet and listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
                if listens and port in (0, listener.getsockname()[1]):
                    yield facts.st_ino, listener


@contextlib.contextmanager
def _dropping(port: int) -> Iterator[None]:
    """Drops all connections to a port while its server is made.

    Does nothing for port 0, or if the system cannot do it.
    """
    guard = _guard(port) if port else None
    if guard is None:
        yield
        return
    given = os.environ.get(_REUSE_PORT)
    os.environ[_REUSE_PORT] = "1"
    try:
        yield
    finally:
        guard.close()
        os.environ.pop(_REUSE_PORT)
        if given is not None:
            os.environ[_REUSE_PORT] = given


def _guard(port: int) -> socket.socket | None:
    family = socket.AF_INET6 if socket.has_dualstack_ipv6() else socket.AF_INET
    guard = socket.socket(family)
    program = ctypes.create_string_buffer(_TO_THE_FIRST)
    try:
        if family == socket.AF_INET6:
            guard.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        guard.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        guard.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        guard.bind(("", port))
        guard.setsockopt(socket.SOL_SOCKET, _ATTACH_REUSEPORT_CBPF, struct.pack("HL", 1, ctypes.addressof(program)))
        guard.listen()
    except (OSError, AttributeError):
        guard.close()
        return None
    return guard
