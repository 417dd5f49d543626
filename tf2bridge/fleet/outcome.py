"""What became of an item: its verdict, the cause of a failure, and the files that were written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any

from tf2bridge.fleet.inventory import ENCODER


class Verdict(str, Enum):
    """What the command said about an item."""

    RIGHT = "right"
    DIFFERENT = "different"
    """The command found differences, refused operations, or an incomplete plan: its status is 1."""
    FAILED = "failed"
    NOT_FOR_THIS_KIND = "not for this kind"
    """The command does not take such items. This is no failure."""

    @property
    def passes(self) -> bool:
        return self in (Verdict.RIGHT, Verdict.NOT_FOR_THIS_KIND)


class Cause(str, Enum):
    """Why an item failed."""

    INPUT = "input"
    """The command refused it, with the line that `error` holds."""
    UNREADABLE = "unreadable"
    """The inventory says that it cannot be read, or it is not on this machine."""
    TIME = "time"
    MEMORY = "memory"
    KILLED = "killed"
    """Something else ended its process, such as the system when memory was short."""
    CRASHED = "crashed"
    """Its process ended itself: a native library aborted, or read memory that is not its own."""
    BUG = "bug"
    """tf2bridge, or a library, raised an error that is not about the input."""

    @property
    def may_pass(self) -> bool:
        """Whether the same work may end well when it is tried again."""
        return self in (Cause.TIME, Cause.KILLED)


@dataclass(frozen=True)
class Outcome:
    """The result of a command on an item. Nothing in it depends on the time, the machine, or earlier attempts.

    Attributes:
        verdict: the verdict.
        path: the path of the item that was worked on: the first one of several that are equal.
        cause: why it failed; None if it did not.
        error: why it failed or differs, in one line.
        limit: the seconds or megabytes that were not enough, for the causes TIME and MEMORY.
        files: the written files, by their paths in the item's folder -> bytes.
        report: what the command printed, as JSON.
    """

    verdict: Verdict
    path: str = ""
    cause: Cause | None = None
    error: str | None = None
    limit: float | None = None
    files: Mapping[str, int] = field(default_factory=dict)
    report: Any = None

    def dumps(self) -> bytes:
        """Returns the outcome as one line of JSON."""
        return ENCODER.encode({name: getattr(self, name) for name in _NAMES}).encode("ascii") + b"\n"


_NAMES = [field.name for field in fields(Outcome)]


def loads(data: bytes) -> Outcome:
    """Returns the outcome of a line of JSON. Raises ValueError and KeyError for anything else."""
    stored = json.loads(data)
    stored["verdict"] = Verdict(stored["verdict"])
    stored["cause"] = None if stored["cause"] is None else Cause(stored["cause"])
    return Outcome(**stored)
