"""Reading a trace.  The trace is one that genuine TensorFlow 0.12.1 left."""

from __future__ import annotations

import io
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.tf2bridge.proof.traces.damaging import GENUINE, edited, everything, rewritten, unpacked
from tf2bridge.errors import NoSuchFileError
from tf2bridge.proof.recording.folding import JOURNAL, line_of
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.refusals import DamagedTraceError


def check_refused(path: Path, why: str) -> None:
    with pytest.raises(DamagedTraceError, match=why) as caught:
        Trace(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_genuine_trace_says_who_wrote_it_and_holds_its_calls() -> None:
    trace = Trace(GENUINE)
    assert (trace.release, trace.ended, trace.stopped) == ("0.12.1", True, None)
    assert [call.position for call in trace.program_calls] == list(range(len(trace.program_calls)))
    first = trace.graphs[0].variables[0]
    assert first.initial is not None
    assert trace.value(first.initial).dtype == np.dtype(first.dtype.removesuffix("_ref"))


def test_every_value_can_be_read() -> None:
    trace = Trace(GENUINE)
    rows = trace.manifest["values"]
    assert [list(trace.value(ref).shape) for ref in range(len(rows))] == [row["shape"] for row in rows]


def test_an_op_s_line_is_where_the_program_made_it() -> None:
    trace = Trace(GENUINE)
    file, _, number = trace.lines()["tower_0/local2/MatMul"].rpartition(":")
    source = (GENUINE.parents[1] / file).read_text("utf-8").splitlines()
    assert "tf.matmul(" in source[int(number) - 1]


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(NoSuchFileError, match="no such trace"):
        Trace(tmp_path / "none.trace")


def test_a_file_that_is_no_zip(tmp_path: Path) -> None:
    path = tmp_path / "t.trace"
    path.write_bytes(b"not a zip")
    check_refused(path, "not a zip")


def test_a_folder_that_is_no_trace(tmp_path: Path) -> None:
    check_refused(tmp_path, "journal.jsonl")


def test_an_edited_manifest(tmp_path: Path) -> None:
    def edit(name: str, data: bytes) -> bytes:
        return data.replace(b'"0.12.1"', b'"0.12.9"') if name == "manifest.json" else data

    check_refused(rewritten(tmp_path / "t.trace", edit), "sha256")


def test_a_trace_without_one_of_its_members(tmp_path: Path) -> None:
    path = rewritten(tmp_path / "t.trace", lambda name, data: None if name == "arrays/00003.npy" else data)
    check_refused(path, "lacks 1 of its members, arrays/00003.npy first")


@pytest.mark.parametrize(
    ("row", "field", "content", "why"),
    [
        ((), "version", 99, "version 99"),
        ((), "format", "other", "format is 'other'"),
        ((), "more", 1, "has more, which this reader does not know"),
        (("values", 0), "kind", "pickle", "of kind 'pickle'"),
        (("values", 0), "member", "none", "lacks its member none"),
        (("calls", 0), "kind", "walk", "of kind 'walk'"),
        (("calls", 0), "more", 1, "has more, which"),
        (("calls", 0), "graph", 7, "graph 7 of"),
        (("calls", 0, "fetches", 0), "value", 100000, "value 100000 of"),
        (("graphs", 0, "variables", 0), "initial", -1, "value -1 of"),
    ],
)
def test_what_it_does_not_know_is_refused(
    tmp_path: Path, row: tuple[Any, ...], field: str, content: object, why: str
) -> None:
    def change(manifest: dict[str, Any]) -> None:
        place = manifest
        for key in row:
            place = place[key]
        place[field] = content

    check_refused(edited(tmp_path / "t.trace", change), why)


@pytest.mark.parametrize("change", [{"of": "torch"}, {"words": "00" * 624}, {"place": 625}], ids=str)
def test_a_state_of_random_numbers_that_is_none_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    state = {"of": "numpy", "words": "0000000f" * 624, "place": 624, "gauss": None}
    sound = edited(tmp_path / "sound.trace", lambda manifest: manifest.update(random=[state]))
    assert Trace(sound).manifest["random"] == [state]
    path = edited(tmp_path / "t.trace", lambda manifest: manifest.update(random=[{**state, **change}]))
    check_refused(path, "is no Mersenne Twister's")


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"member": "printed.txt", "cut": False}, "lacks its member printed.txt"),
        ({"member": "arrays/00000.npy", "cut": "no"}, "the cut of a printed of it is 'no'"),
        ({"member": "arrays/00000.npy", "cut": False, "more": 1}, "a printed of it has more"),
    ],
)
def test_a_printed_text_that_is_none_is_refused(tmp_path: Path, row: dict[str, object], why: str) -> None:
    check_refused(edited(tmp_path / "t.trace", lambda manifest: manifest.update(printed=row)), why)


def test_an_older_recorder_did_not_write_what_was_printed() -> None:
    assert Trace(GENUINE).printed is None


def test_an_array_is_never_unpickled(tmp_path: Path) -> None:
    pickled = io.BytesIO()
    np.save(pickled, np.asarray([{"a": 1}], dtype=object), allow_pickle=True)
    member = Trace(GENUINE).manifest["values"][0]["member"]

    def change(manifest: dict[str, Any]) -> None:
        (row,) = [row for row in manifest["members"] if row["name"] == member]
        row.update(bytes=len(pickled.getvalue()), crc32=zlib.crc32(pickled.getvalue()))

    path = edited(tmp_path / "t.trace", change)
    import zipfile

    with zipfile.ZipFile(path) as old, zipfile.ZipFile(tmp_path / "new.trace", "w") as new:
        for name in old.namelist():
            new.writestr(name, pickled.getvalue() if name == member else old.read(name))
    with pytest.raises(DamagedTraceError, match="Python objects"):
        Trace(tmp_path / "new.trace").value(0)


def test_a_folder_reads_as_the_zip_made_of_it(tmp_path: Path) -> None:
    assert everything(unpacked(GENUINE, tmp_path / "t.trace.part")) == everything(GENUINE)


def test_a_cut_last_line_is_left_out_and_said(tmp_path: Path) -> None:
    folder = unpacked(GENUINE, tmp_path / "t.trace.part")
    journal = (folder / JOURNAL).read_bytes()
    (folder / JOURNAL).write_bytes(journal[:-10])
    trace = Trace(folder)
    assert (trace.ended, trace.manifest["notes"]) == (False, ["the last line of the journal is cut"])
    assert trace.calls == Trace(GENUINE).calls


def test_a_damaged_line_of_a_journal_is_no_cut_one(tmp_path: Path) -> None:
    folder = unpacked(GENUINE, tmp_path / "t.trace.part")
    journal = (folder / JOURNAL).read_bytes()
    (folder / JOURNAL).write_bytes(journal.replace(b'"0.12.1"', b'"0.12.9"', 1))
    check_refused(folder, "line 1 of its journal does not match its checksum")


def test_an_unknown_event_is_refused(tmp_path: Path) -> None:
    folder = unpacked(GENUINE, tmp_path / "t.trace.part")
    with (folder / JOURNAL).open("ab") as journal:
        journal.write(line_of('{"event":"dance"}'))
    check_refused(folder, "unknown event, 'dance'")
