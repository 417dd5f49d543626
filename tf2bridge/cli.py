"""The command line of tf2bridge; nothing here imports TensorFlow before a command needs it."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

EQUAL, DIFFERENT, WRONG = 0, 1, 2
_INTERRUPTED = 130

output_format = click.option(
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What to print on standard output.",
)
seeds_option = click.option(
    "--seeds",
    type=click.Choice(["trace", "rule"]),
    help="Op seeds: take those that differ from the trace by name (the default), or leave all to the release's rule.",
)
rtol_option = click.option("--rtol", type=click.FloatRange(min=0), help="Relative tolerance of fetches and variables.")
atol_option = click.option("--atol", type=click.FloatRange(min=0), help="Absolute tolerance of fetches and variables.")

outputs_option = click.option("--outputs", help="Names of tensors, by commas; without it, the serving signature's.")
inputs_option = click.option("--inputs", help="Names of tensors; without it, the placeholders behind the outputs.")
tags_option = click.option("--tags", help="Which graph of a SavedModel: its tags, separated by commas.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tf2bridge", message="tf2bridge %(version)s")
def cli() -> None:
    """Bring TensorFlow 0.x/1.x programs to TensorFlow 2, and prove that they compute the same numbers.

    Exit status: 0 all equal; 1 differences, or not proven; 2 wrong usage or input.
    """


@cli.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.option(
    "--output", required=True, type=click.Path(path_type=Path), help="The new tree; must not exist or be empty."
)
@click.option("--entry", help="The program's command line: 'train.py --steps 5' or '-m package.train'.")
@click.option(
    "--trace", type=click.Path(path_type=Path), help="What genuine TensorFlow computed, from `tf2bridge recorder`."
)
@click.option("--target", type=click.Choice(["compat", "bridge"]), help="What the rewritten program imports.")
@click.option("--from-version", help="The release the program was written for: auto, 0.12, 1.4 ...")
@click.option("--select", help="Only the rules of these codes or families, separated by commas.")
@click.option("--ignore", help="Not the rules of these codes or families.")
@click.option("--unsafe-fixes", is_flag=True, default=None, help="Apply rewrites that may change a number, too.")
@seeds_option
@rtol_option
@atol_option
@output_format
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
        found = steps.migrate(source, output, project, settings, on_call)
    if options["output_format"] == "json":
        _print_json(as_json(found))
    else:
        print_text(found)
    return EQUAL if found.proven else DIFFERENT


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


@cli.command(cls=_LikePython, context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("--api", default="1.15", show_default=True, help="The TensorFlow release the program was written for.")
@click.option("-m", "module", help="Run a module, as `python -m` does.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[SCRIPT] [ARGS]...")
def run(api: str, module: str | None, arguments: Sequence[str]) -> int:
    """Run an untouched legacy program.

    SCRIPT ARGS..., or -m MODULE ARGS..., written for TensorFlow 0.x or 1.x, on TensorFlow 2. With `-m pytest` or
    `-m unittest`, the tests of such a program.
    """
    from tf2bridge.proof.replay import require_tensorflow
    from tf2bridge.run import execute

    if module is None and not arguments:
        raise click.UsageError("name the program to run: tf2bridge run [--api VERSION] SCRIPT ARGS...")
    require_tensorflow("running a program")
    if module is not None:
        return int(execute(None, module, list(arguments), api))
    return int(execute(Path(arguments[0]), None, list(arguments[1:]), api))


@cli.command()
@click.argument("trace", type=click.Path(path_type=Path))
@click.option("--api", default="", help="Run an untouched program of this release; without it, a migrated one.")
@seeds_option
@rtol_option
@atol_option
@output_format
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def replay(trace: Path, api: str, command: Sequence[str], **options: Any) -> int:
    """Run a program and compare it with TRACE.

    tf2bridge replay TRACE [OPTIONS] -- train.py ARGS...; the program runs in the current directory.
    """
    from tf2bridge.proof.replay import replay as run_beside
    from tf2bridge.proof.report import as_json, print_text
    from tf2bridge.proof.seeding import FROM_TRACE
    from tf2bridge.proof.trace import Trace

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
        )
    if options["output_format"] == "json":
        _print_json(as_json(found))
    else:
        print_text(found)
    return EQUAL if found.proven else DIFFERENT


@cli.command()
@click.argument("path", type=click.Path(path_type=Path))
@outputs_option
@inputs_option
@tags_option
@click.option("--html", type=click.Path(path_type=Path), help="Draw the graph into this file, for a browser.")
@click.option("--dot", type=click.Path(path_type=Path), help="Draw the graph into this file, for Graphviz.")
@click.option("--tensorboard", type=click.Path(path_type=Path), help="Write the graph to this log directory.")
@output_format
def inspect(path: Path, output_format: str, **options: Any) -> int:
    """Show what PATH is.

    PATH is a graph, metagraph, SavedModel or hub directory, event file, or a checkpoint with its .meta.
    """
    from tf2bridge.graph import picture
    from tf2bridge.graph.description import described, ends_of, look
    from tf2bridge.graph.event_log import write_log
    from tf2bridge.graph.tables import print_text

    graph = look(path, _listed(options["tags"]))
    ends = ends_of(graph, _listed(options["inputs"]), _listed(options["outputs"]))
    facts = described(graph, ends)
    if options["html"]:
        options["html"].write_text(picture.as_html(graph, ends), "utf-8")
    if options["dot"]:
        options["dot"].write_text(picture.as_dot(graph), "utf-8")
    if options["tensorboard"]:
        write_log(graph.graph_def, options["tensorboard"])
    if output_format == "json":
        _print_json(facts)
    else:
        print_text(facts)
    return EQUAL


@cli.command()
@click.argument("path", type=click.Path(path_type=Path))
@tags_option
@output_format
def audit(path: Path, tags: str | None, output_format: str) -> int:
    """List what the graph in PATH would do besides computing.

    Operations that read or write files, call Python or talk to other processes. Status 1 if there are any.
    """
    from tf2bridge.audit import audit as found_in
    from tf2bridge.graph.description import look

    found = found_in(look(path, _listed(tags)).graph_def)
    if output_format == "json":
        _print_json([dataclasses.asdict(each) for each in found])
    else:
        for each in found:
            click.echo(str(each))
        click.echo(f"{len(found)} operations touch files, Python or other processes", err=True)
    return DIFFERENT if found else EQUAL


@cli.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.argument("output", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["saved_model", "frozen", "tflite"]),
    default="saved_model",
    show_default=True,
    help="What to write.",
)
@outputs_option
@inputs_option
@tags_option
@click.option("--checkpoint", type=click.Path(path_type=Path), help="The variables, if not beside the graph.")
@click.option("--allow-ops", help="Operation types that may touch files or Python, separated by commas.")
@click.option("--sha256", is_flag=True, help="Write OUTPUT.sha256 too, which is checked whenever OUTPUT is loaded.")
@click.option("--force", is_flag=True, help="Write over what is at OUTPUT.")
def export(path: Path, output: Path, form: str, sha256: bool, force: bool, **options: Any) -> int:
    """Write the graph in PATH, with its variables, to OUTPUT.

    Replaces freeze_graph: only what the outputs need is written, nothing of training.
    """
    _quiet_tensorflow("exporting a graph")
    from tf2bridge.graph import checksums
    from tf2bridge.graph.load import BESIDE, load

    if output.exists() and not force:
        raise click.UsageError(f"{output} exists: name another, or pass --force")
    listed = {name: _listed(options[name]) for name in ("outputs", "inputs", "allow_ops", "tags")}
    module = load(
        path,
        listed["outputs"],
        listed["inputs"],
        options["checkpoint"] or BESIDE,
        allow_ops=listed["allow_ops"] or (),
        tags=listed["tags"],
    )
    module.export(output, form)
    checksums.renew(output, sha256)
    ends = ", ".join(f"{name} {spec.shape}" for name, spec in module.outputs.items())
    click.echo(f"{output}: {form} of {', '.join(module.inputs) or 'no inputs'} -> {ends}", err=True)
    return EQUAL


@cli.command()
def recorder() -> int:
    """Print the recorder, for the old machine.

    It is one file, to be run where the old TensorFlow still works:

    \b
    tf2bridge recorder > recorder.py
    python recorder.py --output train.trace -- train.py ARGS    # on the old machine
    """
    click.echo(Path(__file__).with_name("proof").joinpath("recorder.py").read_text("utf-8"), nl=False)
    return EQUAL


def main(args: Sequence[str] | None = None, prog_name: str = "tf2bridge") -> None:
    """Runs the command line and exits; a user's error is one line on standard error and status 2."""
    sys.exit(_guarded(args, prog_name))


def _guarded(args: Sequence[str] | None, prog_name: str) -> int:
    from codemods.errors import CodemodsError
    from tf2bridge.errors import BridgeError

    try:
        status = cli.main(args, prog_name=prog_name, standalone_mode=False)
        sys.stdout.flush()
        return int(status or 0)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (BridgeError, CodemodsError) as error:
        click.echo(f"{prog_name}: error: {error}", err=True)
        return WRONG
    except BrokenPipeError:
        sys.stderr.close()
        return DIFFERENT
    except OSError as error:
        click.echo(f"{prog_name}: error: {error.filename or 'output'}: {error.strerror or error}", err=True)
        return WRONG
    except (KeyboardInterrupt, click.Abort):
        click.echo(f"{prog_name}: interrupted", err=True)
        return _INTERRUPTED


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
    from codemods.settings import codes

    given = {name: options[name] for name in ("target", "unsafe_fixes")}
    given["from_version"] = options["from_version"] or project.api
    given.update({name: codes(options[name] or "") for name in ("select", "ignore")})
    return config.settings(source, given)


def _tolerance(options: dict[str, Any], otherwise: Any = None) -> Any:
    from tf2bridge.proof.numbers import DEFAULT

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


def _quiet_tensorflow(purpose: str) -> None:
    """Makes sure that TensorFlow is there; its notices on the machine are not what was asked for."""
    from tf2bridge.proof.replay import require_tensorflow

    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    require_tensorflow(purpose)


def _listed(names: str | None) -> list[str] | None:
    return names.split(",") if names else None


def _print_json(value: Any) -> None:
    click.echo(json.dumps(value, indent=1, allow_nan=False))
