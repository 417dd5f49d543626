"""`codemods check`: read, check, write or show, report."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import click

from codemods import config, dirty, engine
from codemods.errors import CodemodsError
from codemods.report import as_json, diff, text
from codemods.report.summary import Summary, sentence, summarize
from codemods.results import Changed, Failed, FileResult, mentions_tensorflow
from codemods.settings import Settings
from codemods.source import decode
from codemods.write import write_atomically

_STDIN = Path("-")


@dataclass(frozen=True)
class Options:
    """The command's options as they were given; None where nothing was."""

    fix: bool
    diff: bool
    output: Path | None
    target: str | None
    from_version: str | None
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    unsafe_fixes: bool | None
    force: bool
    max_size: float | None
    output_format: str
    statistics: bool


def check(paths: Sequence[Path], options: Options) -> int:
    """Do what the options say; return the exit status. Raises CodemodsError and click.UsageError."""
    _check_usage(paths, options)
    given = {field.name: getattr(options, field.name) for field in fields(Options)}
    settings = config.settings(paths[0], given)
    if _STDIN in paths:
        return _standard_input(options, settings)
    if options.output is not None:
        results: list[FileResult] = engine.rewrite_tree(paths[0], options.output, settings)
    else:
        results = list(engine.check_paths(paths, settings))
    if options.fix:
        results = _write(results, options.force)
    _say_if_none(results)
    if options.diff:
        click.echo("".join(diff.unified(result) for result in results if isinstance(result, Changed)), nl=False)
    summary = summarize(results, written=options.fix or options.output is not None)
    _report(summary, options, to_stderr=options.diff)
    return summary.status


def _check_usage(paths: Sequence[Path], options: Options) -> None:
    if sum([options.fix, options.diff, options.output is not None]) > 1:
        raise click.UsageError("--fix, --diff and --output are three ways to use the result: choose one")
    if options.output is not None and (len(paths) != 1 or not paths[0].is_dir()):
        raise click.UsageError("--output copies one directory: name exactly one as PATH")
    if _STDIN in paths and len(paths) > 1:
        raise click.UsageError("- (standard input) stands alone")


def _write(results: list[FileResult], force: bool) -> list[FileResult]:
    """Replace the changed files; one that cannot be written becomes a failure, and the rest goes on."""
    changed = [Path(result.path) for result in results if isinstance(result, Changed)]
    unsaved = [] if force else dirty.uncommitted(changed)
    if unsaved:
        more = f" and {len(unsaved) - 1} more" if len(unsaved) > 1 else ""
        raise click.UsageError(
            f"{unsaved[0]}{more}: git holds no copy of this state (modified or untracked); commit first, or add --force"
        )
    return [_written(result) if isinstance(result, Changed) else result for result in results]


def _written(result: Changed) -> FileResult:
    try:
        write_atomically(Path(result.path), result.after)
    except CodemodsError as error:
        return Failed(result.path, str(error))
    return result


def _standard_input(options: Options, settings: Settings) -> int:
    """Check the text on stdin. With --fix the new text goes to stdout, and the findings to stderr."""
    if options.output is not None:
        raise click.UsageError("--output needs a directory as PATH, not standard input")
    data = sys.stdin.buffer.read()
    source = decode(data, "<stdin>")
    result = engine.check_file(source, settings)
    if options.fix:
        sys.stdout.buffer.write(result.after if isinstance(result, Changed) else data)
        sys.stdout.flush()
    if options.diff and isinstance(result, Changed):
        click.echo(diff.unified(result), nl=False)
    summary = summarize([result], written=options.fix)
    _report(summary, options, to_stderr=options.fix or options.diff)
    return summary.status


def _say_if_none(results: list[FileResult]) -> None:
    """A tree with nothing to look at is more often a wrong path than a finished job."""
    if not results:
        click.echo("codemods: no Python file here; name the directory of the legacy program", err=True)
    elif not any(mentions_tensorflow(result) for result in results):
        click.echo("codemods: nothing here uses TensorFlow; name the directory of the legacy program", err=True)


def _report(summary: Summary, options: Options, to_stderr: bool) -> None:
    """Findings to stdout, unless a diff or a text has it; notices and the sum to stderr."""
    if options.output_format == "json":
        click.echo(as_json.dumps(summary), err=to_stderr)
    else:
        text.write(summary, sys.stderr if to_stderr else sys.stdout, options.statistics)
    for item in summary.skipped:
        click.echo(f"{item.path}: skipped: {item.reason}", err=True)
    for failure in summary.failed:
        click.echo(f"codemods: {failure.error}", err=True)
    if options.output_format == "text":
        click.echo(sentence(summary), err=True)
