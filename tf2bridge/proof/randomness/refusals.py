"""What stands in the way of controlled random numbers: one class for each."""

from __future__ import annotations

from collections.abc import Sequence

from tf2bridge.errors import BridgeError


class NestedControlError(BridgeError):
    """Random ops are controlled already."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"controlled_random is in force already, entered at {where}: one block at a time, in one thread of a "
            "process; leave it first"
        )


class DrawInThreadError(BridgeError):
    """A random op was run by another thread than the one that counts."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where}: a random op ran in another thread than the one that entered controlled_random, so its place "
            'in the order is chance: feed what it draws, or use by="name"'
        )


class DrawInLoopError(BridgeError):
    """A random op stands in a loop of a graph."""

    def __init__(self, name: str, where: str) -> None:
        super().__init__(
            f"{where}: {name} is drawn within tf.while_loop of a graph for sessions, where each turn would draw the "
            "same; draw for all turns before the loop, or write the loop in a tf.function"
        )


class UncontrolledDrawError(BridgeError):
    """A session runs random ops that no controlled draw stands for."""

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
    """The draws of two programs do not line up."""

    def __init__(self, place: str, old: str, new: str, hint: str) -> None:
        super().__init__(f"the draws part at {place}: {old}, but {new}; {hint}")
