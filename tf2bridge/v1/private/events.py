"""Readers of event files, `tensorflow.python.summary` of 0.12. They are TensorBoard's readers, which grew from them."""

# ruff: noqa: N802  # the names are TensorFlow's
from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tf2bridge.behaviour.installed import supplier, tensorflow

_EVENTS = "tensorboard.backend.event_processing"
_accumulator: Any = supplier(f"{_EVENTS}.event_accumulator")
_loader: Any = supplier(f"{_EVENTS}.event_file_loader")
_multiplexer: Any = supplier(f"{_EVENTS}.event_multiplexer")

COMPRESSED_HISTOGRAMS = "compressedHistograms"


def _of_tensorflow(kind: str, message: Any) -> Any:
    """Converts a message of TensorBoard's class to TensorFlow's class."""
    return getattr(tensorflow().compat.v1, kind).FromString(message.SerializeToString())


class EventFileLoader(_loader.LegacyEventFileLoader):  # type: ignore[misc]  # TensorBoard has no types
    """The events of a file."""

    def Load(self) -> Iterator[Any]:
        """Yields each event of the file."""
        for event in super().Load():
            yield _of_tensorflow("Event", event)


class EventAccumulator(_accumulator.EventAccumulator):  # type: ignore[misc]  # TensorBoard has no types
    """The values of event files by tag."""

    def Tags(self) -> dict[str, Any]:
        """Returns the tags of each kind, as in 0.12: without tensors, and with its key for compressed histograms."""
        tags: dict[str, Any] = super().Tags()
        del tags[_accumulator.TENSORS]
        tags[COMPRESSED_HISTOGRAMS] = tags.pop(_accumulator.COMPRESSED_HISTOGRAMS)
        return tags

    def Graph(self) -> Any:
        """Returns the graph."""
        return _of_tensorflow("GraphDef", super().Graph())

    def MetaGraph(self) -> Any:
        """Returns the meta graph."""
        return _of_tensorflow("MetaGraphDef", super().MetaGraph())

    def RunMetadata(self, tag: str) -> Any:
        """Returns the RunMetadata that a session wrote for the run with this tag."""
        return _of_tensorflow("RunMetadata", super().RunMetadata(tag))


class EventMultiplexer(_multiplexer.EventMultiplexer):  # type: ignore[misc]  # TensorBoard has no types
    """The values of several runs."""

    def _GetAccumulator(self, run: str) -> Any:
        return self.GetAccumulator(run)


def ListRecursively(top: str) -> Iterator[tuple[str, list[str]]]:
    """Yields each folder below `top` with the paths of its files."""
    for folder, _, names in os.walk(top):
        yield folder, [str(Path(folder, name)) for name in names]
