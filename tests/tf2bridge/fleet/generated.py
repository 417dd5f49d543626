"""A fleet of small items of many kinds, each with the verdict that `convert` must reach for it."""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tests.hostile.bombs.archives import npz_in, npz_with_a_deep_header
from tests.tf2bridge.fleet import worker
from tf2bridge.fleet.inventory import Item, Kind

ROOT = Path(__file__).parents[3]
SECONDS = 3.0
"""The limit of time in tests: a small item takes some milliseconds."""


@dataclass(frozen=True)
class Sort:
    """A sort of items: writes the item of a number, and says what becomes of it."""

    write: Callable[[Path, int], None]
    kind: Kind
    verdict: str
    cause: str | None = None
    name: str = "a.npz"


def _good(path: Path, number: int) -> None:
    np.savez(path, w=np.arange(number, number + 9, dtype=np.float32))


def _equal(path: Path, _number: int) -> None:
    np.savez(path, w=np.ones(9, np.float32))


def _huge(path: Path, number: int) -> None:
    np.savez(path, w=np.full(1 << 20, number, np.float32))


def _damaged(path: Path, number: int) -> None:
    _good(path, number)
    path.write_bytes(path.read_bytes()[:-40])


def _text(text: bytes) -> Callable[[Path, int], None]:
    return lambda path, number: path.with_suffix(path.suffix).write_bytes(text + b" %d" % number) and None


def _one_bomb(path: Path, number: int) -> None:
    npz_with_a_deep_header(path.parent) if number % 2 else npz_in(path.parent, {"a.npy": b"\x93NUMPY" + bytes(9)})


SORTS = {
    "good": Sort(_good, Kind.ARRAYS, "right"),
    "equal": Sort(_equal, Kind.ARRAYS, "right"),
    "huge": Sort(_huge, Kind.ARRAYS, "right"),
    "damaged": Sort(_damaged, Kind.ARRAYS, "failed", "input"),
    "hostile": Sort(_one_bomb, Kind.ARRAYS, "failed", "input"),
    "graph": Sort(_text(b"graph"), Kind.FROZEN, "not for this kind"),
    "unknown": Sort(_text(b"unknown"), Kind.FILE, "failed", "unreadable"),
    "crash": Sort(_text(worker.ABORT), Kind.ARRAYS, "failed", "crashed"),
}
COSTLY = {
    "hang": Sort(_text(worker.HANG), Kind.ARRAYS, "failed", "time"),
    "greedy": Sort(_text(worker.EAT), Kind.ARRAYS, "failed", "memory"),
    "leaves": Sort(_text(worker.LEAVE), Kind.ARRAYS, "failed", "crashed"),
}
"""Each of them takes its limit, or costs a worker."""


@dataclass(frozen=True)
class Fleet:
    """A fleet on the disk: its inventory, and path -> (verdict, cause)."""

    inventory: Path
    expected: dict[str, tuple[str, str | None]]


def fleet_in(folder: Path, count: int, huge: int = 4, costly: int = 1) -> Fleet:
    """Writes `count` items of all sorts in turn; `huge` of the large ones, and `costly` of those that cost most."""
    sorts = itertools.cycle(name for name in SORTS if name != "huge")
    names = ["huge"] * huge + list(COSTLY) * costly
    names += itertools.islice(sorts, count - len(names))
    items, expected = [], {}
    for number, name in enumerate(names):
        sort = (SORTS | COSTLY)[name]
        path = folder / f"{number % 97:02}" / f"{name}-{number:06}" / sort.name
        path.parent.mkdir(parents=True)
        sort.write(path, number)
        items.append(item_of(path, sort.kind))
        expected[str(path)] = (sort.verdict, sort.cause)
    return Fleet(inventory_in(folder / "inventory.jsonl", items), expected)


def item_of(path: Path, kind: Kind = Kind.ARRAYS) -> Item:
    """Returns the item of a file, as `fleet scan` describes it."""
    content = path.read_bytes()
    error = "its content is none of a known format" if kind is Kind.FILE else None
    return Item(
        str(path),
        kind,
        bytes=len(content),
        digest=f"sha256:{hashlib.sha256(content).hexdigest()}",
        modified=path.stat().st_mtime_ns // 1000,
        error=error,
    )


def archives_in(folder: Path, count: int, size: int) -> Path:
    """Returns an inventory of so many archives of an array of this size. All of it is in the folder."""
    items = []
    for number in range(count):
        path = folder / "items" / f"{number}.npz"
        path.parent.mkdir(exist_ok=True)
        np.savez(path, w=np.full(size, number, np.float32))
        items.append(item_of(path))
    return inventory_in(folder / "inventory.jsonl", items)


def inventory_in(path: Path, items: list[Item]) -> Path:
    """Writes an inventory and returns its path."""
    path.write_text("".join(item.line() for item in sorted(items, key=lambda item: item.path)), "ascii")
    return path


CONVERT = ("--do", "convert --to safetensors")


def started(inventory: Path, out: Path, *options: str) -> subprocess.Popen[str]:
    """Starts `tf2bridge fleet run`, with the warm process that obeys files."""
    command = "from tests.tf2bridge.fleet.worker import command; command()"
    arguments = [sys.executable, "-c", command, "fleet", "run", str(inventory), "--output", str(out)]
    limits = ["--limit-time", str(SECONDS), "--limit-memory", "1000", "--retries", "0"]
    pipe = subprocess.PIPE
    return subprocess.Popen([*arguments, *limits, *options], cwd=ROOT, stdout=pipe, stderr=pipe, text=True)


def run(inventory: Path, out: Path, *options: str) -> tuple[int, str, str]:
    """Runs it to its end; returns the status and both outputs."""
    process = started(inventory, out, *options)
    output, errors = process.communicate()
    return process.returncode, output, errors


def killed_and_restarted(fleet: Fleet, out: Path, kills: int, longest: float, *options: str) -> None:
    """Kills the run at random moments, each time all its processes or the first one alone, and lets it end at last.

    Most of the moments must come before the run has done all.
    """
    moments, under_way = random.Random(7), 0
    for _ in range(kills):
        process = started(fleet.inventory, out, *CONVERT, *options)
        time.sleep(moments.uniform(0.2, longest))
        under_way += process.poll() is None
        process.send_signal(moments.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
        process.communicate()
    assert under_way > kills / 2, f"only {under_way} of {kills} met a run under way: give it more items"
    assert run(fleet.inventory, out, *CONVERT, *options)[0] == 1


def rows(out: Path) -> list[dict[str, Any]]:
    """Returns the lines of the results."""
    return [json.loads(line) for line in (out / "results.jsonl").read_text("ascii").splitlines()]


def verdicts(out: Path) -> dict[str, tuple[str, str | None]]:
    """Returns path -> (verdict, cause)."""
    return {row["path"]: (row["verdict"], row["cause"]) for row in rows(out)}


def content(out: Path) -> dict[str, bytes]:
    """Returns all that must be equal byte for byte: the results, and the files of the items."""
    files = [out / "results.jsonl", *(path for path in (out / "items").rglob("*") if path.is_file())]
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in files}
