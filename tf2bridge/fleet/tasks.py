"""What a worker is told: the set-up of the run, then one task for each item; and what it answers."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tf2bridge.fleet.doing import Do, do_of
from tf2bridge.fleet.inventory import ENCODER, Item, item_of


@dataclass(frozen=True)
class Setup:
    """What is the same for all items of a run.

    Attributes:
        keeper: the command line that starts a warm process. It runs commands, which stand above this part.
        do: the command.
        out: the folder of the run.
        folder: the folder in which the run was started; relative paths are seen from it.
        seconds: how long an item may take.
        megabytes: how much memory an item may use.
        retries: how often an item is tried again, if that may help.
    """

    keeper: tuple[str, ...]
    do: Do
    out: Path
    folder: Path
    seconds: float
    megabytes: float
    retries: int

    def dumps(self) -> bytes:
        """Returns the set-up as a line of JSON."""
        stored = dataclasses.asdict(self) | {"out": str(self.out), "folder": str(self.folder)}
        return json.dumps(stored).encode() + b"\n"


def setup_of(line: bytes) -> Setup:
    """Returns the set-up that `dumps` gave."""
    stored = json.loads(line)
    return Setup(
        **{
            **stored,
            "keeper": tuple(stored["keeper"]),
            "do": do_of(stored["do"]),
            "out": Path(stored["out"]),
            "folder": Path(stored["folder"]),
        }
    )


@dataclass(frozen=True)
class Task:
    """An item that is to be done.

    Attributes:
        key: the key of its result.
        of_inventory: its line in the inventory, which is passed on as it is.
        size: the bytes of its files, by which the run decides how many tasks it gives at once; a worker is not told.
    """

    key: str
    of_inventory: bytes
    size: int = 0

    @cached_property
    def item(self) -> Item:
        """The item, which is read from its line when it is first asked for."""
        return item_of(self.of_inventory.decode("ascii"))

    @cached_property
    def line(self) -> bytes:
        """The task as one line, which `task_of` reads."""
        return b"%s %s\n" % (self.key.encode("ascii"), self.of_inventory.strip())


def task_of(line: bytes) -> Task:
    """Returns the task of a line."""
    key, _, of_inventory = line.partition(b" ")
    return Task(key.decode("ascii"), of_inventory)


@dataclass(frozen=True)
class Answer:
    """What a worker says about a task, or, with `stop`, about the whole run.

    Attributes:
        key: the key of the task.
        path: the path of its item.
        verdict: the verdict, or None if the item is tried again.
        cause: the cause of a failure.
        error: why it failed or differs, in one line.
        seconds: how long the work took.
        attempt: the number of the attempt, from 1.
        stderr: the last lines of standard error of a process that has ended.
        stop: why the whole run cannot go on.
        leaves: whether the process that answers ends now, so that its other tasks go to a new one.
    """

    key: str
    path: str
    verdict: str | None = None
    cause: str | None = None
    error: str | None = None
    seconds: float = 0.0
    attempt: int = 1
    stderr: str | None = None
    stop: str | None = None
    leaves: bool = False

    @property
    def is_last(self) -> bool:
        """Whether no other answer to the task follows."""
        return self.stop is None and self.verdict is not None

    def dumps(self) -> bytes:
        """Returns the answer as a line of JSON, without what has its default."""
        stored: dict[str, Any] = {"key": self.key, "path": self.path}
        for field in _OPTIONAL:
            if (value := getattr(self, field.name)) != field.default:
                stored[field.name] = value
        return ENCODER.encode(stored).encode("ascii") + b"\n"


_OPTIONAL = dataclasses.fields(Answer)[2:]


def answer_of(line: bytes) -> Answer:
    """Returns the answer of a line."""
    return Answer(**json.loads(line))
