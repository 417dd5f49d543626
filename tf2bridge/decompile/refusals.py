"""Errors of `decompile`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tf2bridge.errors import BridgeError


class UnwritableOpError(BridgeError):
    """An operation has no form as source code."""

    def __init__(self, node: str, op: str, why: str) -> None:
        super().__init__(
            f"{node}: the operation {op} cannot be written as source code ({why}); name outputs that do not need it, "
            "with --outputs"
        )


class OutputNotEmptyError(BridgeError):
    """The directory for the package holds something already."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path}: it exists and is not empty; name a new directory with --output")


class PackageNameError(BridgeError):
    """The last part of the path is no name that Python imports."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path}: {path.name!r} is no name that Python can import; use letters, digits and underscores"
        )


class NoOutputsError(BridgeError):
    """Nothing would be computed."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(f"{path}: the graph has no outputs; name some with --outputs")


class ExampleError(BridgeError):
    """The graph cannot be run on its example inputs, which are made up if none are given."""

    def __init__(self, path: Path | str, why: str, specs: str) -> None:
        super().__init__(
            f"{path}: the graph fails on the example inputs ({why}), so that nothing could be compared; give examples "
            f"of {specs} with --examples FILE.npz, by the names of the inputs"
        )


class UnknownExampleError(BridgeError):
    """An example is for no input of the graph."""

    def __init__(self, name: str, inputs: Iterable[str]) -> None:
        super().__init__(f"example {name!r}: the graph has no such input; its inputs are {', '.join(inputs) or 'none'}")


class UnequalPackageError(BridgeError):
    """The package that was written does not run, or computes something else: an error of tf2bridge."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(f"what was written does not compute what the graph computes ({why}): an error of tf2bridge")


class UncheckedPackageError(BridgeError):
    """The package that was written could not be compared with the old graph. It is not kept."""

    def __init__(self, why: str, remedy: str) -> None:
        super().__init__(f"what was written could not be compared with the graph: {why}; {remedy}. Nothing is written")


class TrainOpError(BridgeError):
    """No training step can be made of the graph, or it is not clear which of its operations trains."""

    def __init__(self, path: Path | str, why: str, candidates: Iterable[str] = ()) -> None:
        known = ", ".join(candidates)
        advice = f"name one of {known} with --train-op" if known else "leave out --train, or name one with --train-op"
        super().__init__(f"{path}: no training step can be written ({why}); {advice}")


class GradientCutError(BridgeError):
    """The gradients that a train op takes are not those of a loss that `tf.gradients` made."""

    def __init__(self, path: Path | str, train_op: str, why: str) -> None:
        super().__init__(
            f"{path}: the train op {train_op} cannot be written as a training step ({why}); leave out --train, or name "
            "another train op with --train-op"
        )
