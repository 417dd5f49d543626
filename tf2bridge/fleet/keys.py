"""The keys of results, and the command lines of items."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tf2bridge.fleet import store
from tf2bridge.fleet.doing import Do
from tf2bridge.fleet.inventory import Item
from tf2bridge.formats import sidecars

_DIGITS = 32


def key(do: Do, item: Item) -> str:
    """Returns the key of the item's result: items with the same key have the same result."""
    is_shared = item.has_whole_digest and not do.verb.by_path
    facts: list[Any] = [item.digest] if is_shared else [item.digest, item.path, item.bytes, item.files, item.error]
    other = _stamp(other_of(do, item)) if do.other else ""
    parts = [do.version, do.name, *do.words, do.contents, do.other, other, item.kind.value, *facts]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:_DIGITS]


def other_of(do: Do, item: Item) -> str:
    """Returns the path of what an item is compared with."""
    if store.is_run(Path(do.other)):
        return str(_written_for(Path(do.other), item))
    path = Path(item.path)
    text = do.other
    for name, value in {"path": item.path, "name": path.name, "stem": path.stem}.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _written_for(out: Path, item: Item) -> Path:
    """Returns what an earlier run wrote for an item, or would have written."""
    do = store.do_in(out)
    return Path(store.folder_of(out, key(do, item)), do.written or "nothing")


def arguments(do: Do, item: Item, folder: Path, path: str) -> list[str]:
    """Returns the command line for an item that is read at `path`. `folder` is where the run was started."""
    last = os.path.join(folder, other_of(do, item)) if do.other else do.written  # noqa: PTH118
    words = placed(do.words, folder)
    return [do.name, *words, *do.verb.arguments(path, last)]


def placed(words: Sequence[str], folder: Path) -> list[str]:
    """Returns words of which those that name files are absolute paths."""
    return [str(folder / word) if (folder / word).exists() else word for word in words]


def contents_of(words: Sequence[str]) -> str:
    """Returns a digest of the files that words name; of folders, their names alone count."""
    files = [path for path in map(Path, words) if path.is_file()]
    digests = b"".join(bytes.fromhex(sidecars.digest_of(file)) for file in files)
    return hashlib.sha256(digests).hexdigest() if files else ""


def _stamp(path: str) -> str:
    """Returns sizes and times of the other side's files, so that new ones are compared again."""
    facts = [file.stat() for file in sidecars.parts_of(Path(path))]
    return ";".join(f"{fact.st_size} {fact.st_mtime_ns}" for fact in facts)
