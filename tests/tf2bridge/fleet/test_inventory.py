"""The inventory: what is written is read back, and a line that is no item is an error with its number."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tf2bridge.fleet.inventory import Item, Kind, item_of, read
from tf2bridge.fleet.refusals import InventoryError

_ITEMS = (
    Item("a/model.ckpt-1", Kind.CHECKPOINT, "1.15.5", 10, 3, "sha256:00", "a/model.ckpt", ("PyFunc", "ReadFile")),
    Item(os.fsdecode(b"b/\xff\n\x1b[1m</script>\xe2\x80\xae"), Kind.FILE, error="no UTF-8"),
)


def _written(folder: Path, *lines: str) -> Path:
    path = folder / "inventory.jsonl"
    path.write_text("".join(lines), "ascii", newline="\n")
    return path


def test_items_are_read_as_they_were_written(tmp_path: Path) -> None:
    assert tuple(read(_written(tmp_path, *(item.line() for item in _ITEMS)))) == _ITEMS


def test_an_item_is_one_line_of_ascii_whatever_its_name() -> None:
    for item in _ITEMS:
        assert item.line().isascii()
        assert item.line().count("\n") == 1


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "{}",
        '{"path": "a"}',
        json.dumps(json.loads(_ITEMS[0].line()) | {"bytes": "10"}),
        json.dumps(json.loads(_ITEMS[0].line()) | {"files": True}),
        json.dumps(json.loads(_ITEMS[0].line()) | {"kind": "cheese"}),
        json.dumps(json.loads(_ITEMS[0].line()) | {"refused": [1]}),
        "[" * 100_000,
        "1" * 5000,
    ],
)
def test_a_line_that_is_no_item_is_an_error_with_its_number(tmp_path: Path, line: str) -> None:
    path = _written(tmp_path, _ITEMS[0].line(), f"{line}\n")
    with pytest.raises(InventoryError, match=r"inventory\.jsonl:2: is no item"):
        list(read(path))
    with pytest.raises(ValueError):
        item_of(line)


def test_a_line_without_end_is_not_read_into_memory(tmp_path: Path) -> None:
    path = tmp_path / "inventory.jsonl"
    path.touch()
    os.truncate(path, 1 << 33)  # eight gigabytes of zero bytes without a line break
    with pytest.raises(InventoryError, match="more than 1,048,576 bytes"):
        list(read(path))
