"""Errors of reading an input pipeline that queue runners filled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tf2bridge.errors import BridgeError


class PipelineError(BridgeError):
    """A graph's input is not one that a tf.data pipeline can give; the message lists all that stands against it."""

    def __init__(self, found: Iterable[str]) -> None:
        super().__init__(
            f"no tf.data pipeline gives the elements of this input, because of: {'; '.join(dict.fromkeys(found))}. "
            "Return tensors that lie before these, or build their part of the input with tf.data"
        )


class UndeterminedOrderError(BridgeError):
    """TensorFlow 1.x itself gives the elements in an order that depends on how its threads run."""

    def __init__(self, found: Iterable[str]) -> None:
        super().__init__(
            "TensorFlow 1.x does not determine the order of this input: "
            f'{"; ".join(dict.fromkeys(found))}. Ask for one of the orders that it can give with order="any", or '
            "build the input with one thread and without a shuffling queue"
        )


class NoTensorsError(BridgeError, TypeError):
    """What was given, or what the function returned, holds no tensors of one graph."""

    def __init__(self, found: Any) -> None:
        super().__init__(
            f"dataset_from_queues takes tensors of a tf.Graph, in any nest, or the function that builds them; it got "
            f"{type(found).__name__}: return from the function what the program gives to session.run"
        )
