"""The graph in an event file, as `tf.summary.FileWriter` put it there for TensorBoard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from google.protobuf.message import DecodeError

from tf2bridge.formats.graphs.event_writer import masked_crc
from tf2bridge.formats.graphs.refusals import DamagedGraphError, NoGraphError
from tf2bridge.formats.messages import own

_LENGTH, _HEADER, _FOOTER = (
    8,
    12,
    4,
)  # length and its checksum before a record, the record's checksum behind it (TFRecord)


def graph_bytes(path: Path, content: bytes) -> bytes:
    """Returns the last GraphDef in the events. Raises NoGraphError, DamagedGraphError.

    Every record has checksums. A last one that is cut off, as a program leaves it that was stopped, is passed over
    where the graph stands before it.
    """
    found: bytes = b""
    record: bytes | None = b""
    for record in _records(path, content):
        if record is None:
            break
        try:
            event = own("Event").FromString(record)
        except DecodeError as error:
            raise DamagedGraphError(path, "an event cannot be read") from error
        found = event.graph_def or found
    if not found and record is None:
        raise DamagedGraphError(path, "it is cut off before the graph")
    if not found:
        raise NoGraphError(path)
    return found


def _records(path: Path, content: bytes) -> Iterator[bytes | None]:
    """The content of each record, None for a last one that is cut off."""
    start = 0
    while start < len(content):
        length = int.from_bytes(content[start : start + 8], "little")
        end = start + _HEADER + length
        record, crc = content[start + _HEADER : end], content[end : end + _FOOTER]
        header = content[start : start + _LENGTH]
        if len(content) >= start + _HEADER and masked_crc(header) != content[start + _LENGTH : start + _HEADER]:
            raise DamagedGraphError(path, f"the record at byte {start} has a length that its checksum denies")
        if end + _FOOTER > len(content):
            yield None
            return
        if masked_crc(record) != crc:
            raise DamagedGraphError(path, f"the record at byte {start} is not what its checksum says")
        yield record
        start = end + _FOOTER
