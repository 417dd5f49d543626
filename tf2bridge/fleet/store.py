"""The folder of a run: one folder for each key, which appears whole or not at all, and what was measured.

run.json       what is done, and over which inventory
items/ab/KEY/  the outcome of an item, and the files that were written for it
under-way/     folders of the items that are worked on
measured/      times and attempts, a line of JSON for each item; one file for each run
tasks.txt      the items that are missing, while Beam works on them
    results.jsonl  one line for each item of the inventory, when all are done
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tf2bridge.fleet import outcome as outcomes
from tf2bridge.fleet.doing import Do, do_of
from tf2bridge.fleet.outcome import Outcome
from tf2bridge.fleet.refusals import OutputError
from tf2bridge.formats import sidecars
from tf2bridge.regular_files import text_of
from tf2bridge.systems import folders
from tf2bridge.whole_file import write_whole

OUTCOME = "outcome.json"
RESULTS = "results.jsonl"
TASKS = "tasks.txt"
_BEGINS_S = 2.0
"""The most seconds in which another run that begins here writes its first file."""
_RUN, _ITEMS, _UNDER_WAY, _MEASURED = "run.json", "items", "under-way", "measured"


def prepare(out: Path, do: Do, inventory: Path) -> None:
    """Makes the folder of a run, or checks that it belongs to this inventory and command.

    Raises OutputError.
    """
    wanted = {"do": do.as_json(), "inventory": sidecars.digest_of(inventory)}
    if is_run(out):
        _require_same(out, json.loads(text_of(out / _RUN)), wanted)
    elif _is_of_others(out):
        raise OutputError(out, "it is not empty, and no run of `fleet run`", "name a new folder")
    out.mkdir(parents=True, exist_ok=True)
    write_whole(out / _RUN, json.dumps(wanted, indent=1) + "\n")  # first: another run may begin here, too
    for name in (_ITEMS, _UNDER_WAY, _MEASURED):
        (out / name).mkdir(exist_ok=True)
    _remove_leftovers(out / _UNDER_WAY)


def is_run(out: Path) -> bool:
    """Returns whether a folder belongs to a run."""
    return (out / _RUN).is_file()


def _is_of_others(out: Path) -> bool:
    """Returns whether a folder has content, and does not become the folder of a run while this waits."""
    end = time.monotonic() + _BEGINS_S
    while (names := os.listdir(out) if out.is_dir() else []) and not is_run(out):  # noqa: PTH208
        if not all(name.startswith(f".{_RUN}.") for name in names) or time.monotonic() > end:
            return not is_run(out)
        time.sleep(_BEGINS_S / 100)
    return False


def do_in(out: Path) -> Do:
    """Returns what is done in the folder of a run."""
    return do_of(json.loads(text_of(out / _RUN))["do"])


def _require_same(out: Path, stored: dict[str, Any], wanted: dict[str, Any]) -> None:
    if stored["inventory"] != wanted["inventory"]:
        raise OutputError(out, "it holds the results of another inventory", "name another folder")
    changed = [name for name, value in wanted["do"].items() if json.dumps(value) != json.dumps(stored["do"][name])]
    if changed:
        command = " ".join([stored["do"]["name"], *stored["do"]["words"]])
        if changed == ["contents"]:
            why = f"a file that {command!r} names has changed since"
        elif "version" in changed:
            why = f"it holds the results of tf2bridge {stored['do']['version']}"
        else:
            why = f"it holds the results of --do {command!r}"
        raise OutputError(out, why, "name another folder")


def folder_of(out: Path | str, key: str) -> str:
    """Returns the folder of a key's outcome and files."""
    return f"{out}/{folder_in_run(key)}"


def folder_in_run(key: str) -> str:
    """Returns the same folder, as seen from the folder of the run."""
    return f"{_ITEMS}/{key[:2]}/{key}"


def outcome_of(out: Path, key: str) -> Outcome | None:
    """Returns the outcome of a key, or None if there is none yet."""
    try:
        with open(f"{folder_of(out, key)}/{OUTCOME}", "rb") as file:  # noqa: PTH123  # runs for each item, and takes half the time
            return outcomes.loads(file.read())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise OutputError(Path(folder_of(out, key)), f"its {OUTCOME} is damaged ({error})", "remove it") from error


def _rename(folder: str, place: str) -> None:
    try:
        folders.take_place(folder, place)
    except FileNotFoundError:
        Path(place).parent.mkdir(exist_ok=True)
        folders.take_place(folder, place)


class Workshop:
    """A folder below `under-way` that one process holds, in which items are worked on, one after the other."""

    def __init__(self, out: Path) -> None:
        self.out = out
        while not self._is_begun():  # another process took it for a leftover, before it was locked
            pass

    def _is_begun(self) -> bool:
        self.path = self.out / _UNDER_WAY / secrets.token_hex(8)
        self.path.mkdir()
        try:
            self._held = folders.opened(self.path)
        except FileNotFoundError:
            return False
        try:
            self._held.lock()
            self.path.stat()
        except (BlockingIOError, FileNotFoundError):
            self._held.close()
            return False
        except OSError:  # a store without locks: then nobody removes what is left
            pass
        return True

    def begin(self, key: str) -> str:
        """Returns a new empty folder for the files of an item."""
        folder = f"{self.path}/{key}"
        try:
            os.mkdir(folder)  # noqa: PTH102  # runs for each item; pathlib takes twice as long
        except FileExistsError:  # it belongs to a worker that was ended
            self.discard(key)
            os.mkdir(folder)  # noqa: PTH102
        return folder

    def discard(self, key: str) -> None:
        """Removes the folder of an item, if there is one."""
        with contextlib.suppress(FileNotFoundError):
            folders.discard(self._held, key)

    def commit(self, key: str, outcome: Outcome) -> Outcome:
        """Gives the item's folder its place, with its outcome, and returns the outcome that stands there.

        Only the first owner of a key commits: a folder that is not empty cannot be replaced. Another owner's result
        stays, and is returned.
        """
        folder, place = f"{self.path}/{key}", folder_of(self.out, key)
        with open(f"{folder}/{OUTCOME}", "wb", buffering=0) as file:  # noqa: PTH123
            file.write(outcome.dumps())
        try:
            _rename(folder, place)
        except OSError:
            stands = outcome_of(self.out, key)
            if stands is None:
                raise
            self.discard(key)
            return stands
        return outcome

    def close(self) -> None:
        """Releases the folder, and removes it with all that is in it."""
        self._held.close()
        _remove_leftovers(self.path.parent)


def _remove_leftovers(under_way: Path) -> None:
    """Removes folders that no process holds any more."""
    parent = folders.opened(under_way)
    try:
        for name in parent.names():
            with contextlib.suppress(OSError):  # also BlockingIOError: somebody holds it
                folder = parent.opened(name)
                try:
                    folder.lock()
                    folders.discard(parent, name)
                finally:
                    folder.close()
    finally:
        parent.close()


def replace(out: Path, key: str) -> None:
    """Removes the outcome of a key, so that its item is done again."""
    parent = folders.opened(Path(folder_of(out, key)).parent)
    try:
        folders.discard(parent, key)
    finally:
        parent.close()


def measured(out: Path) -> Iterator[dict[str, Any]]:
    """Yields what was measured, in no certain order: key, path, seconds, attempts, last lines of standard error.

    A line that was not written to its end, because the run was killed, is left out.
    """
    for file in sorted((out / _MEASURED).glob("*.jsonl")):
        with file.open("rb") as lines:
            for line in lines:
                with contextlib.suppress(ValueError):
                    yield json.loads(line)


class Journal:
    """The file of one run with what was measured. Its lines are on the disk after `sync`."""

    def __init__(self, out: Path) -> None:
        self._file = open(out / _MEASURED / f"{secrets.token_hex(8)}.jsonl", "xb", buffering=0)  # noqa: PTH123, SIM115

    def write(self, lines: bytes) -> None:
        """Appends whole lines."""
        self._file.write(lines)

    def sync(self) -> None:
        """Waits until the lines are on the disk."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Waits until the lines are on the disk, and closes the file."""
        self.sync()
        self._file.close()
