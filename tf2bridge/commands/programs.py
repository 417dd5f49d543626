"""migrate, run, replay, recorder: programs, and the proof of what they compute."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from codemods.options import given, rule_options
from tf2bridge.commands.output import DIFFERENT, EQUAL, html_option, output_format, print_json, write_page

seeds_option = click.option(
    "--seeds",
    type=click.Choice(["trace", "rule"]),
    help="Op seeds: take those that differ from the trace by name (the default), or leave all to the release's rule.",
)
rtol_option = click.option("--rtol", type=click.FloatRange(min=0), help="Relative tolerance of fetches and variables.")
atol_option = click.option("--atol", type=click.FloatRange(min=0), help="Absolute tolerance of fetches and variables.")


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.option(
    "--output", required=True, type=click.Path(path_type=Path), help="The new tree; must not exist or be empty."
)
@click.option("--entry", help="The program's command line: 'train.py --steps 5' or '-m package.train'.")
@click.option(
    "--trace", type=click.Path(path_type=Path), help="What genuine TensorFlow computed, from `tf2bridge recorder`."
)
@rule_options
@seeds_option
@rtol_option
@atol_option
@output_format
@html_option
def migrate(source: Path, output: Path, **options: Any) -> int:
    """Rewrite the tree SOURCE into OUTPUT and prove it.

    The program is run on TensorFlow 2, and every tensor is compared with the recorded trace.

    A tf2bridge.toml in SOURCE may name the entry, the api, the trace, the seeds and the tolerances.
    """
    from tf2bridge import migrate as steps
    from tf2bridge.migration_report import as_json, print_text

    project = _project(source, options)
    settings = _settings(source, project, options)
    with _progress() as on_call:
        found = steps.migrate(source, output, project, settings, on_call, options["jobs"])
    if options["output_format"] == "json":
        print_json(as_json(found))
    else:
        print_text(found)
    from tf2bridge.migration_page import page

    write_page(options["html"] or output / _report_name(output), page(found, project))
    return EQUAL if found.proven else DIFFERENT


def _report_name(output: Path) -> str:
    """`report.html`, or another name where the tree itself has a file of this one."""
    return "report.html" if not (output / "report.html").exists() else "tf2bridge-report.html"


class _LikePython(click.Command):
    """What follows `-m MODULE`, or the script, is the program's own, as `python` has it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        place = 0
        while place < len(args) and args[place].startswith("-"):
            if args[place].startswith("-m"):
                args.insert(place + (2 if args[place] == "-m" else 1), "--")
                break
            place += 2 if args[place] == "--api" else 1
        return super().parse_args(ctx, args)


@click.command(cls=_LikePython, context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("--api", default="1.15", show_default=True, help="The TensorFlow release the program was written for.")
@click.option("-m", "module", help="Run a module, as `python -m` does.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[SCRIPT] [ARGS]...")
def run(api: str, module: str | None, arguments: Sequence[str]) -> int:
    """Run an untouched legacy program.

    SCRIPT ARGS..., or -m MODULE ARGS..., written for TensorFlow 0.x or 1.x, on TensorFlow 2. With `-m pytest` or
    `-m unittest`, the tests of such a program.
    """
    from tf2bridge.proof.replaying.process import require_tensorflow
    from tf2bridge.run import execute

    if module is None and not arguments:
        raise click.UsageError("name the program to run: tf2bridge run [--api VERSION] SCRIPT ARGS...")
    require_tensorflow("running a program")
    if module is not None:
        return int(execute(None, module, list(arguments), api))
    return int(execute(Path(arguments[0]), None, list(arguments[1:]), api))


@click.command()
@click.argument("trace", type=click.Path(path_type=Path))
@click.option("--api", default="", help="Run an untouched program of this release; without it, a migrated one.")
@click.option("--graph", is_flag=True, help="Run the recorded graphs themselves, and no program.")
@click.option("--no-search", is_flag=True, help="Where tensors differ, do not search the first op that does.")
@seeds_option
@rtol_option
@atol_option
@output_format
@html_option
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
def replay(trace: Path, api: str, graph: bool, command: Sequence[str], **options: Any) -> int:
    """Run a program, or the recorded graphs, and compare with TRACE.

    tf2bridge replay TRACE [OPTIONS] -- train.py ARGS...; the program runs in the current directory.

    tf2bridge replay TRACE --graph: in a v1 session of TensorFlow 2, and as functions.
    """
    if graph == bool(command):
        raise click.UsageError("give either a program (tf2bridge replay TRACE -- train.py ARGS...) or --graph")
    if graph:
        return _replay_graphs(trace, options)
    from tf2bridge.proof.replaying.programs import replay as run_beside
    from tf2bridge.proof.replaying.seeding import FROM_TRACE
    from tf2bridge.proof.reporting.text import as_json, print_text
    from tf2bridge.proof.traces.reader import Trace

    recorded = Trace(trace)
    total = len(recorded.calls)
    with _progress() as on_call:
        on_call(0, total)
        found = run_beside(
            recorded,
            command,
            Path.cwd(),
            api=api,
            seeds=options["seeds"] or FROM_TRACE,
            tolerance=_tolerance(options),
            on_call=lambda calls: on_call(calls, total),
            search=not options["no_search"],
        )
    if options["output_format"] == "json":
        print_json(as_json(found))
    else:
        print_text(found)
    if options["html"] is not None:
        from tf2bridge.proof.reporting.pages import of_replay

        write_page(options["html"], of_replay(found, recorded, command))
    return EQUAL if found.proven else DIFFERENT


def _replay_graphs(trace: Path, options: dict[str, Any]) -> int:
    from tf2bridge.proof.replaying.process import require_tensorflow
    from tf2bridge.proof.reporting.graph_text import as_json, print_text
    from tf2bridge.proof.traces.reader import Trace

    require_tensorflow("running a graph")
    from tf2bridge.proof.replaying.graphs import replay_graphs

    recorded = Trace(trace)
    total = 2 * len(recorded.calls)
    with _progress() as on_call:
        found = replay_graphs(recorded, _tolerance(options), lambda calls: on_call(calls, total))
    if options["output_format"] == "json":
        print_json(as_json(found))
    else:
        print_text(found)
    if options["html"] is not None:
        from tf2bridge.proof.reporting.pages import of_graphs

        write_page(options["html"], of_graphs(found, recorded))
    return EQUAL if found.proven else DIFFERENT


@click.command()
def recorder() -> int:
    """Print the recorder, for the old machine.

    It is one file, to be run where the old TensorFlow still works:

    \b
    tf2bridge recorder > recorder.py
    python recorder.py --output train.trace -- train.py ARGS    # on the old machine
    """
    from tf2bridge.proof.recording.assembled import assembled

    click.echo(assembled(), nl=False)
    return EQUAL


def _project(source: Path, options: dict[str, Any]) -> Any:
    """What tf2bridge.toml says, overruled by the command line."""
    from tf2bridge import config

    project = config.read(source)
    given: dict[str, Any] = {"tolerance": _tolerance(options, project.tolerance)}
    if options["entry"]:
        given["entry"] = config.split_entry(options["entry"])
    for name in ("trace", "seeds"):
        if options[name]:
            given[name] = options[name]
    return dataclasses.replace(project, **given)


def _settings(source: Path, project: Any, options: dict[str, Any]) -> Any:
    """The codemods' choices: the command line, then the api of tf2bridge.toml, then [tool.codemods]."""
    from codemods import config

    chosen = given(options)
    chosen["from_version"] = options["from_version"] or project.api
    return config.settings(source, chosen)


def _tolerance(options: dict[str, Any], otherwise: Any = None) -> Any:
    from tf2bridge.proof.numbers.tolerance import DEFAULT

    given = {name: options[name] for name in ("rtol", "atol") if options[name] is not None}
    return dataclasses.replace(otherwise or DEFAULT, **given)


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """A bar of session calls on standard error; nothing where that is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("running on TensorFlow 2"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("calls", total=None)
        yield lambda calls, total: bar.update(task, completed=min(calls, total), total=total)
