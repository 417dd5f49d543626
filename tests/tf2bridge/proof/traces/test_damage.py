"""Traces with a flipped bit or cut short: a clear error, or the identical reading of everything."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.tf2bridge.proof.traces.damaging import LEGACY, everything, unpacked
from tf2bridge.proof.recording.folding import JOURNAL, MEMBERS
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.refusals import DamagedTraceError

SMALL = LEGACY / "freeze_script/genuine/freeze_script.trace"  # of TensorFlow 1.4.1
ALL = 200
SOME = 40

counts = pytest.mark.parametrize(
    "count", [pytest.param(SOME, id="some"), pytest.param(ALL, id="all", marks=pytest.mark.soak)]
)


def places(size: int, count: int) -> Iterator[int]:
    """`count` places of a file, the same in every run; half are in its last tenth, where a zip has its directory."""
    draw = random.Random(size * count)
    for number in range(count):
        yield draw.randrange(size * 9 // 10 if number % 2 else 0, size)


def check(path: Path, damaged: Path, data: bytes, same: list[object]) -> bool:
    """Reads a trace of which one file was altered; returns whether it was refused."""
    damaged.write_bytes(data)
    try:
        assert everything(path) == same
    except DamagedTraceError as error:
        assert str(path) in str(error)
        assert "\n" not in str(error)
        return True
    return False


def flipped(data: bytes, place: int) -> bytes:
    changed = bytearray(data)
    changed[place] ^= 1 << place % 8
    return bytes(changed)


def cut(data: bytes, place: int) -> bytes:
    return data[:place]


@counts
@pytest.mark.parametrize("change", [flipped, cut])
def test_a_zip(tmp_path: Path, change: Callable[[bytes, int], bytes], count: int) -> None:
    path, data, same = tmp_path / "t.trace", SMALL.read_bytes(), everything(SMALL)
    refused = [check(path, path, change(data, place), same) for place in places(len(data), count)]
    # what the zip holds twice, or for other systems, may be altered: names, dates, rights
    assert sum(refused) == count if change is cut else sum(refused) > count // 2


@counts
@pytest.mark.parametrize("change", [flipped, cut])
def test_the_arrays_of_a_folder(tmp_path: Path, change: Callable[[bytes, int], bytes], count: int) -> None:
    folder, same = unpacked(SMALL, tmp_path / "t.trace.part"), everything(SMALL)
    data = (folder / MEMBERS).read_bytes()
    assert all(check(folder, folder / MEMBERS, change(data, place), same) for place in places(len(data), count))


@counts
def test_flipped_bits_in_the_journal_of_a_folder(tmp_path: Path, count: int) -> None:
    folder, same = unpacked(SMALL, tmp_path / "t.trace.part"), everything(SMALL)
    data = (folder / JOURNAL).read_bytes()
    body = data[: data.rindex(b"\n", 0, -1)]  # a flip in the last line feed reads as a cut line
    assert all(check(folder, folder / JOURNAL, flipped(data, place), same) for place in places(len(body), count))


@counts
def test_a_journal_that_was_cut_reads_up_to_there_and_says_so(tmp_path: Path, count: int) -> None:
    folder, recording = unpacked(SMALL, tmp_path / "t.trace.part"), Trace(SMALL)
    data = (folder / JOURNAL).read_bytes()
    for place in places(len(data), count):
        (folder / JOURNAL).write_bytes(data[:place])
        try:
            trace = Trace(folder)
        except DamagedTraceError as error:
            assert "\n" not in str(error)
            continue
        assert not trace.ended
        assert trace.manifest["notes"] == (
            [] if data[place - 1 : place] == b"\n" else ["the last line of the journal is cut"]
        )
        assert trace.calls == recording.calls[: len(trace.calls)]
        assert [trace.value(ref).tolist() for ref in range(len(trace.manifest["values"]))] == [
            recording.value(ref).tolist() for ref in range(len(trace.manifest["values"]))
        ]


@pytest.mark.parametrize("name", [JOURNAL, MEMBERS])
def test_a_folder_whose_files_lie_elsewhere(name: str, tmp_path: Path) -> None:
    folder = unpacked(SMALL, tmp_path / "folder")
    (folder / name).rename(tmp_path / "elsewhere")
    (folder / name).symlink_to("../elsewhere")
    with pytest.raises(DamagedTraceError, match=f"its {name} is a symbolic link"):
        Trace(folder)
