"""Errors of comparing two sides."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tf2bridge.errors import BridgeError

_KINDS = (
    "a trace, a checkpoint or the directory of one, an .npz, .npy, .safetensors, .h5 or .keras file, a graph (.pb, "
    ".pbtxt, .meta), a SavedModel or hub directory, or code as package.module:function"
)


class NotComparableError(BridgeError):
    """An argument is nothing that can be compared."""

    def __init__(self, subject: Path | str, why: str) -> None:
        super().__init__(f"{subject}: {why}; give {_KINDS}")


class NothingInCommonError(BridgeError):
    """Two sides have nothing in common that could be compared."""

    def __init__(self, side_a: str, side_b: str, why: str) -> None:
        super().__init__(f"{side_a} and {side_b} cannot be compared: {why}")


class NoSuchTensorError(BridgeError):
    """A pattern of names matches nothing."""

    def __init__(self, pattern: str, known: Iterable[str]) -> None:
        names = list(known)
        shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        super().__init__(f"--tensors {pattern}: no tensor of either side has such a name; there are {shown or 'none'}")


class InputsError(BridgeError):
    """Inputs do not fit what is to be run."""

    def __init__(self, why: str, remedy: str) -> None:
        super().__init__(f"inputs: {why}; {remedy}")


class PlanMisfitError(BridgeError):
    """A plan was made for other sides."""

    def __init__(self, plan: str, why: str, remedy: str) -> None:
        super().__init__(f"{plan}: {why}; {remedy}")
