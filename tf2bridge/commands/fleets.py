"""The commands `tf2bridge fleet`: many files and repositories at once."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import click

from tf2bridge.commands.ending import Commands
from tf2bridge.commands.output import DIFFERENT, EQUAL, file_to_write, say
from tf2bridge.systems import cores
from tf2bridge.whole_file import written_whole

if TYPE_CHECKING:
    from tf2bridge.fleet.scanning.scan import Summary


@click.group(cls=Commands)
def fleet() -> None:
    """List many models and repositories, work on all of them, and report."""


@fleet.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=file_to_write,
    help="Write the inventory to this file.  [default: standard output]",
)
@click.option(
    "--digest",
    type=click.Choice(["checksums", "full", "none"]),
    default="checksums",
    show_default=True,
    help="How contents are compared: by all bytes (full), or of V2 checkpoints by the checksums in the index.",
)
@click.option(
    "--largest", type=click.IntRange(1), default=32, show_default=True, help="GiB that are read of an item for that."
)
@click.option("--jobs", type=click.IntRange(1), help="Number of processes.  [default: the number of cores]")
@click.option(
    "--memory", type=click.IntRange(64), default=2048, show_default=True, help="MiB of memory that a file may take."
)
@click.option(
    "--seconds", type=click.FloatRange(1), default=60, show_default=True, help="Seconds that a file may take."
)
@click.option(
    "--unpack", type=click.IntRange(1), default=4096, show_default=True, help="MiB that an archive may unpack to."
)
def scan(paths: Sequence[str], output: Path | None, digest: str, jobs: int | None, **limits: Any) -> int:
    """List the models and repositories at and below each PATH as an inventory.

    PATH is a file, a folder, the prefix of a checkpoint, or a pattern such as 'models/**/*.pb'. Archives are looked
    into. The inventory has a
    line of JSON for each checkpoint, graph, SavedModel, event file, trace, file of Keras and repository: what it is,
    its release and size, its digest and duplicates, and the operations that audit refuses.

    Status 1 if something cannot be read. The inventory says what, and why.
    """
    from tf2bridge.fleet.scanning import progress
    from tf2bridge.fleet.scanning import scan as scanning
    from tf2bridge.fleet.scanning.digests import Digest, Reading
    from tf2bridge.fleet.scanning.workers import Limits
    from tf2bridge.fleet.unpacking import Room

    reading = Reading(Digest(digest), limits["largest"] << 30)
    per_file = Limits(limits["memory"] << 20, limits["seconds"])
    options = scanning.Options(reading, jobs or cores(), per_file, Room(limits["unpack"] << 20))
    with progress.line() as tell:
        items = scanning.scan(paths, options, tell)
        if output is None:
            sys.stdout.flush()
            summary = scanning.write(items, cast("BinaryIO", sys.stdout.buffer))
        else:
            with written_whole(output) as file:
                summary = scanning.write(items, file)
    _say(summary)
    return DIFFERENT if summary.errors else EQUAL


def _say(summary: Summary) -> None:
    kinds = ", ".join(f"{count:,} {kind.value}" for kind, count in sorted(summary.kinds.items()))
    say(f"{summary.items:,} items, {summary.bytes:,} bytes: {kinds or 'none'}")
    say(f"{summary.errors:,} cannot be read, {summary.duplicates:,} are duplicates")
