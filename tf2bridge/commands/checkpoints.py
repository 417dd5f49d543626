"""convert: a checkpoint in another format."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any

import click

from tf2bridge.checkpoint.writing.formats import FORMATS
from tf2bridge.commands.output import DIFFERENT, EQUAL, output_format, print_json, say


@click.command()
@click.argument("source", metavar="SRC", type=click.Path(path_type=Path))
@click.argument("destination", metavar="DST", type=click.Path(path_type=Path))
@click.option("--to", "form", type=click.Choice(FORMATS), default=FORMATS[0], show_default=True, help="The format.")
@click.option(
    "--plan", type=click.Path(path_type=Path), help="What becomes of each tensor: a file that `tf2bridge plan` wrote."
)
@click.option("--into", metavar="TARGET", help="What is mapped into: package.module:function, a graph, or shapes.")
@click.option("--link", is_flag=True, help="Share the data with SRC (hard links) where it is the same.")
@click.option("--no-verify", is_flag=True, help="Do not read back what was written.")
@click.option("--force", is_flag=True, help="Replace what is at DST.")
@click.option("--allow-nan", is_flag=True, help="Give a Keras model values that are NaN, too.")
@click.option("--max-to-keep", type=click.IntRange(1), help="Of a directory, only so many checkpoints, the newest.")
@output_format
def convert(
    source: Path, destination: Path, output_format: str, no_verify: bool, max_to_keep: int | None, **options: Any
) -> int:
    """Write the checkpoint SRC to DST in another format.

    Status 1 if the plan that --into makes leaves something to decide: nothing is written then.

    Without --plan and --into every tensor keeps its name. SRC is never changed; DST is there whole, or not at all.
    Where SRC is a directory of checkpoints all of them are written to the directory DST; those that are there already
    are passed over.
    """
    from tf2bridge.checkpoint.planning.refusals import IncompletePlanError

    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    given = {"format": options.pop("form"), "verify": not no_verify, **options}
    try:
        found = _converted(source, destination, max_to_keep, given)
    except IncompletePlanError as error:
        say(f"tf2bridge: {error}")
        return DIFFERENT
    if output_format == "json":
        print_json(found)
    return EQUAL


def _converted(source: Path, destination: Path, max_to_keep: int | None, given: dict[str, Any]) -> Any:
    """Converts a checkpoint, or each of a directory, tells what was written, and returns that as plain values."""
    from tf2bridge.checkpoint.writing.converting import convert

    if source.is_dir():
        from tf2bridge.checkpoint.writing.directories import convert_directory, is_directory_of_checkpoints

        if is_directory_of_checkpoints(source):
            found = convert_directory(source, destination, **given, max_to_keep=max_to_keep, report=_say)
            return [_as_json(each.converted) for each in found if each.converted]
    if max_to_keep is not None:
        raise click.UsageError(f"--max-to-keep is for a directory of checkpoints, which {source} is not")
    made = convert(source, destination, **given)
    say(_line(made))
    return _as_json(made)


def _say(progress: Any) -> None:
    said = _line(progress.converted) if progress.converted else f"{progress.path}: was there"
    say(f"[{progress.number}/{progress.of}] {progress.source.name} -> {said}")


def _line(found: Any) -> str:
    how = ", only the index is new" if found.kept else ""
    left = f", {len(found.dropped)} dropped" if found.dropped else ""
    checked = "read back" if found.verified else "not read back"
    return f"{found.path}: {found.format}, {found.tensors} tensors, {found.nbytes:,} bytes{left}{how}, {checked}"


def _as_json(found: Any) -> dict[str, Any]:
    said = dataclasses.asdict(found)
    return said | {"source": str(found.source), "path": str(found.path), "dropped": list(found.dropped)}
