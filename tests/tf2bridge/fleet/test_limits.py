"""What a hostile item costs: its own limit and nothing else; and what the run itself needs for very many items."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from codemods.systems import IS_LINUX
from tests.hostile.bombs.all_of_them import BOMBS
from tests.tf2bridge.fleet import worker
from tests.tf2bridge.fleet.generated import (
    CONVERT,
    ROOT,
    archives_in,
    content,
    inventory_in,
    item_of,
    rows,
    run,
    verdicts,
)
from tf2bridge.fleet import store
from tf2bridge.fleet.inventory import Item, Kind

_KINDS = {"graph": Kind.GRAPH, "trace": Kind.TRACE}


def test_what_may_pass_is_tried_again(tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_bytes(worker.ONCE)
    (tmp_path / "b.npz").write_bytes(worker.HANG)
    inventory = inventory_in(tmp_path / "inventory.jsonl", [item_of(tmp_path / f"{name}.npz") for name in "ab"])
    assert run(inventory, tmp_path / "out", *CONVERT, "--retries", "1", "--limit-time", "1")[0] == 1
    assert list(verdicts(tmp_path / "out").values()) == [("failed", "input"), ("failed", "time")]
    attempts = [(Path(line["path"]).name, line.get("attempt", 1)) for line in store.measured(tmp_path / "out")]
    assert sorted(attempts) == [("a.npz", 1), ("a.npz", 2), ("b.npz", 1), ("b.npz", 2)]


def test_more_time_is_another_chance(tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_bytes(worker.ONCE)
    inventory = inventory_in(tmp_path / "inventory.jsonl", [item_of(tmp_path / "a.npz")])
    for limit, verdict in (("1", "time"), ("1", "time"), ("20", "input")):
        assert run(inventory, tmp_path / "out", *CONVERT, "--limit-time", limit)[0] == 1
        assert rows(tmp_path / "out")[0]["cause"] == verdict


@pytest.mark.soak
def test_bombs_cost_their_own_limit(tmp_path: Path) -> None:
    items, costly = [], 0.0
    for name, bomb in BOMBS.items():
        folder = tmp_path / name
        folder.mkdir()
        kind, path = bomb(folder)
        if path.is_file() and path.stat().st_size < 1 << 30:
            items.append(item_of(path, _KINDS.get(kind, Kind.CHECKPOINT)))
    inventory = inventory_in(tmp_path / "inventory.jsonl", items)
    start = time.monotonic()
    for command in ("convert --to safetensors", "audit", "seal"):
        out = tmp_path / command.split()[0]
        status, _, errors = run(inventory, out, "--do", command, "--limit-time", "20")
        assert status in (0, 1), errors
        ends = [line for line in store.measured(out) if line.get("cause") in ("killed", "crashed", "bug")]
        assert ends == [], ends
        costly += sum(line["seconds"] for line in store.measured(out))
    assert time.monotonic() - start < costly + 60  # nothing was waited for but the items


@pytest.mark.soak
def test_memory_does_not_grow_with_the_items(tmp_path: Path) -> None:
    peaks = [_peak(tmp_path / str(count), count) for count in (100, 100_000)]
    assert peaks[1] - peaks[0] < 24 << 10, peaks  # kB; 40 bytes for each item, and as much while they are sorted


def _peak(folder: Path, count: int) -> int:
    """Returns the kB of memory that the first process of a run of unreadable items has needed."""
    folder.mkdir()
    items = [Item(f"nothing/{n:06}", Kind.FILE, digest=f"sha256:{n}", error="no model") for n in range(count)]
    inventory = inventory_in(folder / "inventory.jsonl", items)
    code = (
        "import atexit; from pathlib import Path; from tf2bridge.cli import main; "
        "atexit.register(lambda: print(Path('/proc/self/status').read_text())); main()"
    )
    command = [sys.executable, "-c", code, "fleet", "run", str(inventory), "--do", "audit", "-o", str(folder / "out")]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 1, ended.stderr
    match = re.search(r"VmHWM:\s+(\d+) kB", ended.stdout)
    assert match is not None
    return int(match[1])


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MB. Its size may be changed with `mount`."""
    place = tmp_path / "disk"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place], check=False).returncode:
        pytest.skip("this user may not mount a file system")
    yield place
    subprocess.run(["umount", place], check=True)


@pytest.mark.skipif(not (IS_LINUX and os.geteuid() == 0), reason="a small file system is mounted, as root on Linux")
def test_a_full_disk_ends_the_run_and_a_later_run_completes_it(tmp_path: Path, small_disk: Path) -> None:
    inventory = archives_in(tmp_path, count=40, size=10_000)
    status, _, errors = run(inventory, small_disk / "out", *CONVERT)
    assert (status, len(errors.splitlines())) == (2, 1)
    assert errors.startswith("tf2bridge: error: No space left on device: make room")
    assert not (small_disk / "out" / "results.jsonl").exists()
    subprocess.run(["mount", "-o", "remount,size=16m", small_disk], check=True)
    assert run(inventory, small_disk / "out", *CONVERT)[0] == 0
    assert run(inventory, tmp_path / "plenty", *CONVERT)[0] == 0
    assert content(small_disk / "out") == content(tmp_path / "plenty")
