"""Traces that were altered, and all that can be read of a trace."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tf2bridge.proof.recording.encoding import check_of
from tf2bridge.proof.traces.reader import Trace

LEGACY = Path(__file__).parents[4] / "fixtures/legacy"
GENUINE = LEGACY / "mnist_towers/genuine/mnist_towers.trace"


def rewritten(path: Path, change: Callable[[str, bytes], bytes | None]) -> Path:
    """A copy of the genuine trace with every member passed through `change`; None leaves it out."""
    with zipfile.ZipFile(GENUINE) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            data = change(name, old.read(name))
            if data is not None:
                new.writestr(name, data)
    return path


def edited(path: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """A copy of the genuine trace with its manifest changed, and sealed again."""

    def edit(name: str, data: bytes) -> bytes:
        if name != "manifest.json":
            return data
        manifest = json.loads(data)
        change(manifest)
        return sealed(manifest)

    return rewritten(path, edit)


def sealed(manifest: dict[str, Any]) -> bytes:
    """The text of a manifest, with its checksum."""
    rows = {key: row for key, row in manifest.items() if key != "sha256"}
    body = json.dumps(rows, indent=1).removesuffix("\n}").encode()
    return body + b',\n "sha256": "' + hashlib.sha256(body).hexdigest().encode() + b'"\n}\n'


def unpacked(trace: Path, folder: Path) -> Path:
    """The folder from which the recorder would have made a finished trace."""
    from tf2bridge.proof.recording.folding import HEADER, JOURNAL, MEMBERS, line_of

    folder.mkdir()
    manifest, lines, members = dict(Trace(trace).manifest), io.BytesIO(), io.BytesIO()

    def event(kind: str, fields: dict[str, Any]) -> None:
        lines.write(line_of(json.dumps({"event": kind, **fields})))

    event("header", {key: manifest[key] for key in HEADER})
    for row in manifest.get("random", ()):
        event("random", row)
    with zipfile.ZipFile(trace) as archive:
        for row in manifest["members"]:
            data = archive.read(row["name"])
            event(
                "member", dict([("name", row["name"]), ("bytes", len(data)), check_of([data])], offset=members.tell())
            )
            members.write(data)
    if "printed" in manifest:
        event("printed", manifest["printed"])
    for row in manifest["values"]:
        event("value", row)
    for graph, row in enumerate(manifest["graphs"]):
        event("graph", {"graph": graph, **{key: row[key] for key in row if key != "variables"}})
        for number, variable in enumerate(row["variables"]):
            event("variable", {"graph": graph, "variable": number, **variable})
    for row in manifest["calls"]:
        event("call", row)
    event("end", manifest["exit"])
    (folder / JOURNAL).write_bytes(lines.getvalue())
    (folder / MEMBERS).write_bytes(members.getvalue())
    return folder


def everything(path: Path) -> list[object]:
    """All that can be read of a trace, in a form that can be compared."""
    trace = Trace(path)
    try:
        values = [trace.value(ref) for ref in range(len(trace.manifest["values"]))]
        graphs = [(trace.graph_def(n), trace.lines(n)) for n in range(len(trace.graphs))]
        manifest = {key: row for key, row in trace.manifest.items() if key not in ("sha256", "members")}
        return [manifest, trace.graphs, trace.calls, graphs, [(v.dtype, v.shape, v.tolist()) for v in values]]
    finally:
        trace.close()
