"""The command `tf2bridge convert`: writes a checkpoint in another format."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import click

from tf2bridge.checkpoint.writing.formats import FORMATS
from tf2bridge.commands.output import DIFFERENT, EQUAL, output_format, print_json, say


@click.command()
@click.argument("source", metavar="SRC", type=click.Path(path_type=Path))
@click.argument("destination", metavar="DST", type=click.Path(path_type=Path))
@click.option(
    "--to", "form", type=click.Choice(FORMATS), default=FORMATS[0], show_default=True, help="The format of DST."
)
@click.option(
    "--plan", type=click.Path(path_type=Path), help="What to do with each tensor: a file from `tf2bridge plan`."
)
@click.option(
    "--into", metavar="TARGET", help="What to map the tensors into: package.module:function, a graph, or shapes."
)
@click.option("--link", is_flag=True, help="Share unchanged data with SRC through hard links.")
@click.option("--no-verify", is_flag=True, help="Do not read DST back.")
@click.option("--force", is_flag=True, help="Replace DST if it exists.")
@click.option("--allow-nan", is_flag=True, help="Also give a Keras model values that are NaN.")
@click.option("--max-to-keep", type=click.IntRange(1), help="Convert only the newest N checkpoints of a directory.")
@output_format
def convert(
    source: Path, destination: Path, output_format: str, no_verify: bool, max_to_keep: int | None, **options: Any
) -> int:
    """Write the checkpoint SRC to DST in another format.

    Status 1 if the plan of --into leaves something to decide. In that case nothing is written.

    Without --plan and --into, every tensor keeps its name. SRC never changes. DST is written completely or not at all.
    If SRC is a directory of checkpoints, all of them are written to the directory DST. Checkpoints that are already
    there are skipped.
    """
    from tf2bridge.checkpoint.planning.refusals import IncompletePlanError

    given = {"format": options.pop("form"), "verify": not no_verify, **options}
    try:
        facts = _converted(source, destination, max_to_keep, given)
    except IncompletePlanError as error:
        say(f"tf2bridge: {error}")
        return DIFFERENT
    if output_format == "json":
        print_json(facts)
    return EQUAL


def _converted(source: Path, destination: Path, max_to_keep: int | None, given: dict[str, Any]) -> Any:
    """Converts a checkpoint or a directory of checkpoints, reports each on standard error, and returns plain values."""
    from tf2bridge.checkpoint.writing.converting import convert

    if source.is_dir():
        from tf2bridge.checkpoint.writing.directories import convert_directory, is_directory_of_checkpoints

        if is_directory_of_checkpoints(source):
            steps = convert_directory(source, destination, **given, max_to_keep=max_to_keep, report=_say)
            return [_as_json(step.converted) for step in steps if step.converted]
    if max_to_keep is not None:
        raise click.UsageError(f"--max-to-keep is for a directory of checkpoints, which {source} is not")
    converted = convert(source, destination, **given)
    say(_line(converted))
    return _as_json(converted)


def _say(progress: Any) -> None:
    written = _line(progress.converted) if progress.converted else f"{progress.path}: already there"
    say(f"[{progress.number}/{progress.of}] {progress.source.name} -> {written}")


def _line(converted: Any) -> str:
    how = ", only the index is new" if converted.kept else ""
    left = f", {len(converted.dropped)} dropped" if converted.dropped else ""
    checked = "read back" if converted.verified else "not read back"
    return (
        f"{converted.path}: {converted.format}, {converted.tensors} tensors, {converted.nbytes:,} "
        f"bytes{left}{how}, {checked}"
    )


def _as_json(converted: Any) -> dict[str, Any]:
    facts = dataclasses.asdict(converted)
    return facts | {"source": str(converted.source), "path": str(converted.path), "dropped": list(converted.dropped)}
