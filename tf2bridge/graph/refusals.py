"""The errors of loading, wrapping, calling and exporting graphs."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from tf2bridge.errors import BridgeError, some


class NewerGraphError(BridgeError):
    """A graph says that this TensorFlow is too old for it."""

    def __init__(self, path: Path | str, least: int, own: int, release: str) -> None:
        super().__init__(
            f"{path}: the graph needs a TensorFlow of GraphDef version {least} or later, and not {own}, which is that "
            f"of TensorFlow {release}: install a newer one, or write the graph again with an older one"
        )


class MissingValuesError(BridgeError):
    """Variables of a graph are not in the checkpoint that was to give their values."""

    def __init__(self, checkpoint: Path | str, names: Collection[str], found: Collection[str]) -> None:
        shown = some(sorted(names), 8)
        super().__init__(
            f"{checkpoint}: {len(names)} of the graph's variables are not in it: {shown}; it holds {len(found)} tensors"
            ". Name the checkpoint of this graph, or checkpoint=None for its initial values"
        )


class WrongSliceError(BridgeError):
    """A graph takes a slice of a checkpoint tensor that exceeds the tensor."""

    def __init__(self, name: str, shape: tuple[int, ...], spec: str) -> None:
        super().__init__(
            f"the graph takes the slice {spec!r} of the tensor {name!r}, which is of shape {list(shape)} in the "
            "checkpoint; name the checkpoint of this graph"
        )


class NotEagerError(BridgeError):
    """A live graph was asked for where TensorFlow does not run eagerly."""

    def __init__(self) -> None:
        super().__init__(
            "wrap needs eager execution, which is off here: call it outside tf.function and tf.Graph, in a process "
            "without tf2bridge.v1.enable() or disable_v2_behavior()"
        )


class NoValueError(BridgeError):
    """A graph needs variables that nothing gives a value."""

    def __init__(self, path: Path | str, names: Collection[str]) -> None:
        super().__init__(
            f"{path}: the variables {', '.join(sorted(names)[:8])} have no value: no checkpoint lies beside the graph "
            "and nothing in it initializes them; name one with checkpoint=. (TensorFlow 1.4 did not freeze resource "
            "variables: load the .meta or SavedModel instead.)"
        )


class EndlessError(BridgeError):
    """A computation that a graph runs while it is loaded takes too long."""

    def __init__(self, name: str, seconds: float) -> None:
        super().__init__(
            f"the graph computes {name} when it is loaded, and did not come to an end of it within {seconds:.0f} s: "
            "it may wait or loop for ever. If it initializes variables, name a checkpoint of them with checkpoint="
        )


class UnsupportedOpsError(BridgeError):
    """A graph has operations that cannot run or are not permitted; the message lists all of them.

    Args:
        found: a line for each operation.
        touching: the types of the operations that `allow_ops` can permit.
    """

    def __init__(self, found: Iterable[str], touching: Collection[str] = ()) -> None:
        self.lines = sorted(found)
        permit = f", or permit what you trust with allow_ops={sorted(set(touching))!r}" if touching else ""
        super().__init__(
            f"the graph cannot be made live, because of: {'; '.join(self.lines)}. Leave these ops out of the "
            f"outputs and of what initializes the variables{permit}"
        )


class NotExportableError(BridgeError):
    """A file cannot hold what a module computes with."""

    def __init__(self, found: Iterable[str]) -> None:
        super().__init__(f"it cannot be exported, because of: {'; '.join(sorted(found))}. Choose outputs before these")


class UnfedPlaceholderError(BridgeError):
    """An output depends on placeholders that are not inputs."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(
            f"the outputs depend on placeholders that nothing feeds: {', '.join(sorted(names))}; name them in `inputs` "
            "(wrap: as arguments of build_fn)"
        )


class FunctionGradientError(BridgeError):
    """A tape asks for the gradient of a function that calls a function with its own gradient."""

    def __init__(self, name: str, function: str) -> None:
        super().__init__(
            f"{name} calls the function {function}, which calls one with its own gradient (Defun's grad_func): its "
            "gradient cannot be had here; choose outputs before it, or train with the graph's own train_op"
        )


class InputMismatchError(BridgeError, TypeError):
    """A call of a live graph does not fit its inputs."""

    def __init__(self, names: Iterable[str], why: str) -> None:
        super().__init__(f"{why}; the inputs are {', '.join(names) or 'none'}, by place or by name")


class TableContentError(BridgeError):
    """A lookup table of a graph cannot be filled."""

    def __init__(self, name: str, why: str, remedy: str = "choose outputs that do not need it") -> None:
        super().__init__(f"the table {name} cannot be filled: {why}; {remedy}")


class ShardedVariableError(BridgeError):
    """A strategy would split a variable that the graph does not split."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"the strategy's variable_partitioner splits the variable {name}, and the operations of a TF 1.x graph "
            "read it as a whole: give ParameterServerStrategy no variable_partitioner. What the graph's own "
            "partitioner split is a variable for each part already, and these are spread over the servers"
        )


class BuildResultError(BridgeError):
    """build_fn returned something that is no tensor of its graph, and holds none."""

    def __init__(self, returned: object) -> None:
        super().__init__(
            f"build_fn returned {returned!r}, which is no tensor of the graph it was called in, and holds none in its "
            "attributes; return a tensor, a tuple, list or dict of tensors, or the object that holds them (wrap_class: "
            "name the methods that build in build=)"
        )


class LegacyNameError(BridgeError):
    """Code to be wrapped uses a name that TensorFlow 2 does not have."""

    def __init__(self, module: str, name: str, error: BaseException) -> None:
        trace = error.__traceback__
        while (
            trace is not None
            and trace.tb_next is not None
            and trace.tb_next.tb_frame.f_globals.get("__name__") != module
        ):
            trace = trace.tb_next
        where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}: " if trace is not None else ""
        super().__init__(
            f"{where}TensorFlow 2 has no {module}.{name}: write `from tf2bridge import v1 as tf` where this module "
            "imports tensorflow, or rewrite it with `codemods check --fix`"
        )


class SeveralGraphsError(BridgeError):
    """The result of build_fn holds tensors of several graphs."""

    def __init__(self, count: int) -> None:
        super().__init__(
            f"what build_fn returned holds tensors of {count} graphs that it made itself, and a module is one graph; "
            "wrap what builds each of them on its own"
        )


class InitialValueError(BridgeError):
    """The variables of wrapped code cannot be given their initial values."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"the variables cannot be given their initial values: {reason_of(why)}. Let no initializer need a "
            "placeholder, or run it in a session that the object keeps (`self.sess`), whose values are taken"
        )


def reason_of(message: str) -> str:
    """Returns the line of a TensorFlow error that says what was wrong, without the lines about the graph."""
    around = (" ", "Graph execution error", "Detected at node", "<stack traces", "Node: ")
    return next((line for line in message.splitlines() if line.strip() and not line.startswith(around)), message)
