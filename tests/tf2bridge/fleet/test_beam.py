"""`fleet run --runner beam`: the same results as in processes of this machine, byte for byte.

Apache Beam is large, and no package of the tests: `pip install 'tf2bridge[beam]'` lets them run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tf2bridge.fleet.generated import (
    CONVERT,
    ROOT,
    content,
    fleet_in,
    inventory_in,
    item_of,
    killed_and_restarted,
    run,
    verdicts,
)

pytest.importorskip("apache_beam", reason="Apache Beam is not installed: pip install 'tf2bridge[beam]'")

BEAM = ("--runner", "beam")


@pytest.mark.parametrize(
    "options",
    [
        pytest.param((), id="FnApiRunner"),
        pytest.param(("--", "--direct_num_workers=2", "--direct_running_mode=multi_threading"), id="threads"),
        pytest.param(
            ("--", "--runner=PortableRunner", "--job_endpoint=embed", "--environment_type=LOOPBACK"), id="portable"
        ),
    ],
)
def test_the_results_are_those_of_this_machine(tmp_path: Path, options: tuple[str, ...]) -> None:
    fleet = fleet_in(tmp_path / "fleet", 60, huge=1)
    assert run(fleet.inventory, tmp_path / "local", *CONVERT)[0] == 1
    status, _, errors = run(fleet.inventory, tmp_path / "beam", *CONVERT, *BEAM, *options)
    assert status == 1, errors
    assert content(tmp_path / "beam") == content(tmp_path / "local")
    assert list((tmp_path / "beam" / "under-way").iterdir()) == []


def test_a_run_goes_on_after_the_other_runner(tmp_path: Path) -> None:
    fleet = fleet_in(tmp_path / "fleet", 60, huge=1)
    for options in (CONVERT, (*CONVERT, *BEAM)):
        process_status = run(fleet.inventory, tmp_path / "out", *options)[0]
        assert process_status == 1


_TWICE = """
import apache_beam.io
from tests.tf2bridge.fleet.worker import command
from tf2bridge.fleet import beam, store
read = apache_beam.io.ReadFromText
def twice(path):  # each element stands in the file twice, so that both may be worked on at once
    lines = open(path).read()
    open(path, "w").write(lines + lines)
    return read(path)
apache_beam.io.ReadFromText = twice
command()
"""


def test_elements_that_are_delivered_twice_are_done_once(tmp_path: Path) -> None:
    fleet = fleet_in(tmp_path / "fleet", 60, huge=1)
    assert run(fleet.inventory, tmp_path / "local", *CONVERT)[0] == 1
    arguments = ["fleet", "run", str(fleet.inventory), "--output", str(tmp_path / "beam"), *CONVERT, *BEAM]
    limits = ["--limit-time", "3", "--limit-memory", "1000", "--retries", "0"]
    threads = ["--", "--direct_num_workers=2", "--direct_running_mode=multi_threading"]
    command = [sys.executable, "-c", _TWICE, *arguments, *limits, *threads]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=os.environ, check=False)
    assert ended.returncode == 1, ended.stderr
    assert content(tmp_path / "beam") == content(tmp_path / "local")


@pytest.mark.soak
def test_many_items_killed_twenty_times(tmp_path: Path) -> None:
    fleet = fleet_in(tmp_path / "fleet", int(os.environ.get("FLEET_ITEMS", "1000")), costly=2)
    assert run(fleet.inventory, tmp_path / "quiet", *CONVERT)[0] == 1
    assert verdicts(tmp_path / "quiet") == fleet.expected
    killed_and_restarted(fleet, tmp_path / "killed", 20, 7.0, *BEAM)
    assert content(tmp_path / "killed") == content(tmp_path / "quiet")
    assert list((tmp_path / "killed" / "under-way").iterdir()) == []


def test_wrong_options_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_bytes(b"nothing")
    inventory = inventory_in(tmp_path / "inventory.jsonl", [item_of(tmp_path / "a.npz")])
    status, _, errors = run(inventory, tmp_path / "out", *CONVERT, *BEAM, "--", "--runner=NoSuchRunner")
    assert status == 2
    assert errors.splitlines()[-1].startswith("tf2bridge: error: Beam: ")
