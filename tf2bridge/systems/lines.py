"""A line between a process and the one that starts it, over which both send bytes.

Where a process can inherit descriptors the line is a pair of sockets. On Windows it cannot: there the new process
connects to a port of this machine, and shows a word that only it was told.
"""

from __future__ import annotations

import contextlib
import hmac
import secrets
import socket
from collections.abc import Callable, Iterator
from typing import Any

from tf2bridge.systems import IS_WINDOWS

CAN_INHERIT = not IS_WINDOWS
_LOOPBACK = "127.0.0.1"
_POLL = 0.1
_WORD = 32
"""Letters of the word by which a process is known."""


class Line:
    """The end of the process that starts another.

    Attributes:
        told: what the other process is told, as JSON has it; `taken_up` takes it.
        options: arguments of the `subprocess.Popen` that starts the other process.
    """

    def __init__(self) -> None:
        self._is_closed = False
        self._own: socket.socket | None = None
        if CAN_INHERIT:
            self._own, self._theirs = socket.socketpair()
            number = self._theirs.fileno()
            self.told: dict[str, Any] = {"descriptor": number}
            self.options: dict[str, Any] = {"pass_fds": [number]}
        else:
            self._theirs = socket.create_server((_LOOPBACK, 0))
            self.told = {"port": self._theirs.getsockname()[1], "word": secrets.token_hex(_WORD // 2)}
            self.options = {}

    def started(self) -> None:
        """Gives up the other process's end, which is its own now; called once it is started, or could not be."""
        if CAN_INHERIT:
            self._theirs.close()

    def received(self, is_alive: Callable[[], bool]) -> Iterator[bytes]:
        """Yields what comes, until the other process closes its end, or this end is closed.

        is_alive: whether the other process runs; where it has to connect first, it is waited for no longer.
        """
        with contextlib.suppress(OSError):
            while self._own is None:
                if self._is_closed or not is_alive():
                    return
                self._accept()
            while data := self._own.recv(1 << 12):
                yield data

    def send(self, data: bytes) -> None:
        """Sends bytes; nothing where the other process is not there."""
        with contextlib.suppress(OSError):
            if self._own is not None:
                self._own.send(data)

    def shutdown(self) -> None:
        """Ends the line: the other process and whoever waits in `received` learn it."""
        self._is_closed = True
        with contextlib.suppress(OSError):
            if self._own is not None:
                self._own.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Ends the line and gives back what it held."""
        self.shutdown()
        self._theirs.close()
        if self._own is not None:
            self._own.close()

    def _accept(self) -> None:
        """Waits a moment for the process to connect; whoever does not know the word is turned away."""
        self._theirs.settimeout(_POLL)
        with contextlib.suppress(TimeoutError):
            made, _ = self._theirs.accept()
            made.settimeout(10 * _POLL)
            shown = b""
            with contextlib.suppress(OSError):
                while len(shown) < _WORD and (part := made.recv(_WORD - len(shown))):
                    shown += part
            if hmac.compare_digest(shown, self.told["word"].encode()):
                made.settimeout(None)
                self._own = made
                self._theirs.close()
            else:
                made.close()


def taken_up(told: dict[str, Any]) -> socket.socket:
    """Returns the end of the process that was started. The processes that it starts do not inherit it.

    Raises OSError where nobody is at the other end any more.
    """
    if "descriptor" in told:
        line = socket.socket(fileno=told["descriptor"])
        line.set_inheritable(False)
        return line
    line = socket.create_connection((_LOOPBACK, told["port"]))
    line.sendall(told["word"].encode())
    return line
