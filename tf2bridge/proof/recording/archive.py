"""Packs the folder of a recording into the zip of a trace."""

import hashlib
import json
import os
import zipfile
import zlib

from tf2bridge.proof.recording.encoding import check_of
from tf2bridge.proof.recording.folding import JOURNAL, MEMBERS, events_of, fold

TYPE_CHECKING = False
if TYPE_CHECKING:  # never true: Python 2.7 has no typing
    from typing import Any

_WORTH_PACKING = 300  # bytes; zlib makes little of an npy header and a few numbers


def pack(folder, output):
    # type: (str, str) -> None
    """Writes the trace from a folder. The file gets its name when it is complete; the folder stays."""
    with open(os.path.join(folder, JOURNAL), "rb") as journal:
        manifest, offsets = fold(events_of(journal))
    part = os.path.join(folder, "trace.zip")
    with zipfile.ZipFile(part, "w", allowZip64=True) as archive, open(os.path.join(folder, MEMBERS), "rb") as members:
        for row in manifest["members"]:
            members.seek(offsets[row["name"]])
            data = members.read(row["bytes"])
            _seal(row, data)
            _add(archive, row["name"], data)
        _add(archive, "manifest.json", manifest_text(manifest))
    getattr(os, "replace", os.rename)(part, output)


def _seal(row, data):
    # type: (dict[str, Any], bytes) -> None
    """Replaces the checksum of a member by the CRC-32 that a trace needs.

    Raises EnvironmentError if the bytes do not match.
    """
    name, check = check_of([data])
    if row.pop(name, None) != check:
        raise EnvironmentError("the member %s does not read as it was written" % row["name"])
    row["crc32"] = zlib.crc32(data) & 0xFFFFFFFF


def manifest_text(manifest):
    # type: (dict[str, Any]) -> bytes
    """Returns a manifest as JSON, a line for each row, its digest last."""
    texts = []
    for key, rows in manifest.items():
        if isinstance(rows, list) and rows:
            texts.append('"%s": [\n  %s\n ]' % (key, ",\n  ".join(json.dumps(row) for row in rows)))
        else:
            texts.append('"%s": %s' % (key, json.dumps(rows)))
    body = ("{\n " + ",\n ".join(texts)).encode("ascii")
    return body + (',\n "sha256": "%s"\n}\n' % hashlib.sha256(body).hexdigest()).encode("ascii")


def _add(archive, name, data):
    # type: (zipfile.ZipFile, str, bytes) -> None
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.external_attr = 0o644 << 16
    info.compress_type = zipfile.ZIP_DEFLATED if len(data) > _WORTH_PACKING else zipfile.ZIP_STORED
    archive.writestr(info, data)
