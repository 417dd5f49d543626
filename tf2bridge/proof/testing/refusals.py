"""Errors of tests that prove something, one class each."""

from __future__ import annotations

from pathlib import Path

from tf2bridge.errors import BridgeError


class NotEquivalentError(AssertionError):
    """Old and new do not compute the same; the message is the table, the first divergence and the tolerance needed."""


class NotRunnableError(BridgeError):
    """One of the two sides cannot be called."""

    def __init__(self, side: str, kind: str) -> None:
        super().__init__(
            f"{side} is {kind}, which cannot be called: give a function, a GraphModule (tf2bridge.wrap(build, "
            "inputs)), a Keras model or the path of a graph; or leave `inputs` out to compare stored values"
        )


class NothingStoredError(BridgeError):
    """There is nothing stored to compare a test with."""

    def __init__(self, path: Path, made_by: str) -> None:
        super().__init__(
            f"{path}: nothing is stored to compare with; {made_by}, or run pytest --tf2bridge-update to store what is "
            "computed here"
        )


class GenuineKeptError(BridgeError):
    """Values that genuine TensorFlow 1.x wrote would be overwritten."""

    def __init__(self, path: Path, release: str) -> None:
        super().__init__(
            f"{path} was written by TensorFlow {release}, whose numbers are the reference: it is kept; "
            "--tf2bridge-update=force replaces it"
        )


class NoCallsError(BridgeError):
    """A test that is to be traced runs no session."""

    def __init__(self, test: str) -> None:
        super().__init__(f"{test} asks for `trace`, but ran no session: there is nothing to record")


class ModeInForceError(BridgeError):
    """The process is switched to another release than a test asks for."""

    def __init__(self, asked: str, in_force: str) -> None:
        super().__init__(
            f"the test asks for api={asked!r}, but tf2bridge.v1.enable(api={in_force!r}) is in force in this process: "
            "ask for the same, or run the two in processes of their own"
        )


class DamagedValuesError(BridgeError):
    """A file of stored values cannot be read."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: not readable as stored values ({why}); restore it, or store it anew")
