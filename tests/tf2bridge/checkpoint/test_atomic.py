"""Whatever happens while a checkpoint is written, its destination is absent, or what it was, or what it is to be."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tf2bridge.checkpoint.writing import atomic
from tf2bridge.checkpoint.writing.converting import convert
from tf2bridge.checkpoint.writing.refusals import BusyDestinationError, FullDiskError
from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
from tf2bridge.formats.checkpoints.refusals import NoCheckpointError, UnfinishedError

ROOT = Path(__file__).parents[3]

WRITER = """
import os, sys
from tf2bridge.checkpoint.writing.converting import convert
folder, names, format, force = sys.argv[1], sys.argv[2].split(","), sys.argv[3], sys.argv[4] == "force"
for line in sys.stdin:
    child = os.fork()
    if not child:
        for turn in range(1000):
            convert(f"{folder}/{names[turn % len(names)]}", f"{folder}/new", format=format, force=force or turn > 0)
        os._exit(0)
    print(child, flush=True)
    os.waitpid(child, 0)
    print("gone", flush=True)
"""
"""Writes one destination again and again, in a child that is to be killed, a new one for each line of its input."""


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Two checkpoints of several tensors, 3 MB each."""
    for number, name in enumerate(("one", "two")):
        arrays = {f"layer_{index}/kernel": np.full([300, 256], number + index, np.float32) for index in range(10)}
        np.savez(tmp_path / f"{name}.npz", **arrays)
        convert(tmp_path / f"{name}.npz", tmp_path / name, format="saver")
    return tmp_path


@pytest.fixture
def writer() -> Iterator[Any]:
    made: list[Any] = []

    def started(*arguments: object) -> Any:
        command = [sys.executable, "-c", WRITER, *map(str, arguments)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        made.append(subprocess.Popen(command, env=environment, **pipes))  # type: ignore[call-overload]
        return made[-1]

    yield started
    for item in made:
        item.stdin.close()
        item.wait()
        item.stdout.close()


def kill_one(writer: Any, delay: float) -> None:
    writer.stdin.write("\n")
    writer.stdin.flush()
    child = int(writer.stdout.readline())
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    assert writer.stdout.readline() == "gone\n"


def check_whole(folder: Path, absent: bool) -> str:
    """The destination reads as one of both sources, all of it, or is absent where it may be; returns which."""
    try:
        with open_checkpoint(folder / "new") as checkpoint:
            values = {name.partition("/.ATTR")[0]: value for name, value in checkpoint.items() if "layer" in name}
    except NoCheckpointError:
        assert absent
        return "absent"
    for name in ("one", "two"):
        with open_checkpoint(folder / name) as expected:
            if all((values[item] == expected[item]).all() for item in expected) and len(values) == len(expected):
                return name
    raise AssertionError("it is a mixture")


def kill_many(writer: Any, folder: Path, count: int, form: str) -> None:
    """Kills the first writing of a destination, and then a replacement of it, each `count` times."""
    delays, seen = random.Random(form), set()
    first, forced = writer(folder, "one,two", form, "no"), writer(folder, "two,one", form, "force")
    for _ in range(count):
        for path in folder.glob("new*"):
            path.unlink()
        kill_one(first, delays.uniform(0, 0.03))
        seen.add(check_whole(folder, absent=True))
        convert(folder / "one", folder / "new", format=form, force=True)
        assert check_whole(folder, absent=False) == "one"
        assert not list(folder.glob(".*")), "the next run cleans up what was left"
        kill_one(forced, delays.uniform(0, 0.03))
        seen.add(check_whole(folder, absent=False))
    assert "two" in seen or "absent" in seen, "no kill came between"


@pytest.mark.parametrize(("form", "count"), [("checkpoint", 13), ("saver", 6), ("npz", 6)])
def test_killed_at_any_moment(form: str, count: int, sources: Path, writer: Any) -> None:
    kill_many(writer, sources, count, form)  # 50 kills in all


@pytest.mark.soak
@pytest.mark.parametrize(("form", "count"), [("checkpoint", 130), ("saver", 60), ("npz", 60)])
def test_killed_at_any_of_many_moments(form: str, count: int, sources: Path, writer: Any) -> None:
    kill_many(writer, sources, count, form)


@pytest.mark.parametrize("form", ["checkpoint", "saver", "npz", "safetensors"])
def test_a_full_disk(form: str, sources: Path) -> None:
    before = {path.name: path.read_bytes() for path in sources.iterdir()}
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, hard))
    try:
        with pytest.raises(FullDiskError, match=r"new: not written, nothing is left of it.*File too large.*make room"):
            convert(sources / "one", sources / "new", format=form)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert {path.name: path.read_bytes() for path in sources.iterdir()} == before


def test_two_writers_of_one_destination(sources: Path) -> None:
    busy = pytest.raises(BusyDestinationError, match="another process is writing it")
    with atomic.replacing(sources / "new", sources / "new.index", durable=False), busy:
        convert(sources / "one", sources / "new")
    convert(sources / "one", sources / "new")


def test_threads_that_write_one_destination(sources: Path) -> None:
    message: list[Exception | None] = []

    def write() -> None:
        try:
            convert(sources / "one", sources / "new", force=True)
            message.append(None)
        except BusyDestinationError as error:
            message.append(error)

    threads = [threading.Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert None in message
    assert check_whole(sources, absent=False) == "one"
    assert not list(sources.glob(".*"))


def test_a_process_killed_between_the_moves_leaves_no_checkpoint_and_says_so(sources: Path) -> None:
    killed = f"""
import os, signal
from tf2bridge.checkpoint.writing.converting import convert
replace = os.replace
def then_killed(source, target, **folders):
    replace(source, target, **folders)
    if str(target).startswith("new.data"):
        os.kill(os.getpid(), signal.SIGKILL)
os.replace = then_killed
convert({str(sources / "one")!r}, {str(sources / "new")!r})
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    assert subprocess.run([sys.executable, "-c", killed], env=environment, check=False).returncode == -signal.SIGKILL
    assert [path.name for path in sources.glob("new*")] == ["new.data-00000-of-00002"]
    for name in ("new", "new.data-00000-of-00002", "new.index"):
        with pytest.raises(UnfinishedError, match="one that is being written, or was when its process was killed"):
            open_checkpoint(sources / name)
    convert(sources / "two", sources / "new")
    assert check_whole(sources, absent=False) == "two"
    assert not list(sources.glob(".*"))
