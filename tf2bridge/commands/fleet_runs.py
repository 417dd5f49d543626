"""The command `tf2bridge fleet run`: one command over all items of an inventory."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tf2bridge import systems
from tf2bridge.commands.output import DIFFERENT, EQUAL, output_format, print_json, print_lines, say
from tf2bridge.errors import MissingExtraError
from tf2bridge.fleet.verbs import VERBS

if TYPE_CHECKING:
    from tf2bridge.fleet.doing import Do
    from tf2bridge.fleet.results import Summary

WORKER = "tf2bridge.commands.fleet_worker"
"""The module of the warm processes."""
_SECONDS = 600.0
_MOST_REASONS = 8


@click.command(name="run")
@click.argument("inventory", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--do",
    "command",
    required=True,
    metavar="COMMAND",
    help=f"The command for each item, with its options: {', '.join(VERBS)}.",
)
@click.option("--output", "-o", required=True, type=click.Path(path_type=Path), help="The folder of the results.")
@click.option("--jobs", type=click.IntRange(1), help="How many items are done at once.  [default: one for each core]")
@click.option(
    "--limit-time",
    type=click.FloatRange(0, min_open=True),
    default=_SECONDS,
    show_default=True,
    help="Seconds that an item may take.",
)
@click.option(
    "--limit-memory",
    type=click.FloatRange(1),
    help="Megabytes that an item may use.  [default: the memory of this machine, divided by --jobs]",
)
@click.option(
    "--retries",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="How often an item is tried again that took too long, or was killed.",
)
@click.option(
    "--runner",
    type=click.Choice(["local", "beam"]),
    default="local",
    show_default=True,
    help="Processes of this machine; or Apache Beam, with its own options after --.",
)
@click.argument("beam_options", metavar="[-- BEAM OPTIONS]", nargs=-1, type=click.UNPROCESSED)
@output_format
def run(
    inventory: Path,
    command: str,
    output: Path,
    runner: str,
    beam_options: Sequence[str],
    output_format: str,
    **given: Any,
) -> int:
    """Do a command for each item of INVENTORY, which `tf2bridge fleet scan` wrote.

    Each item has a process and limits of its own. What crashes, hangs or takes too much memory is one failed item. The
    same command, started again, does only what is missing. results.jsonl in the output folder has a line for each item.

    The other side of `compare` follows it: a path, with {path}, {name} or {stem} of the item; or the output folder of
    an earlier run, whose file for the same item is compared.

    Status 0 if all items are right; 1 if some failed or differ; 2 for wrong usage.
    """
    from tf2bridge.fleet import progress, running
    from tf2bridge.fleet.tasks import Setup
    from tf2bridge.systems import starting
    from tf2bridge.systems.limits import memory_of_machine

    if beam_options and runner != "beam":
        raise click.UsageError(f"{' '.join(beam_options)}: options after -- are for --runner beam")
    do = _do(command)
    jobs = given["jobs"] or systems.cores()
    megabytes = given["limit_memory"] or memory_of_machine() / 1e6 / jobs
    output = Path(os.path.abspath(output))  # noqa: PTH100  # links stay as they are named
    keeper = tuple(starting.command(WORKER))
    setup = Setup(keeper, do, output, Path.cwd(), given["limit_time"], round(megabytes, 1), given["retries"])
    if runner == "beam":
        from tf2bridge.fleet import beam

        _require_beam()
        summary = beam.run(setup, inventory, beam_options)
    else:
        with progress.shown(do.name) as tell:
            summary = running.run(setup, inventory, jobs, tell)
    if output_format == "json":
        print_json(dataclasses.asdict(summary))
    else:
        print_lines([*_lines(summary), *(_migration_lines(output) if do.name == "migrate" else [])])
        say(f"results: {output / 'results.jsonl'}")
    return EQUAL if summary.passes else DIFFERENT


def _require_beam() -> None:
    if importlib.util.find_spec("apache_beam") is None:
        raise MissingExtraError("apache-beam", "beam", "--runner beam")


def _do(text: str) -> Do:
    """Returns the command of `--do`. Raises UsageError for what the command itself would not take."""
    from tf2bridge.fleet.doing import Do
    from tf2bridge.fleet.keys import contents_of
    from tf2bridge.fleet.store import is_run

    try:
        name, *words = systems.split(text)
    except ValueError as error:
        raise click.UsageError(f"--do {text!r}: {error or 'names no command'}") from error
    if name not in VERBS:
        raise click.UsageError(f"--do {name}: give one of {', '.join(VERBS)}")
    verb, other = VERBS[name], ""
    if name == "compare":
        if not words or words[0].startswith("-"):
            raise click.UsageError("--do compare: name the other side first, such as 'compare {path}.npz'")
        other = words.pop(0)
        other = os.path.abspath(other) if is_run(Path(other)) else other  # noqa: PTH100
    for word in words:
        if word.partition("=")[0] in verb.own:
            raise click.UsageError(f"--do {text!r}: {word} is not for a fleet, which decides this itself")
    options = _options(name, words)
    return Do(name, tuple(words), verb.written(options), _version(), contents_of(words), other)


def _version() -> str:
    """Returns the version of tf2bridge, or "source" if it runs from a folder and is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # slow to import

    try:
        return version("tf2bridge")
    except PackageNotFoundError:
        return "source"


def _options(name: str, words: Sequence[str]) -> dict[str, Any]:
    """Returns the values of a command's options. Raises UsageError for wrong ones."""
    group = click.get_current_context().find_root().command
    assert isinstance(group, click.Group)
    command = group.commands[name]
    try:
        context = command.make_context(name, [*words, *VERBS[name].arguments("item", "other")])
    except click.ClickException as error:
        raise click.UsageError(f"--do {name}: {error.format_message()}") from error
    return context.params


def _migration_lines(output: Path) -> list[str]:
    """Writes the summary of all repositories, and returns lines about what needs a person."""
    from tf2bridge.fleet import migrations

    summary = migrations.write(output)
    fixed = sum(rule["fixed"] for rule in summary["rules"].values())
    person = summary["person"]
    left = sum(finding["count"] for finding in person)
    lines = [f"{fixed} legacy uses are fixed; {left} need a person: see {output / migrations.SUMMARY}"]
    for finding in person[:_MOST_REASONS]:
        lines.append(f"{finding['count']} {finding['code']}: {finding['message']}")
        lines.append(f"  first: {finding['first']}")
    return lines


def _lines(summary: Summary) -> list[str]:
    counts = ", ".join(f"{count} {name}" for name, count in sorted(summary.verdicts.items()))
    shared = f"; {summary.duplicates} share the result of an equal item" if summary.duplicates else ""
    lines = [f"{summary.items} items: {counts or 'none'}{shared}"]
    reasons = sorted(summary.reasons.items(), key=lambda entry: (-entry[1].count, entry[0]))
    for text, reason in reasons[:_MOST_REASONS]:
        lines.append(f"{reason.count} {reason.group}{f': {text}' if text else ''}")
        lines.append(f"  {'first: ' if reason.count > 1 else ''}{reason.first}")
    if more := reasons[_MOST_REASONS:]:
        lines.append(f"and {sum(reason.count for _, reason in more)} for {len(more)} other reasons")
    return lines
