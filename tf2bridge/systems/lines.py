"""A connection between a process and its parent, over which both send bytes.

If processes can inherit descriptors, the connection is a pair of sockets. On Windows they cannot: there the new process
connects to a port of this machine, and sends a secret word that only it was given.
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
"""Letters of the secret word by which a process identifies itself."""


class Line:
    """The parent's end of the connection.

    Attributes:
        told: What the other process is given, as JSON; it calls `taken_up` with it.
        options: Arguments of the `subprocess.Popen` that starts the other process.
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
        """Closes the other process's end here. Call it after the start, also after one that failed."""
        if CAN_INHERIT:
            self._theirs.close()

    def received(self, is_alive: Callable[[], bool]) -> Iterator[bytes]:
        """Yields the received bytes, until the other process closes its end, or this end is closed.

        Args:
            is_alive: Whether the other process runs. If it has not connected yet, the wait ends with it.
        """
        with contextlib.suppress(OSError):
            while self._own is None:
                if self._is_closed or not is_alive():
                    return
                self._accept()
            while data := self._own.recv(1 << 12):
                yield data

    def send(self, data: bytes) -> None:
        """Sends bytes; does nothing if the other process has ended."""
        with contextlib.suppress(OSError):
            if self._own is not None:
                self._own.send(data)

    def shutdown(self) -> None:
        """Ends the connection for the other process and for the thread in `received`."""
        self._is_closed = True
        with contextlib.suppress(OSError):
            if self._own is not None:
                self._own.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Ends the connection and releases its sockets."""
        self.shutdown()
        self._theirs.close()
        if self._own is not None:
            self._own.close()

    def _accept(self) -> None:
        """Waits a moment for the process to connect, and rejects others that do not know the word."""
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


def taken_up(address: dict[str, Any]) -> socket.socket:
    """Returns the child's end of the connection. Processes that the child starts do not inherit it.

    Raises:
        OSError: The parent has closed its end.
    """
    if "descriptor" in address:
        line = socket.socket(fileno=address["descriptor"])
        line.set_inheritable(False)
        return line
    line = socket.create_connection((_LOOPBACK, address["port"]))
    line.sendall(address["word"].encode())
    return line
