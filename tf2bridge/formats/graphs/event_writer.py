"""Writes a graph as `tf.summary.FileWriter` does; TensorBoard shows it under "Graphs".

A record is its length, the masked crc32c of these eight bytes, its content, and the masked crc32c of that
(tensorflow/core/lib/io/record_writer.h; the mask is that of core/lib/hash/crc32c.h).
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import google_crc32c

from tf2bridge.formats.messages import own

_MASK = 0xA282EAD8
_VERSION = "brain.Event:2"


def write_log(graph_def: Any, folder: Path) -> Path:
    """Writes an event file with the graph into a folder, which is made if it does not exist; returns the file."""
    now = time.time()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"events.out.tfevents.{int(now)}.tf2bridge"
    events = [own("Event")(wall_time=now, file_version=_VERSION)]
    events.append(own("Event")(wall_time=now, graph_def=graph_def.SerializeToString()))
    path.unlink(missing_ok=True)
    with path.open("xb") as file:  # "x" does not follow a link of that name
        file.write(b"".join(_record(event.SerializeToString()) for event in events))
    return path


def masked_crc(content: bytes) -> bytes:
    """Returns the checksum of a part of a record as the file stores it."""
    crc: int = google_crc32c.value(content)
    return (((crc >> 15 | crc << 17) + _MASK) & 0xFFFFFFFF).to_bytes(4, "little")


def _record(content: bytes) -> bytes:
    length = len(content).to_bytes(8, "little")
    return length + masked_crc(length) + content + masked_crc(content)
