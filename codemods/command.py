"""`codemods check`: read, check, write or show, report."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import click

from codemods import config, engine
from codemods.errors import CodemodsError, TooLargeError
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
_CHANGED = "it has changed since it was read; run codemods again"
# Trees of syntax hold no cycles worth looking for as often as Python does by itself: a seventh of a run. Those of a
# conversion from Python 2 do, and outlive the first look; with the second they are gone.
COLLECT = (100_000, 5, 100)


@dataclass(frozen=True)
class Options:
    """The command's options as they were given; None where nothing was."""

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

    @property
    def streams(self) -> bool:
        """Whether findings can be printed while the run goes on: nothing that follows says anything else of them."""
        writes = self.fix or self.diff or self.output or self.patch_out or self.add_ignores
        return self.output_format == "text" and not self.statistics and not writes and not sys.stdout.isatty()


def check(paths: Sequence[Path], options: Options) -> int:
    """Do what the options say; return the exit status. Raises CodemodsError and click.UsageError."""
    _check_usage(paths, options)
    gc.set_threshold(*COLLECT)
    given = {field.name: getattr(options, field.name) for field in fields(Options)}
    settings = config.settings(paths[0], given)
    if _STDIN in paths:
        return _standard_input(options, settings)
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
        raise click.UsageError("--fix, --diff, --output and --add-ignores are ways to use the result: choose one")
    if options.output is not None and (len(paths) != 1 or not paths[0].is_dir()):
        raise click.UsageError("--output copies one directory: name exactly one as PATH")
    if _STDIN in paths and len(paths) > 1:
        raise click.UsageError("- (standard input) stands alone")
    if options.changed is not None and (options.output is not None or _STDIN in paths):
        raise click.UsageError("--changed chooses among files: it goes with neither --output nor standard input")


def _results(paths: Sequence[Path], options: Options, settings: Settings) -> list[FileResult]:
    """Check everything; findings are printed at once where that is possible."""
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


def _only(paths: Sequence[Path], options: Options) -> Callable[[Path], bool] | None:
    if options.changed is None:
        return None
    from codemods import git

    folders = {path if path.is_dir() else path.parent for path in paths}
    differ = [git.changed_since(options.changed, folder) for folder in sorted(folders)]
    return lambda path: any(differs(path) for differs in differ)


def _write(results: list[FileResult], force: bool) -> list[FileResult]:
    """Replace the changed files; one that cannot be written becomes a failure, and the rest goes on."""
    from codemods import git

    changed = [result for result in results if isinstance(result, Changed)]
    unsaved = [] if force else git.uncommitted([Path(result.path) for result in changed])
    if unsaved:
        more = f" and {len(unsaved) - 1} more" if len(unsaved) > 1 else ""
        raise click.UsageError(
            f"{printable(unsaved[0])}{more}: git holds no copy of this state (modified or untracked); "
            "commit first, or add --force"
        )
    failed: dict[str, Failed] = {}
    written: set[Path] = set()
    for result in sorted(changed, key=lambda result: Path(result.path).is_symlink()):
        target = Path(result.path).resolve()
        if target not in written:  # under other names too a file is written once, as it is under its own
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
    """Check the text on stdin. With --fix the new text goes to stdout, and the findings to stderr."""
    if options.output is not None or options.add_ignores:
        raise click.UsageError("--output and --add-ignores need files as PATH, not standard input")
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
    """A tree with nothing to look at is more often a wrong path than a finished job."""
    if options.changed is not None:
        return
    if not results:
        click.echo("codemods: no Python file here; name the directory of the legacy program", err=True)
    elif not any(mentions_tensorflow(result) for result in results):
        click.echo("codemods: nothing here uses TensorFlow; name the directory of the legacy program", err=True)


def _show_diff(results: Sequence[FileResult], options: Options) -> None:
    """The diff, where it is asked for: on stdout, in a file, or both."""
    if options.diff:
        for part in _diffs(results):
            _put_out(part)
    if options.patch_out is not None:
        write_named(options.patch_out, b"".join(_diffs(results)))


def _put_out(data: bytes) -> None:
    """Write source text to stdout: byte for byte, but for a person's terminal, which obeys what is in it."""
    if sys.stdout.isatty():
        click.echo(visible(data.decode(errors="surrogateescape"), keep="\t\n"), nl=False)
    else:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def _diffs(results: Sequence[FileResult]) -> Iterator[bytes]:
    from codemods.report import diff

    return (diff.unified(result) for result in results if isinstance(result, Changed))


def _report(summary: Summary, options: Options, to_stderr: bool) -> None:
    """Findings to stdout, unless a diff or a text has it; notices and the sum to stderr."""
    out = sys.stderr if to_stderr else sys.stdout
    if not options.streams:
        outcome.write(summary, options.output_format, out, options.statistics)
    outcome.notices(summary, options.output_format)
