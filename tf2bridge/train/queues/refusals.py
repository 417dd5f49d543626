"""Errors of turning an input that queue runners fill into a tf.data pipeline."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tf2bridge.errors import BridgeError


class PipelineError(BridgeError):
    """A tf.data pipeline cannot give a graph's input; the message lists all reasons."""

    def __init__(self, problems: Iterable[str]) -> None:
        super().__init__(
            f"no tf.data pipeline gives the elements of this input, because of: {'; '.join(dict.fromkeys(problems))}. "
            "Return tensors that lie before these, or build their part of the input with tf.data"
        )


class UndeterminedOrderError(BridgeError):
    """TensorFlow 1.x itself gives the elements in an order that depends on its threads."""

    def __init__(self, reasons: Iterable[str]) -> None:
        super().__init__(
            "TensorFlow 1.x does not determine the order of this input: "
            f'{"; ".join(dict.fromkeys(reasons))}. Give order="any" for one of the orders that it can have, or '
            "build the input with one thread and without a shuffling queue"
        )


class NoTensorsError(BridgeError, TypeError):
    """The argument, or the result of the function, holds no tensors of one graph."""

    def __init__(self, given: Any) -> None:
        super().__init__(
            f"dataset_from_queues takes tensors of a tf.Graph, in any nest, or the function that builds them; it got "
            f"{type(given).__name__}: return from the function what the program gives to session.run"
        )
