"""The folder of a run: one owner of each key, and outcomes that appear whole or not at all."""

from __future__ import annotations

import threading
from multiprocessing import get_context
from pathlib import Path

import pytest

from tf2bridge.fleet import results, store
from tf2bridge.fleet.doing import Do
from tf2bridge.fleet.outcome import Cause, Outcome, Verdict
from tf2bridge.fleet.refusals import OutputError
from tf2bridge.fleet.tasks import Setup

KEY = "ab" * 16


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "inventory.jsonl").touch()
    store.prepare(tmp_path / "out", Do("convert", (), "model", "1"), tmp_path / "inventory.jsonl")
    return tmp_path / "out"


def outcome(path: str) -> Outcome:
    return Outcome(Verdict.RIGHT, path)


def test_a_key_has_one_owner_when_an_item_is_delivered_twice(out: Path) -> None:
    first, second = store.Workshop(out), store.Workshop(out)
    for shop in (first, second):
        Path(shop.begin(KEY), "model").write_text(str(shop.path))
    assert second.commit(KEY, outcome("second")).path == "second"
    assert first.commit(KEY, outcome("first")).path == "second"
    assert store.outcome_of(out, KEY) == outcome("second")
    assert Path(store.folder_of(out, KEY), "model").read_text() == str(second.path)


def test_a_key_has_one_owner_of_many_at_once(out: Path) -> None:
    shops = [store.Workshop(out) for _ in range(8)]
    stands: list[str] = []
    start = threading.Barrier(len(shops))

    def deliver(number: int) -> None:
        Path(shops[number].begin(KEY), "model").write_text(str(number))
        start.wait()
        stands.append(shops[number].commit(KEY, outcome(str(number))).path)

    threads = [threading.Thread(target=deliver, args=(number,)) for number in range(len(shops))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stands) == len(shops)
    assert len(set(stands)) == 1
    assert Path(store.folder_of(out, KEY), "model").read_text() == stands[0]


def test_what_a_killed_worker_leaves_is_removed(out: Path, tmp_path: Path) -> None:
    left = store.Workshop(out)
    Path(left.begin(KEY), "model").write_text("half")
    left._held.close()  # as the system does when the process ends
    busy = store.Workshop(out)
    store.prepare(out, Do("convert", (), "model", "1"), tmp_path / "inventory.jsonl")
    assert [folder.name for folder in (out / "under-way").iterdir()] == [busy.path.name]
    assert store.outcome_of(out, KEY) is None


def test_a_damaged_outcome_is_an_error(out: Path) -> None:
    shop = store.Workshop(out)
    shop.begin(KEY)
    shop.commit(KEY, outcome("a"))
    Path(store.folder_of(out, KEY), store.OUTCOME).write_bytes(b"")
    with pytest.raises(OutputError, match="damaged"):
        store.outcome_of(out, KEY)


@pytest.mark.parametrize(
    ("cause", "limit", "changes"),
    [
        (Cause.TIME, 10.0, False),
        (Cause.TIME, 9.0, True),
        (Cause.MEMORY, 100.0, False),
        (Cause.MEMORY, 99.0, True),
        (Cause.KILLED, None, True),
        (Cause.INPUT, None, False),
        (Cause.CRASHED, None, False),
    ],
)
def test_what_is_done_again(cause: Cause, limit: float | None, changes: bool) -> None:
    setup = Setup((), Do("convert", (), "model", "1"), Path("out"), Path(), 10.0, 100.0, 0)
    assert results.may_change(Outcome(Verdict.FAILED, "a", cause, "why", limit), setup) is changes


def _prepare(out: Path) -> str:
    try:
        store.prepare(out, Do("convert", (), "model", "1"), out.parent / "inventory.jsonl")
    except OutputError as error:
        return str(error)
    return ""


def _use_workshops(out: Path) -> str:
    try:
        for _ in range(100):
            shop = store.Workshop(out)
            shop.begin(KEY)
            shop.discard(KEY)
            shop.close()
    except OSError as error:
        return str(error)
    return ""


def test_a_new_folder_is_not_taken_for_a_leftover(out: Path) -> None:
    with get_context("fork").Pool(4) as pool:
        assert pool.map(_use_workshops, [out] * 4, chunksize=1) == [""] * 4


def test_runs_that_begin_at_once_share_a_folder(tmp_path: Path) -> None:
    (tmp_path / "inventory.jsonl").touch()
    with get_context("fork").Pool(6) as pool:
        for number in range(20):
            assert pool.map(_prepare, [tmp_path / str(number)] * 6, chunksize=1) == [""] * 6
