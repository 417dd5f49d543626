"""How files are made of parts: a part is altered, and what surrounds it, lengths and checksums, is right again."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass

from tests.tf2bridge.proof.traces.damaging import sealed
from tf2bridge.checkpoint.writing.table_writer import write_table
from tf2bridge.formats.checkpoints.table import Table
from tf2bridge.formats.graphs.event_writer import masked_crc
from tf2bridge.proof.recording.encoding import check_of
from tf2bridge.proof.recording.folding import line_of

Parts = list[tuple[str, bytes]]
"""The parts of a file, each with what it is called."""


@dataclass(frozen=True)
class Layout:
    """A way to take a file apart and to put it together again."""

    split: Callable[[bytes], Parts]
    _join: Callable[[Parts], bytes]

    def join(self, parts: list[bytes] | Parts) -> bytes:
        """The file of these parts."""
        return self._join([part if isinstance(part, tuple) else ("", part) for part in parts])


def _table_parts(content: bytes) -> Parts:
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table")
        path.write_bytes(content)
        table = Table(path)
        parts = [(key.decode("latin-1"), value) for key, value in table.items()]
        table.close()
    return parts


def _table(parts: Parts) -> bytes:
    result = io.BytesIO()
    write_table(result, sorted({name.encode("latin-1"): value for name, value in parts}.items()))
    return result.getvalue()


def _archive_parts(content: bytes) -> Parts:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]


def _archive(parts: Parts) -> bytes:
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w") as archive:
        for place, (name, content) in enumerate(dict(parts).items()):
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED if place % 2 else zipfile.ZIP_STORED)
    return result.getvalue()


def _trace(parts: Parts) -> bytes:
    result = dict(parts)
    try:
        manifest = json.loads(result["manifest.json"])
        for row in manifest["members"]:
            data = result[row["name"]]
            for name in ("crc32", "sum64"):
                row.pop(name, None)
            row.update([("bytes", len(data)), check_of([data])])
        result["manifest.json"] = sealed(manifest)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    return _archive(list(result.items()))


def _record_parts(content: bytes) -> Parts:
    parts, at = [], 0
    while at < len(content):
        length = int.from_bytes(content[at : at + 8], "little")
        parts.append((str(at), content[at + 12 : at + 12 + length]))
        at += length + 16
    return parts


def _records(parts: Parts) -> bytes:
    made = b""
    for _, content in parts:
        length = len(content).to_bytes(8, "little")
        made += length + masked_crc(length) + content + masked_crc(content)
    return made


def _safetensors_parts(content: bytes) -> Parts:
    end = 8 + int.from_bytes(content[:8], "little")
    return [("header.json", content[8:end]), ("data", content[end:])]


def _safetensors(parts: Parts) -> bytes:
    header, data = (content for _, content in parts[:2])
    return len(header).to_bytes(8, "little") + header + data


def _journal_parts(content: bytes) -> Parts:
    return [(f"{number}.json", line.partition(b" ")[2]) for number, line in enumerate(content.splitlines())]


def _journal(parts: Parts) -> bytes:
    return b"".join(line_of(content.decode("latin-1").encode("ascii", "replace").decode()) for _, content in parts)


raw = Layout(lambda content: [("", content)], lambda parts: parts[0][1])
of_json = Layout(lambda content: [("whole.json", content)], lambda parts: parts[0][1])
of_table = Layout(_table_parts, _table)
of_archive = Layout(_archive_parts, _archive)
of_trace = Layout(_archive_parts, _trace)
of_records = Layout(_record_parts, _records)
of_safetensors = Layout(_safetensors_parts, _safetensors)
of_journal = Layout(_journal_parts, _journal)
