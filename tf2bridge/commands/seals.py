"""seal: checksums for files that have none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tf2bridge.commands.output import DIFFERENT, EQUAL, WRONG, output_format, print_json, print_lines, say

if TYPE_CHECKING:
    from tf2bridge.formats.sealing import Seal

_SHOWN = 20
"""Files of each kind that are listed for people."""


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Write nothing: compare with the checksums that are there.")
@click.option("--force", is_flag=True, help="Write them anew where a file is other than they say: it was meant so.")
@output_format
def seal(paths: Sequence[Path], check: bool, force: bool, output_format: str) -> int:
    """Write PATH.sha256 beside each PATH, or compare with it.

    PATH is a file, a directory (all files below it, as of a SavedModel), or the prefix of a checkpoint (its index,
    shards and .meta). A graph or checkpoint that has such a file is compared with it whenever it is read; sha256sum -c
    reads it too. What has one already is compared, and its checksums stay as they are.

    Status 0 if all is sealed and as it was; 1 if a file is other, missing, new, or, with --check, not sealed; 2 if one
    cannot be read.
    """
    from tf2bridge.errors import BridgeError
    from tf2bridge.formats import sealing

    if check and force:
        raise click.UsageError("--check writes nothing, and --force writes: give one of them")
    status, found = EQUAL, []
    for path in sealing.named(paths):
        try:
            one = sealing.check(path) if check else sealing.seal(path, force)
        except (BridgeError, OSError) as error:
            said = str(error) if isinstance(error, BridgeError) else f"{error.filename or path}: {error.strerror}"
            say(f"tf2bridge: error: {said}")
            found.append({"path": str(path), "is": "error", "error": said})
            status = WRONG
            continue
        found.append(_as_json(one))
        status = status if one.state.passed else max(status, DIFFERENT)
        if output_format == "text":
            _print(one)
    if output_format == "json":
        print_json(found)
    return status


def _print(one: Seal) -> None:
    lines = [f"{one.path}: {one.state.value}, {one.files} file{'' if one.files == 1 else 's'}"]
    for kind, files in (("changed", one.changed), ("missing", one.missing), ("not listed", one.extra)):
        lines += [f"  {kind}: {file}" for file in files[:_SHOWN]]
        lines += [f"  {kind}: {len(files) - _SHOWN} more"] if len(files) > _SHOWN else []
    print_lines(lines)


def _as_json(one: Seal) -> dict[str, Any]:
    return {
        "path": str(one.path),
        "sidecar": str(one.sidecar),
        "is": one.state.name.lower(),
        "files": one.files,
        "changed": list(one.changed),
        "missing": list(one.missing),
        "extra": list(one.extra),
    }
