"""Lines between processes, groups of processes, and words, where a system has not what Linux has."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tf2bridge import systems
from tf2bridge.migration import config
from tf2bridge.proof.recording import folder as recording
from tf2bridge.proof.recording.places import Places
from tf2bridge.systems import groups, lines
from tf2bridge.systems.lines import Line

CHILD = """
import json, sys
from tf2bridge.systems import lines
line = lines.taken_up(json.loads(sys.argv[1]))
line.sendall(b"hello")
assert line.recv(1) == b"1"
line.sendall(b" again")
"""


@pytest.fixture(params=[True, False], ids=["inherited", "by a port"])
def line(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Line:
    monkeypatch.setattr(lines, "CAN_INHERIT", request.param)
    return Line()


def started(line: Line, code: str) -> subprocess.Popen[bytes]:
    process = subprocess.Popen([sys.executable, "-c", code, json.dumps(line.told)], **line.options)
    line.started()
    return process


def test_both_ends_are_heard(line: Line) -> None:
    process = started(line, CHILD)
    heard = b""
    for part in line.received(lambda: process.poll() is None):
        heard += part
        if heard == b"hello":
            line.send(b"1")
    assert (heard, process.wait()) == (b"hello again", 0)
    line.close()


def test_a_process_that_takes_up_no_line_is_waited_for_no_longer_than_it_runs(line: Line) -> None:
    process = started(line, "pass")
    assert list(line.received(lambda: process.poll() is None)) == []
    assert process.wait() == 0
    line.close()


def test_whoever_waits_learns_that_the_line_is_closed(line: Line) -> None:
    waiting = threading.Thread(target=lambda: list(line.received(lambda: True)))
    waiting.start()
    line.shutdown()
    waiting.join(20)
    assert not waiting.is_alive()
    line.close()


def test_a_stranger_is_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "CAN_INHERIT", False)
    line = Line()
    with socket.create_connection(("127.0.0.1", line.told["port"])) as stranger:
        stranger.sendall(b"x" * len(line.told["word"]) + b"false")
        process = started(line, "import json, sys\nfrom tf2bridge.systems import lines\n"
                                "lines.taken_up(json.loads(sys.argv[1])).sendall(b'true')")  # fmt: skip
        assert b"".join(line.received(lambda: True)) == b"true"
        assert process.wait() == 0
    line.close()


@pytest.mark.parametrize("number", [systems.SOFT, systems.HARD])
def test_a_process_is_ended_without_groups(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "_HAS_GROUPS", False)
    monkeypatch.setattr(groups, "IS_WINDOWS", True)  # there is no taskkill here, and it goes on without
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    groups.send(process, number)
    assert process.wait(60) != 0
    groups.send(process, number)  # nothing is left
    assert not groups.has_members(process.pid)
    assert groups.options() == {"creationflags": 0x200}


def test_the_words_of_a_command_line_on_windows() -> None:
    line = r'train.py --data C:\data\old --name "two words" --empty ""'
    assert systems.split(line, True) == ["train.py", "--data", r"C:\data\old", "--name", "two words", "--empty", ""]
    assert list(config.split_entry(r"python train.py a\ b")) == systems.split(r"train.py a\ b") == ["train.py", "a b"]
    with pytest.raises(ValueError, match="No closing quotation"):
        systems.split('train.py "a', True)
    assert systems.joined(["two words", r"C:\a"], True) == r'"two words" C:\a'
    assert systems.joined(["two words"]) == "'two words'"


def test_a_system_without_signals_and_users(monkeypatch: pytest.MonkeyPatch) -> None:
    assert systems.signal_name(9) == "SIGKILL" and systems.signal_name(200) == "signal 200"
    for name in ("getuid", "geteuid"):
        monkeypatch.delattr(f"os.{name}")
    monkeypatch.setenv("LOGNAME", "somebody")
    assert systems.user() == "somebody"
    assert systems.is_own(Path("/").stat())


def test_a_file_is_read_at_a_place_without_pread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pread", "preadv"):
        monkeypatch.delattr(f"os.{name}")
    (tmp_path / "file").write_bytes(b"0123456789")
    memory = bytearray(3)
    with (tmp_path / "file").open("rb", 0) as file:
        assert systems.read_at(file, 4, 5) == b"5678"
        assert (systems.read_into(file, memoryview(memory), 8), bytes(memory)) == (2, b"89\0")


def test_the_recorder_writes_bytes_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows opens a descriptor for text unless O_BINARY is among the flags; here a flag stands in for it."""
    flags: list[int] = []
    opened = recording.os.open

    def noted(path: str, wanted: int, *mode: int, **more: int) -> int:
        flags.append(wanted)
        return opened(path, wanted & ~(1 << 30), *mode, **more)

    monkeypatch.setattr(recording, "_BINARY", 1 << 30)
    monkeypatch.setattr(recording.os, "open", noted)
    made = recording.Folder(str(tmp_path / "a.trace"), 1000)
    assert len(flags) == 2 and all(wanted & 1 << 30 for wanted in flags)
    made.remove()


def test_a_file_of_another_drive_is_not_the_program_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def other_drive(*_: object) -> str:
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    (tmp_path / "a.py").touch()
    assert Places(str(tmp_path)).relative(str(tmp_path / "a.py")) == "a.py"
    monkeypatch.setattr("os.path.relpath", other_drive)
    assert Places(str(tmp_path)).relative(str(tmp_path / "a.py")) == ""
