"""Errors of making a graph live."""

from __future__ import annotations

from collections.abc import Iterable

from tf2bridge.errors import BridgeError


class NotEagerError(BridgeError):
    """A live graph was asked for where TensorFlow does not run eagerly."""

    def __init__(self) -> None:
        super().__init__(
            "wrap needs eager execution, which is off here: call it outside tf.function and tf.Graph, in a process "
            "without tf2bridge.v1.enable() or disable_v2_behavior()"
        )


class UnsupportedOpsError(BridgeError):
    """A graph holds ops that cannot be made live; the message lists all of them."""

    def __init__(self, found: Iterable[str]) -> None:
        super().__init__(
            f"the graph cannot be made live, because of: {'; '.join(sorted(found))}. Leave these ops out of what "
            "build_fn returns and of what initializes its variables"
        )


class UnfedPlaceholderError(BridgeError):
    """An output depends on placeholders that are no inputs."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(
            f"the outputs depend on placeholders that nothing feeds: {', '.join(sorted(names))}; take them from the "
            "arguments of build_fn and name them in `inputs`"
        )


class BuildResultError(BridgeError):
    """build_fn returned something that is no tensor of its graph."""

    def __init__(self, found: object) -> None:
        super().__init__(
            f"build_fn returned {found!r}, which is no tensor of the graph it was called in; return a tensor, or a "
            "tuple, list or dict of tensors"
        )


class InputMismatchError(BridgeError, TypeError):
    """A call of a live graph does not fit its inputs."""

    def __init__(self, names: Iterable[str], why: str) -> None:
        super().__init__(f"{why}; the inputs are {', '.join(names) or 'none'}, by place or by name")
