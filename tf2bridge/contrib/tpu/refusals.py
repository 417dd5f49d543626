"""Errors of programs that ask for TPUs."""

from __future__ import annotations

from typing import Any

from tf2bridge.errors import BridgeError


class TpuUnavailableError(BridgeError, RuntimeError):
    """A program asked for a TPU by its name."""

    def __init__(self, name: Any) -> None:
        super().__init__(
            f"TPUClusterResolver({name!r}): TPUs are not looked up in Google Cloud; leave the name empty to run on "
            "the CPU or GPU (TPUEstimator needs no resolver then), or give an address that starts with grpc://"
        )
