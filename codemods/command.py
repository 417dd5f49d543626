"""The command `codemods check`: reads files, checks them, writes or shows the rewrite, and reports."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import click

from codemods import config, engine
from codemods.errors import CodemodsError, TooLargeError, TraceWithoutNativeError
from codemods.printable import printable, visible
from codemods.progress import bar
from codemods.reading import open_source
from codemods.regular import read_regular
from codemods.report import outcome
from codemods.report.summary import Summary, summarize
from codemods.results import Changed, Failed, FileResult, mentions_tensorflow
from codemods.settings import Settings
from codemods.write import write_atomically, write_named

_STDIN = Path("-")
_CHANGED = "the file has changed since it was read; run codemods again"
# By default, Python looks for reference cycles so often that it takes a seventh of a run, but syntax trees have none.
# The trees of a conversion from Python 2 have cycles; they outlive the first look, and the second one frees them.
COLLECT = (100_000, 5, 100)


@dataclass(frozen=True)
class Options:
    """The command's options; None for an option that was not given."""

    fix: bool
    diff: bool
    output: Path | None
    target: str | None
    from_version: str | None
    select: tuple[str, ...]
    extend_select: tuple[str, ...]
    ignore: tuple[str, ...]
    unsafe_fixes: bool | None
    changed: str | None
    force: bool
    patch_out: Path | None
    add_ignores: bool
    max_size: float | None
    jobs: int | None
    output_format: str
    statistics: bool
    resolve: bool = False
    trace: Path | None = None
    idiomatic: bool | None = None

    @property
    def streams(self) -> bool:
        """Whether findings can be printed during the run, because nothing later changes them."""
        writes = self.fix or self.diff or self.output or self.patch_out or self.add_ignores
        return self.output_format == "text" and not self.statistics and not writes and not sys.stdout.isatty()


def check(paths: Sequence[Path], options: Options) -> int:
    """Runs the check with these options, and returns the exit status. Raises CodemodsError and click.UsageError."""
    _check_usage(paths, options)
    gc.set_threshold(*COLLECT)
    given = {field.name: getattr(options, field.name) for field in fields(Options)}
    settings = config.settings(paths[0], given)
    if _STDIN in paths:
        return _standard_input(options, settings)
    if options.trace is not None and settings.target != "native":
        raise TraceWithoutNativeError(settings.target)
    if settings.target == "native":
        results = _native_results(paths, options, replace(settings, target="compat"))
    else:
        results = _results(paths, options, settings)
    if options.add_ignores:
        from codemods import baseline

        return outcome.baseline(baseline.add(results), options.output_format)
    if options.fix:
        results = _write(results, options.force)
    _say_if_none(results, options)
    _show_diff(results, options)
    summary = summarize(results, written=options.fix or options.output is not None)
    _report(summary, options, to_stderr=options.diff)
    if options.resolve:
        from codemods.symbols import census

        left = census.show([options.output] if options.output is not None else paths, settings)
        return max(summary.status, int(bool(left.dead)))
    return summary.status


def _check_usage(paths: Sequence[Path], options: Options) -> None:
    if sum([options.fix, options.diff, options.output is not None, options.add_ignores]) > 1:
        raise click.UsageError("--fix, --diff, --output and --add-ignores exclude each other: choose one")
    if options.output is not None and (len(paths) != 1 or not paths[0].is_dir()):
        raise click.UsageError("--output copies one directory: name exactly one directory as PATH")
    if _STDIN in paths and len(paths) > 1:
        raise click.UsageError("- (standard input) cannot be combined with other paths")
    if options.changed is not None and (options.output is not None or _STDIN in paths):
        raise click.UsageError("--changed cannot be combined with --output or standard input")


def _results(paths: Sequence[Path], options: Options, settings: Settings) -> list[FileResult]:
    """Checks all files, and prints findings during the run where possible."""
    if options.output is not None:
        return engine.rewrite_tree(paths[0], options.output, settings, options.jobs)
    results: list[FileResult] = []
    with bar() as tell:
        only = _only(paths, options)
        for result in engine.check_paths(paths, settings, options.jobs, only, tell):
            results.append(result)
            if options.streams:
                outcome.stream(result)
    return results


def _native_results(paths: Sequence[Path], options: Options, settings: Settings) -> list[FileResult]:
    """Checks all files, makes programs native where possible, and writes what stands beside them."""
    from codemods.native.facts import facts_of
    from codemods.native.programs import check_native, make_native, write_beside

    root = paths[0] if paths[0].is_dir() else paths[0].parent
    facts = facts_of(options.trace, root) if options.trace is not None else None
    if facts is not None:
        settings = replace(settings, from_version=facts.known_release(settings.from_version))
    if options.output is not None:
        engine.check_output(paths[0], options.output)
        made = check_native(paths[0], settings, options.jobs, facts)
        results = [*made.results, *engine.copy_tree(paths[0], options.output, made.results)]
        write_beside(made, paths[0], options.output)
    else:
        compat = _results(paths, replace(options, statistics=True), settings)
        made = make_native(compat, facts, settings.idiomatic)
        results = made.results
        for path, data in made.beside.items() if options.fix else ():
            write_named(path, data)
    if options.streams:
        for result in results:
            outcome.stream(result)
    return results


def _only(paths: Sequence[Path], options: Options) -> Callable[[Path], bool] | None:
    if options.changed is None:
        return None
    from codemods import git

    folders = {path if path.is_dir() else path.parent for path in paths}
    differ = [git.changed_since(options.changed, folder) for folder in sorted(folders)]
    return lambda path: any(differs(path) for differs in differ)


def _write(results: list[FileResult], force: bool) -> list[FileResult]:
    """Replaces the changed files. A file that cannot be written becomes a failure, and the others are still written."""
    from codemods import git

    changed = [result for result in results if isinstance(result, Changed)]
    unsaved = [] if force else git.uncommitted([Path(result.path) for result in changed])
    if unsaved:
        more = f" and {len(unsaved) - 1} more" if len(unsaved) > 1 else ""
        raise click.UsageError(
            f"{printable(unsaved[0])}{more}: git has no copy of this state (modified or untracked); "
            "commit first, or add --force"
        )
    failed: dict[str, Failed] = {}
    written: set[Path] = set()
    for result in sorted(changed, key=lambda result: Path(result.path).is_symlink()):
        target = Path(result.path).resolve()
        if target not in written:  # a file with several names is written once
            written.add(target)
            failed.update((failure.path, failure) for failure in _write_one(result))
    return [failed.get(result.path, result) for result in results]


def _write_one(result: Changed) -> Iterator[Failed]:
    path = Path(result.path)
    try:
        if read_regular(path, len(result.before)) != result.before:
            yield Failed(result.path, f"{path}: {_CHANGED}")
        else:
            write_atomically(path, result.after)
    except TooLargeError:
        yield Failed(result.path, f"{path}: {_CHANGED}")
    except OSError as error:
        yield Failed(result.path, f"{path}: cannot be read ({error.strerror})")
    except CodemodsError as error:
        yield Failed(result.path, str(error))


def _standard_input(options: Options, settings: Settings) -> int:
    """Checks the text from stdin. With --fix the new text goes to stdout, and the findings go to stderr."""
    if options.output is not None or options.add_ignores or settings.target == "native":
        needed = "--target native" if settings.target == "native" else "--output and --add-ignores"
        verb = "needs" if settings.target == "native" else "need"
        raise click.UsageError(f"{needed} {verb} files as PATH, not standard input")
    data = sys.stdin.buffer.read(settings.max_bytes + 1)
    if len(data) > settings.max_bytes:
        raise TooLargeError("standard input", len(data), settings.max_bytes)
    name = "<stdin>.ipynb" if data.lstrip().startswith(b"{") and b'"cells"' in data else "<stdin>"
    result = engine.check_file(open_source(data, name), settings)
    if options.fix:
        _put_out(result.after if isinstance(result, Changed) else data)
    _show_diff([result], options)
    summary = summarize([result], written=options.fix)
    _report(summary, options, to_stderr=options.fix or options.diff)
    return summary.status


def _say_if_none(results: list[FileResult], options: Options) -> None:
    """Prints a notice if there is nothing to check, because the path is probably wrong."""
    if options.changed is not None:
        return
    if not results:
        click.echo("codemods: found no Python file; name the directory of the legacy program", err=True)
    elif not any(mentions_tensorflow(result) for result in results):
        click.echo("codemods: found no use of TensorFlow; name the directory of the legacy program", err=True)


def _show_diff(results: Sequence[FileResult], options: Options) -> None:
    """Writes the diff to stdout, to a file, or to both, as the options ask for."""
    if options.diff:
        for part in _diffs(results):
            _put_out(part)
    if options.patch_out is not None:
        write_named(options.patch_out, b"".join(_diffs(results)))


def _put_out(data: bytes) -> None:
    """Writes source text to stdout byte for byte; on a terminal, writes control characters as escapes."""
    if sys.stdout.isatty():
        click.echo(visible(data.decode(errors="surrogateescape"), keep="\t\n"), nl=False)
    else:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def _diffs(results: Sequence[FileResult]) -> Iterator[bytes]:
    from codemods.report import diff

    return (diff.unified(result) for result in results if isinstance(result, Changed))


def _report(summary: Summary, options: Options, to_stderr: bool) -> None:
    """Prints findings to stdout, or to stderr if stdout has a diff or a text; prints notices and the sum to stderr."""
    out = sys.stderr if to_stderr else sys.stdout
    if not options.streams:
        outcome.write(summary, options.output_format, out, options.statistics)
    outcome.notices(summary, options.output_format)
