"""`fleet run`: the right verdict for each item, whatever the others do, and the same results after any interruption."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pytest

from tests.tf2bridge.fleet import worker
from tests.tf2bridge.fleet.generated import (
    CONVERT,
    Fleet,
    content,
    fleet_in,
    inventory_in,
    item_of,
    killed_and_restarted,
    rows,
    run,
    started,
    verdicts,
)
from tf2bridge.fleet import store


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Fleet:
    return fleet_in(tmp_path_factory.mktemp("fleet"), 300)


@pytest.fixture(scope="module")
def quiet(fleet: Fleet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that nothing has disturbed."""
    out = tmp_path_factory.mktemp("quiet") / "out"
    status, _, errors = run(fleet.inventory, out, *CONVERT, "--jobs", "2")
    assert status == 1, errors
    return out


def test_each_item_has_its_verdict(fleet: Fleet, quiet: Path) -> None:
    assert verdicts(quiet) == fleet.expected


def test_equal_items_share_one_result(quiet: Path) -> None:
    equal = [row for row in rows(quiet) if "/equal-" in row["path"]]
    assert len({row["key"] for row in equal}) == 1
    assert [row["same_as"] for row in equal] == [None, *[equal[0]["path"]] * (len(equal) - 1)]
    assert equal[0]["files"] == {"model.safetensors": (quiet / equal[0]["output"] / "model.safetensors").stat().st_size}


def test_the_end_of_a_process_is_told_with_its_last_lines(quiet: Path) -> None:
    ends = {line["error"]: line.get("stderr") for line in store.measured(quiet) if line.get("cause") == "crashed"}
    assert ends == {"its process ended with SIGABRT": "about to abort", "its process ended with status 0": None}


def test_nothing_is_left_under_way(quiet: Path) -> None:
    assert list((quiet / "under-way").iterdir()) == []


def test_a_second_run_does_nothing_again(fleet: Fleet, quiet: Path) -> None:
    before, lines = content(quiet), len(list(store.measured(quiet)))
    assert run(fleet.inventory, quiet, *CONVERT)[0] == 1
    assert content(quiet) == before
    assert len(list(store.measured(quiet))) == lines


def test_killed_and_restarted_it_ends_with_the_same_bytes(fleet: Fleet, quiet: Path, tmp_path: Path) -> None:
    killed_and_restarted(fleet, tmp_path / "out", 6, 1.5, "--jobs", "2")
    assert content(tmp_path / "out") == content(quiet)
    assert list((tmp_path / "out" / "under-way").iterdir()) == []


@pytest.mark.soak
def test_ten_thousand_items_killed_twenty_times(tmp_path: Path) -> None:
    fleet = fleet_in(tmp_path / "fleet", 10_000, huge=20, costly=3)
    assert run(fleet.inventory, tmp_path / "quiet", *CONVERT)[0] == 1
    assert verdicts(tmp_path / "quiet") == fleet.expected
    killed_and_restarted(fleet, tmp_path / "killed", 20, 4.0, "--jobs", "2")
    assert content(tmp_path / "killed") == content(tmp_path / "quiet")


def test_two_runs_at_once_share_the_work(fleet: Fleet, quiet: Path, tmp_path: Path) -> None:
    both = [started(fleet.inventory, tmp_path / "out", *CONVERT, "--jobs", "1") for _ in range(2)]
    outputs = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [1, 1], outputs
    assert content(tmp_path / "out") == content(quiet)


def test_workers_end_with_the_run(fleet: Fleet, tmp_path: Path) -> None:
    process = started(fleet.inventory, tmp_path / "out", *CONVERT, "--jobs", "2")
    deadline = time.monotonic() + 30
    while not list((tmp_path / "out").glob("under-way/*/*")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.kill()
    process.communicate()  # its output ends when no process holds it any more
    while processes := of_run(tmp_path / "out"):
        assert time.monotonic() < deadline, processes
        time.sleep(0.01)


def test_ctrl_c_ends_at_once_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_bytes(worker.HANG)
    inventory = inventory_in(tmp_path / "inventory.jsonl", [item_of(tmp_path / "a.npz")])
    process = started(inventory, tmp_path / "out", *CONVERT, "--limit-time", "600")
    deadline = time.monotonic() + 60
    while not list((tmp_path / "out").glob("under-way/*/*")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[1].splitlines()[-1] == "tf2bridge: interrupted"
    assert process.returncode == 130
    assert of_run(tmp_path / "out") == []
    assert list((tmp_path / "out" / "under-way").iterdir()) == []


def of_run(out: Path) -> list[str]:
    """Returns the processes that work in the folder of a run."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cwd").readlink().is_relative_to(out):
                found.append(process.name)
        except OSError:
            continue
    return found


def test_a_torn_line_of_what_was_measured_is_left_out(quiet: Path) -> None:
    lines = list(store.measured(quiet))
    (quiet / "measured" / "torn.jsonl").write_text(json.dumps(lines[0]) + '\n{"key": "12')
    assert sum(line == lines[0] for line in store.measured(quiet)) == 2
    (quiet / "measured" / "torn.jsonl").unlink()
