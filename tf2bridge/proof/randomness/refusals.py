"""Errors of controlled random numbers."""

from __future__ import annotations

from collections.abc import Sequence

from tf2bridge.errors import BridgeError


class NestedControlError(BridgeError):
    """A block of controlled_random is active already."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"controlled_random is active already, entered at {where}: a process can have one block at a time, in one "
            "thread; leave that block first"
        )


class DrawInThreadError(BridgeError):
    """A random op ran in another thread than the one that entered controlled_random."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where}: a random op ran in another thread than the one that entered controlled_random, so the order of "
            'draws is not fixed: feed the random values, or use by="name"'
        )


class DrawInLoopError(BridgeError):
    """A random op is inside a loop of a graph."""

    def __init__(self, name: str, where: str) -> None:
        super().__init__(
            f"{where}: {name} is inside tf.while_loop of a graph for sessions, where every iteration would draw the "
            "same values; draw the values of all iterations before the loop, or write the loop in a tf.function"
        )


class UncontrolledDrawError(BridgeError):
    """A session runs random ops that are not controlled."""

    def __init__(self, ops: Sequence[str]) -> None:
        more = f" and {len(ops) - 3} more" if len(ops) > 3 else ""
        super().__init__(
            f"the session would run {', '.join(ops[:3])}{more}, which controlled_random does not control: build the "
            "graph within its block, or permit the types of these ops with allow_ops=[...]"
        )


class UncontrolledCallError(BridgeError):
    """A call of TensorFlow or Keras draws in a way that cannot be controlled."""

    def __init__(self, call: str, instead: str) -> None:
        super().__init__(f"{call} cannot be controlled by controlled_random: {instead}")


class DrawsDifferError(BridgeError):
    """The draws of two programs do not match."""

    def __init__(self, place: str, old: str, new: str, hint: str) -> None:
        super().__init__(f"the draws differ at {place}: {old}, but {new}; {hint}")
