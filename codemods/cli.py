"""The command `codemods`: check, rules, explain. What it does is elsewhere; libcst and the rules load when needed."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from codemods.errors import CodemodsError
from codemods.options import rule_options
from codemods.printable import printable
from codemods.settings import FORMATS

_WRONG, _INTERRUPTED = 2, 130
_EXHAUSTED: dict[type, str] = {
    MemoryError: "not enough memory; name fewer files at once, use --jobs 1, or give this process more",
    RecursionError: "something is too deeply nested to be processed; name fewer files at once to find it",
}


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tf2bridge", prog_name="codemods")
def app() -> None:
    """Rewrite TensorFlow 0.x/1.x source code for TensorFlow 2.

    Exit status: 0 nothing to do; 1 findings (after --fix: findings that remain); 2 wrong usage, or a file that could
    not be processed.
    """


@app.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--fix", is_flag=True, help="Rewrite the files in place.")
@click.option("--diff", is_flag=True, help="Print what --fix would change; write nothing.")
@click.option("--output", type=click.Path(path_type=Path), help="Write a rewritten copy of the tree here.")
@rule_options
@click.option(
    "--changed",
    is_flag=False,
    flag_value="HEAD",
    metavar="[REF]",
    help="Only files that differ from a git revision, or are untracked.  [REF: HEAD; name paths first]",
)
@click.option("--force", is_flag=True, help="Rewrite files too that git holds no copy of.")
@click.option("--patch-out", type=click.Path(path_type=Path, dir_okay=False), metavar="F", help="Write the diff here.")
@click.option("--add-ignores", is_flag=True, help="Put a comment on each line with a finding: a baseline.")
@click.option("--output-format", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--statistics", is_flag=True, help="Count the findings of each rule instead of listing them.")
@click.option(
    "--trace",
    type=click.Path(path_type=Path),
    help="With --target native: a recording made with `tf2bridge recorder`, which decides what the source does not.",
)
@click.option("--resolve", is_flag=True, help="Then list every use of TensorFlow that does not resolve or bind today.")
@click.pass_context
def check(context: click.Context, /, paths: tuple[Path, ...], **options: Any) -> None:
    """Find, and with --fix mend, what TensorFlow 2 no longer does.

    PATH is a file, a directory (the default is this one), or - for standard input.
    """
    from codemods import command

    context.exit(command.check(paths or (Path(),), command.Options(**options)))


@app.command()
@click.option("--output-format", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True)
def rules(output_format: str) -> None:
    """List every rule."""
    from codemods.report import catalogue

    catalogue.list_rules(output_format)


@app.command()
@click.argument("code")
def explain(code: str) -> None:
    """Say what a rule does and why, with its examples; or what a finding of --target native means."""
    from codemods.report import catalogue

    catalogue.explain(code)


def run(arguments: Sequence[str] | None = None, prog_name: str = "codemods") -> int:
    """Runs the command line and returns its exit status; a user's error is one line on stderr."""
    with contextlib.suppress(OSError, ValueError):  # where stderr itself cannot be written, nothing can be said of it
        try:
            return _run(arguments, prog_name)
        except click.ClickException as error:
            _show(error)
            return error.exit_code
        except click.Abort:
            _say("interrupted; every file is either as it was or whole")
            return _INTERRUPTED
        except (CodemodsError, MemoryError, RecursionError) as error:
            _say(_EXHAUSTED.get(type(error), error))
        except OSError as error:
            _give_up(error)
    return _WRONG


def _run(arguments: Sequence[str] | None, prog_name: str) -> int:
    if sys.stdout is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # for letters that its encoding has not
    try:
        status = app.main(arguments, prog_name=prog_name, standalone_mode=False)
    except SystemExit as ended:
        if ended.code == 1:  # click's own answer to a closed pipe
            raise OSError(errno.EPIPE, os.strerror(errno.EPIPE)) from None
        raise
    sys.stdout.flush()
    return status if isinstance(status, int) else 0


def _show(error: click.ClickException) -> None:
    shown = io.StringIO()
    error.show(shown)
    for line in shown.getvalue().splitlines():
        click.echo(printable(line), err=True)


def _give_up(error: OSError) -> None:
    """Says what could not be read or written; what is still to be written to stdout is thrown away."""
    _say(f"{error.filename or 'standard output'}: {error.strerror or error}")
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(text: object) -> None:
    click.echo(printable(f"codemods: {text}"), err=True)


def main(prog_name: str = "codemods") -> None:
    """Runs the console script."""
    sys.exit(run(None, prog_name))
