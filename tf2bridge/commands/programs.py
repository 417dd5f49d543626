"""The commands `tf2bridge migrate` and `tf2bridge run`, for programs on TensorFlow 2."""

from __future__ import annotations

import dataclasses
import itertools
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codemods.options import given, rule_options
from tf2bridge.commands.output import DIFFERENT, EQUAL, html_option, output_format, print_json, write_page
from tf2bridge.commands.proving import (
    atol_option,
    feeds_option,
    onednn_option,
    progress,
    rounding_option,
    rtol_option,
    say_what_runs,
    search_option,
    seeds_option,
    tolerance_of,
)
from tf2bridge.whole_file import write_bytes, write_whole

if TYPE_CHECKING:
    from codemods.results import FileResult


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.option(
    "--output", required=True, type=click.Path(path_type=Path), help="The new tree; it must not exist, or be empty."
)
@click.option("--entry", help="The program's command line: 'train.py --steps 5' or '-m package.train'.")
@click.option(
    "--trace",
    type=click.Path(path_type=Path),
    help="The recording of genuine TensorFlow, made with `tf2bridge recorder`.",
)
@click.option(
    "--patch-out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="F",
    help="Write what the rewriting changes here, for `git apply`.",
)
@click.option(
    "--sarif", type=click.Path(path_type=Path, dir_okay=False), metavar="F", help="Write the findings here, as SARIF."
)
@click.option(
    "--model-from-graph",
    is_flag=True,
    help="With --target native: where the source cannot give a program's model, write the recorded graph as its model.",
)
@rule_options
@seeds_option
@feeds_option
@search_option
@rounding_option
@rtol_option
@atol_option
@onednn_option
@output_format
@html_option
def migrate(source: Path, output: Path, **options: Any) -> int:
    """Rewrite the tree SOURCE into OUTPUT, and prove that it computes the same.

    The program runs on TensorFlow 2, and every tensor is compared with the recorded trace.

    A tf2bridge.toml in SOURCE may name the entry, the api, the trace, the seeds and the tolerances.
    """
    from tf2bridge.migration import steps
    from tf2bridge.migration.report import as_json, print_text

    project = _project(source, options)
    settings = _settings(source, project, options)
    if options["model_from_graph"] and (settings.target != "native" or project.trace is None):
        raise click.UsageError("--model-from-graph needs --target native, and the trace that holds the graph (--trace)")
    with progress("running on TensorFlow 2") as on_call:
        migration = steps.migrate(
            source,
            output,
            project,
            settings,
            on_start=lambda: say_what_runs(project.entry, f"a copy of {output}"),
            on_call=on_call,
            jobs=options["jobs"],
            search=not options["no_search"],
            model_from_graph=options["model_from_graph"],
        )
    files = [_seen_from(source, result) for result in migration.files]
    _write_rewriting(files, options["patch_out"], options["sarif"])
    if options["output_format"] == "json":
        print_json(as_json(migration))
    else:
        print_text(migration)
    from tf2bridge.migration.page import page

    write_page(options["html"] or output / _report_name(output), page(migration, project))
    return EQUAL if migration.passes(options["accept_rounding"]) else DIFFERENT


def _seen_from(source: Path, result: FileResult) -> FileResult:
    """Returns a result with paths below the tree, as a patch of the tree has them."""
    from codemods.results import Changed, Unchanged

    path = Path(os.path.relpath(result.path, source)).as_posix()
    if isinstance(result, Changed | Unchanged):
        findings = tuple(dataclasses.replace(finding, path=path) for finding in result.findings)
        return dataclasses.replace(result, path=path, findings=findings)
    return dataclasses.replace(result, path=path)


def _write_rewriting(files: Sequence[FileResult], patch: Path | None, sarif: Path | None) -> None:
    from codemods.report import diff
    from codemods.report import sarif as findings
    from codemods.report.summary import summarize
    from codemods.results import Changed

    if patch is not None:
        write_bytes(patch, b"".join(diff.unified(result) for result in files if isinstance(result, Changed)))
    if sarif is not None:
        write_whole(sarif, findings.dumps(summarize(files, written=True)) + "\n")


def _report_name(output: Path) -> str:
    """Returns `report.html`, or another name if the tree already has that one."""
    names = itertools.chain(["report.html"], (f"tf2bridge-report{number or ''}.html" for number in itertools.count()))
    return next(name for name in names if not os.path.lexists(output / name))


class _LikePython(click.Command):
    """A command that passes all arguments after `-m MODULE`, or after the script, to the program, as `python` does."""

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
    """Run an unchanged legacy program.

    The program is SCRIPT ARGS... or -m MODULE ARGS..., written for TensorFlow 0.x or 1.x. It runs on TensorFlow 2.
    `-m pytest` or `-m unittest` runs the tests of such a program.

    TensorFlow's oneDNN stays on, as without tf2bridge. So the last digits depend on the processor, and quantized values
    may differ by a whole step. TF_ENABLE_ONEDNN_OPTS=0 in the environment turns it off.
    """
    from tf2bridge.proof.replaying.process import require_tensorflow
    from tf2bridge.run import execute

    if module is None and not arguments:
        raise click.UsageError("name the program to run: tf2bridge run [--api VERSION] SCRIPT ARGS...")
    require_tensorflow("running a program")
    if module is not None:
        return int(execute(None, module, list(arguments), api))
    return int(execute(Path(arguments[0]), None, list(arguments[1:]), api))


def _project(source: Path, options: dict[str, Any]) -> Any:
    """Returns the settings of tf2bridge.toml, overridden by the command line."""
    from tf2bridge.migration import config

    try:
        project = config.read(source, options["entry"] or "", options["trace"])
    except ValueError as error:
        raise click.UsageError(f"--entry {options['entry']}: {error}") from error
    given: dict[str, Any] = {"tolerance": tolerance_of(options, project.tolerance)}
    given |= {name: options[name] for name in ("seeds", "feeds") if options[name]}
    return dataclasses.replace(project, **given)


def _settings(source: Path, project: Any, options: dict[str, Any]) -> Any:
    """Returns the settings of codemods: from the command line, else the api of tf2bridge.toml, else [tool.codemods]."""
    from codemods import config

    chosen = given(options)
    chosen["from_version"] = options["from_version"] or project.api
    return config.settings(source, chosen)
