"""Errors of training sessions; each is also the error of TensorFlow that a program of its time would catch."""

from __future__ import annotations

from collections.abc import Sequence

import tensorflow as tf

from codemods.printable import visible
from tf2bridge.errors import BridgeError, some

_NAMED = 5
"""How many variables a message lists."""

# Programs and their tests look for TensorFlow's own words in some of these, so the messages end with them.


def _say(error: BridgeError, message: str) -> None:
    """Makes one that is TensorFlow's too. It has no operation, whose trace would follow the text: the cause has it."""
    super(BridgeError, error).__init__(None, None, visible(message))


class NoGraphError(BridgeError, RuntimeError):
    """A training session was asked for where there is no graph: in an eager process, outside one."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} runs a graph, and this is eager code outside of any: build the model and make the {what} within "
            f"`with tf.Graph().as_default():`, or call tf2bridge.v1.enable() when the program starts"
        )


class CheckpointOfAnotherGraphError(BridgeError, tf.errors.NotFoundError):  # type: ignore[misc]  # TensorFlow is untyped
    """A checkpoint lacks variables of the graph that is to be restored from it."""

    def __init__(self, path: str, missing: Sequence[str], unused: Sequence[str]) -> None:
        more = f", and has {some(unused, _NAMED)}, which this graph has not" if unused else ""
        text = (
            f"{path} is a checkpoint of another graph: it lacks {some(missing, _NAMED)}{more}. Give this program "
            f"another directory, or map the values: tf2bridge plan {path} --into GRAPH.meta. In TensorFlow's words: "
            "a Variable name or other graph key that is missing from the checkpoint. "
            f"Key {missing[0]} not found in checkpoint"
        )
        _say(self, text)


class CheckpointOfOtherShapesError(BridgeError, tf.errors.InvalidArgumentError):  # type: ignore[misc]  # TensorFlow is untyped
    """A checkpoint has variables of the graph in other shapes or types."""

    def __init__(self, path: str, differing: Sequence[str]) -> None:
        text = (
            f"{path} is a checkpoint of another graph: {some(differing, _NAMED)}. Give this program another directory, "
            "or the sizes that the checkpoint was made with. In TensorFlow's words: Restoring from checkpoint failed, "
            "a mismatch between the current graph and the graph from the checkpoint. Assign requires shapes of both "
            "tensors to match."
        )
        _say(self, text)


class CheckpointNotSavedError(BridgeError, tf.errors.ResourceExhaustedError):  # type: ignore[misc]  # TensorFlow is untyped
    """A checkpoint could not be written: no room, or a file larger than the system allows."""

    def __init__(self, path: str, why: str, last: str | None) -> None:
        whole = f"the last whole checkpoint is {last}" if last else "there is no earlier checkpoint beside it"
        text = f"{path}: the checkpoint could not be written ({why}); {whole}. Make room, then start the program again"
        _say(self, text)


class LogDirectoryError(BridgeError, tf.errors.FailedPreconditionError):  # type: ignore[misc]  # TensorFlow is untyped
    """The directory for checkpoints and summaries cannot be written."""

    def __init__(self, path: str, why: str) -> None:
        text = (
            f"{path}: no directory that this program can write its checkpoints and summaries to ({why}); name another"
        )
        _say(self, text)
