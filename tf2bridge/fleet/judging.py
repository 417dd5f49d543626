"""The outcome of a command that has ended: from its status, what it printed, or its error."""

from __future__ import annotations

import errno
import json
import os
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from codemods.errors import CodemodsError
from codemods.printable import visible
from tf2bridge.errors import BridgeError
from tf2bridge.fleet.inputs import Input
from tf2bridge.fleet.outcome import Cause, Outcome, Verdict
from tf2bridge.fleet.refusals import FleetError
from tf2bridge.systems.memory import is_out_of_memory

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
_LONGEST = 2000
"""The most characters of an error's line."""
_OF_COMMAND = ("tf2bridge: error: ", "tf2bridge: ")


@dataclass(frozen=True)
class Performed:
    """How a command ended.

    Attributes:
        status: its exit status; None if it raised an error.
        output: what it printed on standard output.
        notices: what it printed on standard error.
        error: the error that it raised.
    """

    status: int | None
    output: str
    notices: str
    error: BaseException | None = None


def judged(performed: Performed, folder: str, megabytes: float, source: Input) -> Outcome:
    """Returns the outcome of a command that ran in `folder`, and read its item at `source`.

    Raises FleetError if the disk is full, because then no other item can end well, either.
    """
    if performed.error is not None:
        cause, text = _of_error(performed.error, megabytes)
        limit = megabytes if cause is Cause.MEMORY else None
        return Outcome(Verdict.FAILED, cause=cause, error=_line(text, folder, source), limit=limit)
    report = report_of(source.named(performed.output, is_json=True))
    if performed.status == 0:
        return Outcome(Verdict.RIGHT, report=report, files=files_below(folder))
    text = _last_line(performed.notices)
    if performed.status == 1:
        return Outcome(Verdict.DIFFERENT, error=_line(text, folder, source), report=report, files=files_below(folder))
    text = text or f"it ended with status {performed.status}"
    return Outcome(Verdict.FAILED, cause=Cause.INPUT, error=_line(text, folder, source))


def report_of(output: str) -> Any:
    """Returns the JSON that a command printed; its text if it is none."""
    try:
        return json.loads(output) if output else None
    except ValueError:
        return output


def files_below(folder: str) -> dict[str, int]:
    """Returns the files of a folder, by their relative paths -> bytes."""
    return dict(sorted(_sizes(folder, "")))


def _sizes(folder: str, start: str) -> Iterator[tuple[str, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            name = f"{start}{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                yield from _sizes(entry.path, f"{name}/")
            else:
                yield name, entry.stat(follow_symlinks=False).st_size


def too_little_memory(megabytes: float) -> str:
    """Returns the error of an item that needs more memory than it may use."""
    return f"it needs more than {megabytes:g} MB of memory: give it more with --limit-memory"


def stop_if_full(error: BaseException) -> None:
    """Raises FleetError if an error, or what caused it, means that nothing can be written any more."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.errno in _FULL:
            why = os.strerror(cause.errno)
            raise FleetError(f"{why}: make room, and start the same command again; what is done stays done") from error
        cause = cause.__cause__ or cause.__context__


def _of_error(error: BaseException, megabytes: float) -> tuple[Cause, str]:
    if is_out_of_memory(error):
        return Cause.MEMORY, too_little_memory(megabytes)
    stop_if_full(error)
    if isinstance(error, click.ClickException):
        return Cause.INPUT, error.format_message()
    if isinstance(error, BridgeError | CodemodsError):
        return Cause.INPUT, str(error)
    if isinstance(error, RecursionError):
        return Cause.INPUT, "something in it is nested too deeply"
    if isinstance(error, OSError):
        return Cause.INPUT, f"{error.filename}: {error.strerror}" if error.strerror else str(error)
    if isinstance(error, SystemExit):
        return Cause.CRASHED, f"code of it ended the process with status {error.code}"
    place = traceback.extract_tb(error.__traceback__)[-1]
    return Cause.BUG, f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def _line(text: str, folder: str, source: Input) -> str:
    for start in _OF_COMMAND:
        text = text.removeprefix(start)
    text = source.named(text).replace(f"{folder}{os.sep}", "").replace(folder, ".")
    return visible(text)[:_LONGEST]
