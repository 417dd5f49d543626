"""Errors of training sessions. Each is also the TensorFlow error that a legacy program catches."""

from __future__ import annotations

from collections.abc import Sequence

import tensorflow as tf

from codemods.printable import visible
from tf2bridge.errors import BridgeError, some

_NAMED = 5
"""How many variables a message lists."""

# Programs and their tests look for TensorFlow's own words in some of these errors, so the messages end with the words.


def _say(error: BridgeError, message: str) -> None:
    """Sets the message of an error that is also TensorFlow's.

    The error has no operation, whose stack trace would follow the text. The cause of the error has the operation.
    """
    super(BridgeError, error).__init__(None, None, visible(message))


class NoGraphError(BridgeError, RuntimeError):
    """A training session was asked for without a graph: in eager code."""

    def __init__(self, user: str) -> None:
        super().__init__(
            f"{user} runs a graph, and this is eager code outside any graph: build the model and make the {user} "
            f"within `with tf.Graph().as_default():`, or call tf2bridge.v1.enable() when the program starts"
        )


class CheckpointOfAnotherGraphError(BridgeError, tf.errors.NotFoundError):  # type: ignore[misc]  # TensorFlow is untyped
    """A checkpoint lacks variables of the graph that is restored from it."""

    def __init__(self, path: str, missing: Sequence[str], unused: Sequence[str]) -> None:
        more = f", and has {some(unused, _NAMED)}, which this graph lacks" if unused else ""
        text = (
            f"{path} is a checkpoint of another graph: it lacks {some(missing, _NAMED)}{more}. Give this program "
            f"another directory, or map the values: tf2bridge plan {path} --into GRAPH.meta. In TensorFlow's words: "
            "a Variable name or other graph key that is missing from the checkpoint. "
            f"Key {missing[0]} not found in checkpoint"
        )
        _say(self, text)


class CheckpointOfOtherShapesError(BridgeError, tf.errors.InvalidArgumentError):  # type: ignore[misc]  # TensorFlow is untyped
    """A checkpoint has variables of the graph with other shapes or types."""

    def __init__(self, path: str, differing: Sequence[str]) -> None:
        text = (
            f"{path} is a checkpoint of another graph: {some(differing, _NAMED)}. Give this program another directory, "
            "or the sizes that the checkpoint was made with. In TensorFlow's words: Restoring from checkpoint failed, "
            "a mismatch between the current graph and the graph from the checkpoint. Assign requires shapes of both "
            "tensors to match."
        )
        _say(self, text)


class CheckpointNotSavedError(BridgeError, tf.errors.ResourceExhaustedError):  # type: ignore[misc]  # TensorFlow is untyped
    """A checkpoint could not be written: the disk is full, or the file is larger than the system allows."""

    def __init__(self, path: str, why: str, last: str | None) -> None:
        earlier = f"the last whole checkpoint is {last}" if last else "there is no earlier checkpoint beside it"
        text = (
            f"{path}: the checkpoint could not be written ({why}); {earlier}. Make room, then start the program again"
        )
        _say(self, text)


class LogDirectoryError(BridgeError, tf.errors.FailedPreconditionError):  # type: ignore[misc]  # TensorFlow is untyped
    """The directory for checkpoints and summaries cannot be written."""

    def __init__(self, path: str, why: str) -> None:
        text = (
            f"{path}: this program cannot write its checkpoints and summaries to this directory ({why}); name another"
        )
        _say(self, text)
