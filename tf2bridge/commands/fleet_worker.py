"""The warm process of `tf2bridge fleet run`: it imports what the command needs, and runs it for each item."""

from __future__ import annotations

import contextlib
import functools
import importlib
import io
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout

from tf2bridge import quiet_start
from tf2bridge.commands.lines import Lines
from tf2bridge.fleet import child, keeper
from tf2bridge.fleet.judging import Performed

_NEEDED = {
    "convert": ("tf2bridge.checkpoint.writing.converting", "safetensors.numpy"),
    "export": ("tf2bridge.graph.load",),
    "decompile": ("tf2bridge.decompile.decompiling", "tf2bridge.graph.load"),
    "seal": ("tf2bridge.formats.sealing",),
    "audit": ("tf2bridge.formats.graphs.audit", "tf2bridge.formats.graphs.reader"),
    "compare": ("tf2bridge.proof.comparing.any_two", "tf2bridge.proof.reporting.comparison_text"),
    "migrate": ("tf2bridge.migration.steps", "codemods.engine", "libcst"),
}
"""What each command imports when it runs; here it is imported once, before the workers are forked."""


def perform(arguments: Sequence[str]) -> Performed:
    """Runs a command line of tf2bridge in this process."""
    output, notices = io.StringIO(), io.StringIO()
    with redirect_stdout(output), redirect_stderr(notices):
        try:
            status = _lines().run(arguments)
        except BaseException as error:
            return Performed(None, output.getvalue(), notices.getvalue(), error)
    return Performed(int(status or 0), output.getvalue(), notices.getvalue())


@functools.cache
def _lines() -> Lines:
    from tf2bridge.commands.command_line import cli

    return Lines(cli, "tf2bridge")


def main(perform: child.Perform = perform) -> None:
    """Keeps a worker for the run that started this process, until the run closes the connection."""
    tasks, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):
        os.dup2(nothing, number)
    quiet_start.choose()
    setup = keeper.setup_from(tasks)
    sys.path.append(str(setup.folder))  # for package.module:function, which is found from there
    importlib.import_module("tf2bridge.commands.command_line")
    of_models = ("tensorflow", "keras") if setup.do.keeps_apart else ()
    for name in (*_NEEDED[setup.do.name], *of_models):
        with contextlib.suppress(ImportError):  # the command says what it needs, for each item
            importlib.import_module(name)
    keeper.Keeper(setup, perform, tasks, answers).run()
