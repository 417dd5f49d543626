"""Recognizes the format of graphs, checkpoints and similar files by the beginning of their content."""

from __future__ import annotations

import mmap
import os
import re
from enum import Enum
from pathlib import Path

from tf2bridge.regular_files import opened

Content = bytes | mmap.mmap


class Kind(Enum):
    """The format of a graph file."""

    GRAPH = "GraphDef"
    METAGRAPH = "MetaGraphDef"
    SAVED_MODEL = "SavedModel"
    HUB = "TF-Hub module (hub.Module format)"
    EVENTS = "event file"


_TEXT = re.compile(rb"\s*(#[^\n]*\n\s*)*(\w+)\s*[:{]")
_FIRST_FIELDS = {
    Kind.SAVED_MODEL: (b"saved_model_schema_version", b"meta_graphs"),
    Kind.METAGRAPH: (b"meta_info_def", b"graph_def", b"saver_def", b"collection_def", b"signature_def"),
    Kind.GRAPH: (b"node", b"versions", b"version", b"library"),
}
_NODE = re.compile(rb"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*")
_OPERATION = re.compile(rb"[A-Za-z0-9_.>]+")
_LONGEST_NAME = 4096
_LONGEST_PREAMBLE = 1 << 20
"""The most bytes of comments before the first field of a text; the regular expression keeps them all in memory."""

TABLE_MAGIC = 0xDB4775248B80FB57.to_bytes(8, "little")
"""The last bytes of a leveldb table: a V1 checkpoint, or the index of a V2 one (core/lib/io/format.h)."""
HDF5_MAGIC = b"\x89HDF\r\n\x1a\n"
GIT_LFS = b"version https://git-lfs"
_OTHERS = {
    HDF5_MAGIC: "an HDF5 file, as Keras writes them: Keras loads it",
    b"PK\x03\x04": "a zip archive: unpack it first, or let Keras load it if it is a .keras file",
    b"\x1f\x8b": "compressed with gzip: unpack it first",
    b"\x89PNG": "a PNG image",
    b"\x93NUMPY": "a NumPy array",
    b"\x80\x02": "a pickle of Python",
    b"\x80\x03": "a pickle of Python",
    b"\x80\x04": "a pickle of Python",
    GIT_LFS: "the pointer that Git LFS leaves: fetch the file itself with `git lfs pull`",
}
"""Beginning of a file -> its format."""


def kind_of(content: Content) -> Kind | None:
    """Returns the format of a graph's content, or None if it is not a graph."""
    if field := first_field(content):
        return next(kind for kind, names in _FIRST_FIELDS.items() if field in names)
    if content[:1] == b"\x08":  # field 1 as a number: the schema version
        return Kind.SAVED_MODEL
    if _is_record(content):
        return Kind.EVENTS
    if content[:1] == b"\x12":  # field 2: the graph of a metagraph that says no facts, or a metagraph, as hub wrote it
        _, start = _varint(content, 1)
        return Kind.METAGRAPH if _is_first_node(content, start) else Kind.SAVED_MODEL
    # Both others begin with field 1: a node, or the facts about a metagraph (meta_graph.proto).
    if content[:1] != b"\x0a":
        return None
    length, start = _varint(content, 1)
    if _is_node(content, start):
        return Kind.GRAPH
    return Kind.METAGRAPH if content[start + length : start + length + 1] == b"\x12" else None


def is_table(path: Path) -> bool:
    """Returns whether a file is a leveldb table: a V1 checkpoint, or the index of a V2 checkpoint."""
    with opened(path) as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - len(TABLE_MAGIC)))
        return file.read(len(TABLE_MAGIC)) == TABLE_MAGIC


def other_kind(content: Content) -> str:
    """Returns what a content is that is not a graph, and what to do with it, as text for people; "" if unknown."""
    if content[-len(TABLE_MAGIC) :] == TABLE_MAGIC:
        return "a checkpoint or the index of one: name it without .index, with its .meta beside it"
    if content[4:8] == b"TFL3":
        return "a TFLite model: tf.lite.Interpreter loads it"
    return next((text for magic, text in _OTHERS.items() if content[: len(magic)] == magic), "")


def first_field(content: Content) -> bytes:
    """Returns the field name at the beginning of a text, or b"" if this is not a text of one of the three kinds."""
    text = _TEXT.match(content, 0, _LONGEST_PREAMBLE)
    return text[2] if text and any(text[2] in names for names in _FIRST_FIELDS.values()) else b""


def _is_record(content: Content) -> bool:
    """Returns whether the content is a TFRecord: it begins with a length (eight bytes) that a first record can have."""
    length = int.from_bytes(content[:8], "little")
    return 0 < length <= len(content) - 16 and b"brain.Event" in content[: min(length, _LONGEST_NAME) + 12]


def _is_node(content: Content, at: int) -> bool:
    """Returns whether a NodeDef begins at a byte: its name in field 1, then its operation in field 2."""
    name, at = _text(content, at, b"\x0a")
    op, _ = _text(content, at, b"\x12")
    return _NODE.fullmatch(name) is not None and _OPERATION.fullmatch(op) is not None


def _is_first_node(content: Content, at: int) -> bool:
    """Returns whether a GraphDef that starts with a node begins at a byte."""
    return content[at : at + 1] == b"\x0a" and _is_node(content, _varint(content, at + 1)[1])


def _text(content: Content, at: int, tag: bytes) -> tuple[bytes, int]:
    if content[at : at + 1] != tag:
        return b"", at
    length, start = _varint(content, at + 1)
    return (content[start : start + length], start + length) if length <= _LONGEST_NAME else (b"", at)


def _varint(content: Content, at: int) -> tuple[int, int]:
    """Returns the number that begins at a byte, and the place of its end, or 0 if there is no number."""
    number = 0
    for place, byte in enumerate(content[at : at + 10]):
        number |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            return number, at + place + 1
    return 0, at
