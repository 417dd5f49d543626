"""Throughput of `fleet run`, against warm processes that do a share of the same work in a loop, as xargs -P gives it.

    FLEET_ITEMS=2000 pytest -s tests/benchmarks/bench_fleet.py

`audit` and `seal` work on the smallest graph of the fixtures, on which a command is done in a millisecond, and on the
frozen model of a generator, to which a table of 1 MB is added. Both are measured in turn, several times, because other
work on the machine changes both; the time of processors that they use depends less on it than the time that passes. The
loop writes what the command prints into a file for each item; it has no limits, keys, or journal.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

from tests.tf2bridge.fleet.generated import ROOT, inventory_in, item_of
from tests.tf2bridge.fleet.scanned import scanned
from tf2bridge.fleet.inventory import Item, Kind

ITEMS = int(os.environ.get("FLEET_ITEMS", "1000"))
JOBS = 2
ROUNDS = 3
_LOOP = """
import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tf2bridge.cli import cli
out, count, share, *words = sys.argv[1:]
for number, line in enumerate(sys.stdin):
    path = line.rstrip("\\n")
    own = Path(out, str(number))
    own.mkdir()
    arguments = [word.replace("{}", path).replace("{out}", str(own / "model.safetensors")) for word in words]
    output = io.StringIO()
    with redirect_stdout(output), redirect_stderr(io.StringIO()):
        status = cli.main(arguments, prog_name="tf2bridge", standalone_mode=False)
    assert not status, output.getvalue()
    (own / "report.json").write_text(output.getvalue())
"""
GRAPHS = {"smallest": "freeze_script", "1 MB": "generator_freeze"}
COMMANDS = {
    "convert": ["convert", "--to", "safetensors", "--output-format", "json", "--", "{}", "{out}"],
    "audit": ["audit", "--output-format", "json", "--", "{}"],
    "seal": ["seal", "--output-format", "json", "--", "{}"],
}
DO = {"convert": "convert --to safetensors", "audit": "audit", "seal": "seal"}


def _items(folder: Path, name: str, graph: str) -> list[Item]:
    return _checkpoints(folder) if name == "convert" else _graphs(folder, graph)


def _checkpoints(folder: Path) -> list[Item]:
    """Copies of one checkpoint. Those with a digest of their index alone are done one by one."""
    source = ROOT / "fixtures" / "estimator" / "model.ckpt-5"
    (item,) = (item for item in scanned(source.parent) if item.path == str(source))
    items = []
    for number in range(ITEMS):
        place = folder / f"{number:06}"
        place.mkdir(parents=True)
        for file in source.parent.glob(f"{source.name}.*"):
            shutil.copy2(file, place)
        items.append(dataclasses.replace(item, path=str(place / source.name), series=None, duplicate_of=None))
    return items


def _graphs(folder: Path, name: str) -> list[Item]:
    """Frozen graphs that differ in one number, so that each is done."""
    content = (ROOT / "fixtures/legacy" / GRAPHS[name] / "genuine/run/frozen.pb").read_bytes()
    more = tf.compat.v1.GraphDef()
    if name != "smallest":
        node = more.node.add(name="table", op="Const")
        node.attr["dtype"].type = tf.float32.as_datatype_enum
        values = np.random.default_rng(0).random((512, 512), np.float32)
        node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(values))
    items = []
    for number in range(ITEMS):
        path = folder / f"{number:06}" / "frozen.pb"
        path.parent.mkdir(parents=True)
        more.versions.bad_consumers[:] = [number]
        path.write_bytes(content + more.SerializeToString())
        items.append(item_of(path, Kind.FROZEN))
    return items


@dataclass(frozen=True)
class Cost:
    """Seconds that passed, and seconds of processors that the processes used."""

    wall: float
    processors: float


_wall, _processors = attrgetter("wall"), attrgetter("processors")


@contextmanager
def _cost() -> Iterator[list[Cost]]:
    costs: list[Cost] = []
    before, start = os.times(), time.perf_counter()
    yield costs
    wall, after = time.perf_counter() - start, os.times()
    costs.append(Cost(wall, after[2] + after[3] - before[2] - before[3]))


def _loops(items: list[Item], out: Path, name: str) -> None:
    processes = []
    for share in range(JOBS):
        (out / str(share)).mkdir(parents=True)
        command = [sys.executable, "-c", _LOOP, str(out / str(share)), str(ITEMS), str(share), *COMMANDS[name]]
        paths = out / f"{share}.txt"  # not a pipe, whose writer waits for one process before the next one starts
        paths.write_text("".join(f"{item.path}\n" for item in items[share::JOBS]))
        with paths.open() as lines:
            processes.append(subprocess.Popen(command, stdin=lines, cwd=ROOT))
    assert [process.wait() for process in processes] == [0] * JOBS


def _fleet(inventory: Path, out: Path, name: str) -> None:
    command = [sys.executable, "-m", "tf2bridge", "fleet", "run", str(inventory), "--do", DO[name]]
    subprocess.run([*command, "--output", str(out), "--jobs", str(JOBS)], cwd=ROOT, check=True, capture_output=True)


CASES = [("convert", ""), *((name, graph) for graph in GRAPHS for name in ("audit", "seal"))]


@pytest.mark.parametrize(("name", "graph"), CASES)
def bench_throughput(name: str, graph: str, tmp_path: Path) -> None:
    items = _items(tmp_path / "items", name, graph)
    inventory = inventory_in(tmp_path / "inventory.jsonl", items)
    loops, fleets = [], []
    for number in range(ROUNDS):
        for seal in (tmp_path / "items").rglob("*.sha256"):
            seal.unlink()
        with _cost() as loop:
            _loops(items, tmp_path / f"loop{number}", name)
        for seal in (tmp_path / "items").rglob("*.sha256"):
            seal.unlink()
        with _cost() as fleet:
            _fleet(inventory, tmp_path / f"fleet{number}", name)
        loops += loop
        fleets += fleet
        rates = f"loop {ITEMS / loop[0].wall:.0f}/s, fleet {ITEMS / fleet[0].wall:.0f}/s"
        print(f"{name}: {rates}; of processors: loop {loop[0].processors:.2f} s, fleet {fleet[0].processors:.2f} s")
    least = [min(map(of, costs)) for of in (_wall, _processors) for costs in (loops, fleets)]
    of_time, of_processors = least[0] / least[1], least[2] / least[3]
    print(f"{name} {graph}: {ITEMS} items, least loop/fleet: of time {of_time:.2f}, of processors {of_processors:.2f}")
