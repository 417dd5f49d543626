"""Errors of migrating a tree."""

from __future__ import annotations

from pathlib import Path

from tf2bridge.errors import BridgeError


class ConfigurationError(BridgeError):
    """A tf2bridge.toml has an error."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(f"{path}: {why}")


class NoTensorFlowCodeError(BridgeError):
    """A tree to migrate contains no TensorFlow program."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(f"{path}: no Python file here uses TensorFlow; name the directory of the legacy program")
