"""Ends a command: returns its status, and prints one line on standard error if the command failed."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any

import click

from tf2bridge import systems
from tf2bridge.commands.output import WRONG, say
from tf2bridge.systems import starting, watching
from tf2bridge.systems.limits import memory_limit

_INTERRUPTED = 128 + signal.SIGINT


def interrupted(prog_name: str) -> int:
    """Reports that the command was interrupted, and returns the status."""
    with contextlib.suppress(OSError, ValueError):
        say(f"{prog_name}: interrupted")
    return _INTERRUPTED


def fail(prog_name: str, text: object) -> int:
    """Reports why a command failed, if standard error is open, and returns the status."""
    with contextlib.suppress(OSError, ValueError):
        say(f"{prog_name}: error: {text}")
    return WRONG


def misused(error: click.ClickException) -> int:
    """Reports wrong usage of a command, and returns the status."""
    shown = io.StringIO()
    error.show(shown)
    with contextlib.suppress(OSError, ValueError):
        for line in shown.getvalue().splitlines():
            say(line)
    return error.exit_code


def prepared_output() -> None:
    """Prepares standard output, so that every text can be written and no result is lost silently.

    Characters that its encoding lacks are written as escapes. If standard output is closed, the first write is an
    error, and no file that is opened later gets its descriptor, to which libraries print.
    """
    while (descriptor := os.open(os.devnull, os.O_RDONLY)) <= 2:
        pass
    os.close(descriptor)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", closefd=False)
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


class ClosedPipeError(Exception):
    """The reader of a command's output has closed the pipe; `pipe` is the system's error."""

    def __init__(self, pipe: BrokenPipeError) -> None:
        super().__init__(str(pipe))
        self.pipe = pipe


class Commands(click.Group):
    """A group of commands that raises ClosedPipeError for a closed pipe; click would exit with status 1."""

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with _closed_pipes_raised():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with _closed_pipes_raised():
            return super().invoke(ctx)


@contextlib.contextmanager
def _closed_pipes_raised() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise ClosedPipeError(error) from error


def unwritten(prog_name: str, error: OSError) -> int:
    """Reports what could not be read or written, and returns the status. Pending standard output is dropped."""
    name = error.filename
    if name is None:  # errors of every other file have a name
        name = "standard output"
        with contextlib.suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return fail(prog_name, f"{os.fsdecode(name) if isinstance(name, bytes) else name}: {error.strerror or error}")


def out_of_memory(prog_name: str) -> int:
    """Reports that memory ran out, and returns the status."""
    return fail(prog_name, f"not enough memory{_limit_text()}: give this process more, or name a smaller file")


def to_its_end(prog_name: str, work: Callable[[], int], is_verdict: bool) -> int:
    """Does the work and returns its status. If memory is limited, or the status is a verdict, a child does the work.

    A C++ library that gets no memory aborts the process, so that the process cannot report it. A graph, or code that
    a command gets, can end the process with status 0. So a verdict counts only if the work was completed.
    """
    if watching.is_started():
        return watching.report(work)
    if not is_verdict and (not watching.CAN_FORK or memory_limit() is None):
        return work()
    again = [*starting.command("tf2bridge.commands.command_line"), *sys.argv[1:]]
    ended = watching.forked(work) if watching.CAN_FORK else watching.started(again)
    if isinstance(ended, int):
        return ended  # in the child
    if ended.verdict is not None and ended.status >= 0:
        return ended.status or ended.verdict
    return _without_verdict(prog_name, ended.status, is_verdict)


def _without_verdict(prog_name: str, status: int, is_verdict: bool) -> int:
    """Reports why a command's work was not completed, and returns the command's status, from that of its process."""
    if status >= 0:
        limit = _limit_text()
        early = f"the code that it ran ended the process with status {status}, before there was a verdict"
        if status and limit:  # some libraries end the process in this way if they get no memory
            return fail(prog_name, f"{early}, perhaps because there was not enough memory{limit}")
        return fail(prog_name, early) if is_verdict else status
    number = -status
    if number in systems.ENDING:
        return 128 + number
    if memory_limit() is not None:
        return out_of_memory(prog_name)
    return fail(prog_name, f"{systems.signal_name(number)} ended the process, so there is no verdict")


def _limit_text() -> str:
    limit = memory_limit()
    return f" (ulimit -v is {limit // 1024:,} kB)" if limit is not None else ""
