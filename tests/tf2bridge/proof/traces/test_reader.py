"""Reading a trace, whole and damaged.  The trace is one that genuine TensorFlow 0.12.1 left."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tf2bridge.errors import DamagedTraceError, NoSuchFileError
from tf2bridge.proof.traces.reader import Trace

GENUINE = Path(__file__).parents[4] / "fixtures/legacy/mnist_towers/genuine/mnist_towers.trace"


def rewritten(path: Path, change: Callable[[str, bytes], bytes | None]) -> Path:
    """A copy of the genuine trace with every member passed through `change`; None leaves it out."""
    with zipfile.ZipFile(GENUINE) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            data = change(name, old.read(name))
            if data is not None:
                new.writestr(name, data)
    return path


def check_refused(path: Path, why: str) -> None:
    with pytest.raises(DamagedTraceError, match=why) as caught:
        Trace(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_genuine_trace_says_who_wrote_it_and_holds_its_calls() -> None:
    trace = Trace(GENUINE)
    assert trace.release == "0.12.1"
    assert trace.stopped is None
    assert trace.program_calls
    first = trace.graphs[0].variables[0]
    assert first.initial is not None
    assert trace.value(first.initial).dtype == np.dtype(first.dtype.removesuffix("_ref"))


def test_every_value_can_be_read() -> None:
    trace = Trace(GENUINE)
    rows = trace.manifest["values"]
    assert [list(trace.value(ref).shape) for ref in range(len(rows))] == [row["shape"] for row in rows]


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(NoSuchFileError, match="no such trace"):
        Trace(tmp_path / "none.trace")


def test_a_file_that_is_no_zip(tmp_path: Path) -> None:
    path = tmp_path / "t.trace"
    path.write_bytes(b"not a zip")
    check_refused(path, "not a zip")


def test_a_truncated_file(tmp_path: Path) -> None:
    path = tmp_path / "t.trace"
    path.write_bytes(GENUINE.read_bytes()[:-1000])
    check_refused(path, "not a readable trace")


@pytest.mark.parametrize("part", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_flipped_byte_in_a_member(tmp_path: Path, part: float) -> None:
    path = Path(shutil.copy(GENUINE, tmp_path / "t.trace"))
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(GENUINE) as archive:
        members = [info for info in archive.infolist() if info.compress_size > 200]
    member = members[int(part * len(members))]
    data[member.header_offset + 30 + len(member.filename) + member.compress_size // 2] ^= 0xFF
    path.write_bytes(bytes(data))
    check_refused(path, "not a readable trace")


def test_an_edited_manifest(tmp_path: Path) -> None:
    def edit(name: str, data: bytes) -> bytes:
        return data.replace(b'"0.12.1"', b'"0.12.9"') if name == "manifest.json" else data

    check_refused(rewritten(tmp_path / "t.trace", edit), "sha256")


def test_a_trace_without_one_of_its_members(tmp_path: Path) -> None:
    with zipfile.ZipFile(GENUINE) as archive:
        gone = next(name for name in archive.namelist() if name.startswith("arrays/"))
    path = rewritten(tmp_path / "t.trace", lambda name, data: None if name == gone else data)
    check_refused(path, gone)


def test_a_trace_of_a_later_version(tmp_path: Path) -> None:
    import hashlib

    def later(name: str, data: bytes) -> bytes:
        if name != "manifest.json":
            return data
        manifest = json.loads(data)
        del manifest["sha256"]
        body = json.dumps({**manifest, "version": 99}, indent=1).removesuffix("\n}").encode()
        return body + b',\n "sha256": "' + hashlib.sha256(body).hexdigest().encode() + b'"\n}\n'

    check_refused(rewritten(tmp_path / "t.trace", later), "version 99")


def test_an_array_is_never_unpickled(tmp_path: Path) -> None:
    import io

    with zipfile.ZipFile(GENUINE) as archive:
        target = next(name for name in archive.namelist() if name.startswith("arrays/"))
    pickled = io.BytesIO()
    np.save(pickled, np.asarray([{"a": 1}], dtype=object), allow_pickle=True)
    path = rewritten(tmp_path / "t.trace", lambda name, data: pickled.getvalue() if name == target else data)
    trace = Trace(path)
    refs = [ref for ref, row in enumerate(trace.manifest["values"]) if row.get("member") == target]
    with pytest.raises(DamagedTraceError, match="allow_pickle"):
        trace.value(refs[0])
