"""The errors of files of all formats."""

from __future__ import annotations

from pathlib import Path

from tf2bridge.errors import BridgeError


class ChecksumError(BridgeError):
    """A file does not match its sidecar."""

    def __init__(self, path: Path | str, why: str, sidecar: Path | str) -> None:
        super().__init__(
            f"{path}: {why} in {sidecar}: the file was changed or damaged after it was written; copy it again from "
            f"where it came from, or remove {sidecar} if the change was meant"
        )


class UnsealableError(BridgeError):
    """A file or directory cannot have a sidecar."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(f"{path}: it cannot be sealed, since {why}; name the files themselves, one by one")


class UnsupportedTypeError(BridgeError):
    """Values have a type that only one of TensorFlow and NumPy has."""

    def __init__(self, type_: str, why: str) -> None:
        super().__init__(f"the type {type_!r} {why}; drop the tensor, or save it as a type of numbers, bool or string")
