"""The graph in an event file, as `tf.summary.FileWriter` put it there for TensorBoard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from google.protobuf.message import DecodeError

from tf2bridge.graph.messages import own
from tf2bridge.graph.refusals import DamagedGraphError, NoGraphError

_HEADER, _FOOTER = 12, 4  # length and its checksum before a record, the record's checksum behind it (TFRecord)


def graph_bytes(path: Path, content: bytes) -> bytes:
    """Returns the last GraphDef in the events. Raises NoGraphError, DamagedGraphError."""
    found = b""
    for record in _records(path, content):
        try:
            event = own("Event").FromString(record)
        except DecodeError as error:
            raise DamagedGraphError(path, "an event cannot be read") from error
        found = event.graph_def or found
    if not found:
        raise NoGraphError(path)
    return found


def _records(path: Path, content: bytes) -> Iterator[bytes]:
    start = 0
    while start < len(content):
        length = int.from_bytes(content[start : start + 8], "little")
        end = start + _HEADER + length
        if end + _FOOTER > len(content):
            raise DamagedGraphError(path, f"the record at byte {start} is cut off")
        yield content[start + _HEADER : end]
        start = end + _FOOTER
