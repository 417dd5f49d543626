"""Files from outside are opened only if they are regular, and read up to a limit, whatever `stat` says of them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tf2bridge import regular_files
from tf2bridge.checkpoint.planning.named_targets import target_of
from tf2bridge.checkpoint.planning.plan_reading import load_plan
from tf2bridge.errors import BridgeError, NotRegularFileError, TooLargeFileError
from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
from tf2bridge.formats.graphs.reader import read
from tf2bridge.migration import artifacts
from tf2bridge.proof.traces.described import is_trace
from tf2bridge.proof.traces.reader import Trace


def fifo(path: Path) -> None:
    os.mkfifo(path)


def endless_link(path: Path) -> None:
    path.symlink_to("/dev/zero")


def terminal_link(path: Path) -> None:
    path.symlink_to("/dev/tty")


def a_socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the name of a socket has 108 bytes at most
    try:
        socket.socket(socket.AF_UNIX).bind(path.name)
    finally:
        os.chdir(here)


SPECIAL: tuple[Callable[[Path], None], ...] = (fifo, endless_link, terminal_link, a_socket)


@pytest.mark.parametrize("make", SPECIAL)
def test_what_is_not_regular_is_refused_and_not_waited_for(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / "file")
    for opening in (regular_files.opened, lambda path: regular_files.content_of(path, 10), regular_files.text_of):
        with pytest.raises((NotRegularFileError, OSError)):
            opening(tmp_path / "file")


def test_a_link_to_a_regular_file_is_followed_and_a_directory_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"one\r\ntwo")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert regular_files.text_of(tmp_path / "link") == "one\ntwo"
    with pytest.raises(IsADirectoryError):
        regular_files.opened(tmp_path)
    with pytest.raises(FileNotFoundError):
        regular_files.opened(tmp_path / "none")


def test_no_more_is_read_than_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert regular_files.content_of(path, 5) == b"12345"
    with pytest.raises(TooLargeFileError, match=r"more than 4 bytes.*split it"):
        regular_files.content_of(path, 4)
    os.truncate(path, 1 << 40)
    with pytest.raises(TooLargeFileError):
        regular_files.content_of(path, 1 << 30)


def test_the_limit_holds_where_stat_says_no_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(3 << 20))
    true = os.fstat

    def lying(descriptor: int) -> Any:
        return os.stat_result([*true(descriptor)[:6], 0, *true(descriptor)[7:10]])

    monkeypatch.setattr(os, "fstat", lying)
    assert len(regular_files.content_of(path, 3 << 20)) == 3 << 20
    with pytest.raises(TooLargeFileError):
        regular_files.content_of(path, (3 << 20) - 1)


@pytest.mark.parametrize("make", SPECIAL)
@pytest.mark.parametrize(
    ("name", "opening"),
    [
        ("a.pb", read),
        ("a.meta", read),
        ("events.out.tfevents.1", read),
        ("checkpoint", open_checkpoint),
        ("a.ckpt", open_checkpoint),
        ("a.index", open_checkpoint),
        ("a.h5", open_checkpoint),
        ("a.npz", open_checkpoint),
        ("a.trace", Trace),
        ("plan.toml", load_plan),
        ("shapes.json", target_of),
    ],
)
def test_every_reader_refuses_it(
    name: str, opening: Callable[[Path], Any], make: Callable[[Path], None], tmp_path: Path
) -> None:
    make(tmp_path / name)
    with pytest.raises((BridgeError, OSError)) as refusal:
        opening(tmp_path / name)
    assert "\n" not in str(refusal.value)
    assert not is_trace(tmp_path / name)


@pytest.mark.parametrize("make", SPECIAL)
def test_directories_that_hold_such_things_are_read_without_them(make: Callable[[Path], None], tmp_path: Path) -> None:
    for name in ("checkpoint", "a.pb", "b.index", "c.npy", "saved_model.pb", "journal.jsonl", "d.meta"):
        make(tmp_path / name)
    assert artifacts.find(tmp_path) == []
    for opening in (read, open_checkpoint):
        with pytest.raises(BridgeError):
            opening(tmp_path)


@pytest.mark.parametrize(
    "command",
    [
        ("inspect",),
        ("audit",),
        ("convert", "out.npz", "--to", "npz"),
        ("export", "out.pb"),
        ("compare", "pipe"),
        ("plan", "--into", "pipe"),
        ("replay", "--graph"),
    ],
)
def test_the_commands_say_so_in_a_line(command: tuple[str, ...], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    line = [sys.executable, "-m", "tf2bridge", command[0], "pipe", *command[1:]]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 2
    assert "a FIFO, but only regular files are read" in done.stderr and "Traceback" not in done.stderr
