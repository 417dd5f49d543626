"""Reads the graph in an event file, which `tf.summary.FileWriter` writes for TensorBoard."""

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
)  # bytes of the length, of the length and its checksum, and of the checksum after a record (TFRecord)


def graph_bytes(path: Path, content: bytes) -> bytes:
    """Returns the last GraphDef in the events. Raises NoGraphError, DamagedGraphError.

    Every record has checksums. A program that was stopped leaves a truncated last record; it is ignored if the graph
    comes before it.
    """
    graph: bytes = b""
    record: bytes | None = b""
    for record in records(path, content):
        if record is None:
            break
        try:
            event = own("Event").FromString(record)
        except DecodeError as error:
            raise DamagedGraphError(path, "an event cannot be read") from error
        graph = event.graph_def or graph
    if not graph and record is None:
        raise DamagedGraphError(path, "it is cut off before the graph")
    if not graph:
        raise NoGraphError(path)
    return graph


def records(path: Path, content: bytes) -> Iterator[bytes | None]:
    """Yields the content of each record, and None for a truncated last record. Raises DamagedGraphError."""
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
