"""Notices the summaries and checkpoints that a native program writes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tf2bridge.formats.graphs.event_reader import records
from tf2bridge.formats.graphs.refusals import DamagedGraphError
from tf2bridge.patching import put
from tf2bridge.proof.numbers.summaries import numbers_of
from tf2bridge.regular_files import content_of

_LARGEST = 1 << 28
_EDGES = 3
"""Columns of a histogram: left edge, right edge, count (tensorboard/plugins/histogram/summary_v2.py)."""

_SIZES = 2
"""An image is stored as its width, its height, and a PNG for each of its pictures (tensorboard/plugins/image)."""
_COLOURS, _CHANNELS = 25, {0: 1.0, 2: 3.0, 4: 2.0, 6: 4.0}
"""The place of the kind of colours in a PNG, and how many channels each kind has (ISO/IEC 15948)."""


class WrittenFiles:
    """The files of one program.

    Attributes:
        checkpoints: The names of the checkpoints in the order of writing.
    """

    def __init__(self) -> None:
        self.checkpoints: list[str] = []
        self._is_saving = False
        self._writers: list[tuple[Any, Path, set[str]]] = []

    def install(self) -> None:
        """Hooks the writers of summaries and of checkpoints."""
        import tensorflow as tf

        put(tf.summary, "create_file_writer", self._noticed(tf.summary.create_file_writer))
        for kind, names in ((tf.train.Checkpoint, ("save", "write")), (tf.train.CheckpointManager, ("save",))):
            for name in names:
                put(kind, name, self._saving(getattr(kind, name)))

    def summaries(self, store: Callable[[np.ndarray[Any, Any]], int]) -> dict[str, list[int]]:
        """Returns tag -> the values that were written, as `store` numbers them: a number, or least, largest, count."""
        import tensorflow as tf

        files: set[Path] = set()  # several writers may have the same folder
        for writer, folder, before in self._writers:
            writer.flush()
            files |= {path for path in folder.glob("events.out.tfevents.*") if path.name not in before}
        events = [event for path in sorted(files) for event in _events(path)]
        values: dict[str, list[int]] = {}
        for event in sorted(events, key=lambda event: event.wall_time):  # several writers may have the same tag
            for value in event.summary.value:
                if value.HasField("tensor"):
                    values.setdefault(value.tag, []).append(store(_statistics(tf.make_ndarray(value.tensor))))
            old = numbers_of(event.summary.SerializeToString(), True) or {}  # such as a recorded graph makes
            for tag, numbers in old.items():
                values.setdefault(tag, []).append(store(numbers))
        return values

    def _noticed(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def create_file_writer(logdir: Any, *args: Any, **options: Any) -> Any:
            folder = Path(str(logdir))
            before = {path.name for path in folder.glob("events.out.tfevents.*")}
            writer = original(logdir, *args, **options)
            self._writers.append((writer, folder.resolve(), before))
            return writer

        return create_file_writer

    def _saving(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def save(this: Any, *args: Any, **options: Any) -> Any:
            is_outermost, self._is_saving = not self._is_saving, True
            try:
                path = original(this, *args, **options)
            finally:
                self._is_saving = not is_outermost
            if is_outermost and path is not None:
                self.checkpoints.append(Path(str(path)).name)
            return path

        return save


def _events(path: Path) -> list[Any]:
    import tensorflow as tf

    events: list[Any] = []
    try:
        for record in records(path, content_of(path, _LARGEST)):
            if record is not None:
                events.append(tf.compat.v1.Event.FromString(record))
    except DamagedGraphError:
        return events
    return events


def _statistics(value: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Returns the numbers of a scalar or a histogram, or the height, width and number of channels of an image."""
    if value.dtype.kind in "OS" and value.ndim == 1 and len(value) > _SIZES and value[_SIZES][:4] == b"\x89PNG":
        return np.array([float(value[1]), float(value[0]), _CHANNELS[value[_SIZES][_COLOURS]]])
    if value.ndim != 2 or value.shape[1] != _EDGES or not len(value):
        return value.reshape(-1) if value.dtype.kind == "f" else np.zeros(0)
    return np.array([value[0, 0], value[-1, 1], value[:, 2].sum()])
