"""Items of a store in `fleet run`: copied for their work, the same results, and nothing of what has changed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tf2bridge.fleet.generated import CONVERT, inventory_in, item_of, rows, run
from tests.tf2bridge.fleet.scanned import FIXTURES, scanned
from tf2bridge.fleet.inventory import Item, Kind

_RUN = FIXTURES / "legacy/generator_freeze/genuine/run"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A folder that is also a store of fsspec, as file://FOLDER."""
    pytest.importorskip("fsspec", reason="pip install 'tf2bridge[stores]'")
    shutil.copytree(_RUN, tmp_path / "store")
    return tmp_path / "store"


def _inventory(store: Path) -> tuple[Path, list[Item]]:
    items = scanned(f"file://{store}")
    return inventory_in(store.parent / "inventory.jsonl", items), items


def test_the_results_are_those_of_local_files(store: Path, tmp_path: Path) -> None:
    inventory, items = _inventory(store)
    here = inventory_in(tmp_path / "here.jsonl", scanned(store))
    status, _, errors = run(inventory, tmp_path / "out", *CONVERT)
    assert (status, run(here, tmp_path / "local", *CONVERT)[0]) == (0, 0), errors
    results = {row["path"].removeprefix("file://"): row for row in rows(tmp_path / "out")}
    for row in rows(tmp_path / "local"):
        assert results[row["path"]]["files"] == row["files"]
        for name in row["files"]:
            written = tmp_path / "out" / results[row["path"]]["output"] / name
            assert written.read_bytes() == (tmp_path / "local" / row["output"] / name).read_bytes()
    assert len(items) == len(results)
    assert list((tmp_path / "out").rglob("fetched")) == []


def test_an_item_that_has_changed_is_said(store: Path, tmp_path: Path) -> None:
    for step, file in [(step, file) for step in (13, 14) for file in store.glob("model.ckpt-12.*")]:
        shutil.copy(file, file.with_name(file.name.replace("12", str(step), 1)))
    inventory, items = _inventory(store)
    changed, larger, gone = [item.path for item in items if item.kind is Kind.CHECKPOINT]
    index = Path(f"{changed.removeprefix('file://')}.index")
    index.write_bytes(index.read_bytes()[:-1] + b"?")
    with Path(f"{larger.removeprefix('file://')}.index").open("ab") as file:
        file.write(b"more")
    for file_of_gone in store.glob(f"{Path(gone).name}.*"):
        file_of_gone.unlink()
    assert run(inventory, tmp_path / "out", *CONVERT)[0] == 1
    errors = {row["path"]: (row["cause"], row["error"]) for row in rows(tmp_path / "out") if row["cause"]}
    assert {path: cause for path, (cause, _) in errors.items()} == dict.fromkeys((changed, larger, gone), "unreadable")
    assert "changed since the scan (its digest is another one): scan again" in errors[changed][1]
    assert "changed since the scan (it had " in errors[larger][1]
    assert gone in errors[gone][1]


def test_a_local_file_that_has_changed_is_said(tmp_path: Path) -> None:
    path = tmp_path / "items" / "a.npz"
    path.parent.mkdir()
    shutil.copy(next(FIXTURES.rglob("*.npz")), path)
    inventory = inventory_in(tmp_path / "inventory.jsonl", [item_of(path)])
    path.write_bytes(path.read_bytes()[::-1])
    assert run(inventory, tmp_path / "out", *CONVERT)[0] == 1
    (row,) = rows(tmp_path / "out")
    assert row["error"] == f"{path}: it has changed since the scan (its digest is another one): scan again"
