"""`fleet run --runner beam`: the same results as in processes of this machine, byte for byte.

Apache Beam is large, and no package of the tests: `pip install 'tf2bridge[beam]'` lets them run.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tf2bridge.fleet.generated import CONVERT, content, fleet_in, inventory_in, item_of, run

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


def test_wrong_options_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_bytes(b"nothing")
    inventory = inventory_in(tmp_path / "inventory.jsonl", [item_of(tmp_path / "a.npz")])
    status, _, errors = run(inventory, tmp_path / "out", *CONVERT, *BEAM, "--", "--runner=NoSuchRunner")
    assert status == 2
    assert errors.splitlines()[-1].startswith("tf2bridge: error: Beam: ")
