"""What the command line of `fleet run` takes, and each command over a few items."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.tf2bridge.fleet import worker
from tests.tf2bridge.fleet.generated import CONVERT, ROOT, archives_in, inventory_in, item_of, rows, run
from tf2bridge.fleet.inventory import Item, Kind


def fleet_run(inventory: Path, out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs `tf2bridge fleet run` as a user does, from the folder of the inventory."""
    command = [sys.executable, "-m", "tf2bridge", "fleet", "run", str(inventory), "--output", str(out), *options]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "TF_CPP_MIN_LOG_LEVEL": "3"}
    return subprocess.run(
        command, cwd=inventory.parent, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.fixture
def inventory(tmp_path: Path) -> Path:
    """Returns the inventory of two archives of arrays."""
    return archives_in(tmp_path, count=2, size=5)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--do", "replay"], "--do replay: give one of convert, export"),
        (["--do", "convert --to nothing"], "--do convert: Invalid value for '--to'"),
        (["--do", "convert --force"], "--force is not for a fleet"),
        (["--do", "compare"], "name the other side first"),
        (["--do", "audit", "--", "--streaming"], "options after -- are for --runner beam"),
        (["--do", "'"], "No closing quotation"),
    ],
)
def test_wrong_usage(inventory: Path, tmp_path: Path, options: list[str], said: str) -> None:
    ended = fleet_run(inventory, tmp_path / "out", *options)
    assert ended.returncode == 2
    assert said in ended.stderr
    assert not (tmp_path / "out").exists()


def test_a_folder_belongs_to_one_run(inventory: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert fleet_run(inventory, out, *CONVERT).returncode == 0
    ended = fleet_run(inventory, out, "--do", "convert --to npz")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "it holds the results of --do 'convert --to safetensors': name another folder" in ended.stderr
    inventory.write_text(inventory.read_text().splitlines(keepends=True)[0])
    ended = fleet_run(inventory, out, *CONVERT)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "it holds the results of another inventory" in ended.stderr


def test_a_folder_of_somebody_else_stays(inventory: Path, tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "text").write_text("text")
    ended = fleet_run(inventory, tmp_path / "own", *CONVERT)
    assert ended.returncode == 2
    assert "no run of `fleet run`" in ended.stderr


def test_the_folder_is_not_inside_an_item(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    inventory = inventory_in(tmp_path / "inventory.jsonl", [Item(str(tree), Kind.REPOSITORY)])
    ended = fleet_run(inventory, tree / "out", "--do", "migrate")
    assert ended.returncode == 2
    assert f"it is inside {tree}, an item of the inventory" in ended.stderr


def test_a_folder_that_cannot_be_made(inventory: Path) -> None:
    ended = fleet_run(inventory, Path("/proc/no/out"), *CONVERT)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)


def test_a_full_disk_ends_the_run_in_one_line(tmp_path: Path) -> None:
    items = []
    for number in range(40):
        (tmp_path / f"{number}.npz").write_bytes(worker.FULL if number == 5 else b"nothing %d" % number)
        items.append(item_of(tmp_path / f"{number}.npz"))
    status, output, errors = run(inventory_in(tmp_path / "inventory.jsonl", items), tmp_path / "out", *CONVERT)
    assert (status, output) == (2, "")
    assert errors == (
        "tf2bridge: error: No space left on device: make room, and start the same command again; "
        "what is done stays done\n"
    )


def test_compare_with_what_an_earlier_run_wrote(inventory: Path, tmp_path: Path) -> None:
    assert fleet_run(inventory, tmp_path / "out", *CONVERT).returncode == 0
    ended = fleet_run(inventory, tmp_path / "compared", "--do", "compare out")
    assert ended.returncode == 0, ended.stderr
    assert [row["verdict"] for row in rows(tmp_path / "compared")] == ["right", "right"]


def test_compare_with_a_file_for_each_item(inventory: Path, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    np.savez(tmp_path / "new" / "0.npz", w=np.full(5, 0, np.float32))
    np.savez(tmp_path / "new" / "1.npz", w=np.full(5, 7, np.float32))
    ended = fleet_run(inventory, tmp_path / "out", "--do", "compare new/{name}")
    assert ended.returncode == 1
    assert [row["verdict"] for row in rows(tmp_path / "out")] == ["right", "different"]


def test_members_of_archives(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", w=np.ones(3, np.float32))
    with zipfile.ZipFile(tmp_path / "models.zip", "w") as archive:
        archive.write(tmp_path / "a.npz", "deep/a.npz")
        archive.writestr("deep/b.npz", b"PK damaged")
    items = [Item(f"models.zip!deep/{name}.npz", Kind.ARRAYS, digest=f"sha256:{name}") for name in "ab"]
    inventory = inventory_in(tmp_path / "inventory.jsonl", items)
    ended = fleet_run(inventory, tmp_path / "out", *CONVERT)
    assert ended.returncode == 1
    right, failed = rows(tmp_path / "out")
    assert (right["verdict"], list(right["files"])) == ("right", ["model.safetensors"])
    assert failed["error"].startswith("models.zip!deep/b.npz: ")
    outcome = json.loads((tmp_path / "out" / right["output"] / "outcome.json").read_text())
    assert outcome["report"]["source"] == "models.zip!deep/a.npz"


def test_migrate_leaves_a_patch_and_one_summary(tmp_path: Path) -> None:
    items = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        program = "import tensorflow as tf\n\nprint(tf.mul(1, 2))\ntf.contrib.nothing.x()\n"
        (tmp_path / name / "train.py").write_text(f"# {name}\n{program}")
        items.append(Item(name, Kind.REPOSITORY))
    inventory = inventory_in(tmp_path / "inventory.jsonl", items)
    ended = fleet_run(inventory, tmp_path / "out", "--do", "migrate")
    assert ended.returncode == 1, ended.stderr
    first = rows(tmp_path / "out")[0]
    assert first["error"].startswith("not proven: ")
    patch = tmp_path / "out" / first["output"] / "changes.patch"
    subprocess.run(["git", "apply", str(patch)], cwd=tmp_path / "one", check=True)
    assert "tf.multiply(1, 2)" in (tmp_path / "one" / "train.py").read_text()
    summary = json.loads((tmp_path / "out" / "migrations.json").read_text())
    assert [repository["path"] for repository in summary["repositories"]] == ["one", "two"]
    assert summary["person"][0]["count"] == 2
    assert summary["person"][0]["first"] == "one/train.py:5"
