"""The command `tf2bridge seal`: writes and checks checksums."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tf2bridge.commands.output import DIFFERENT, EQUAL, WRONG, output_format, print_json, print_lines, say

if TYPE_CHECKING:
    from tf2bridge.formats.sealing import Seal

_SHOWN = 20
"""The most files of each kind that the text lists."""


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Compare with the existing checksums, and write nothing.")
@click.option("--force", is_flag=True, help="Write new checksums for files that were changed on purpose.")
@output_format
def seal(paths: Sequence[Path], check: bool, force: bool, output_format: str) -> int:
    """Write PATH.sha256 beside each PATH, or compare with it.

    PATH is a file, a directory such as a SavedModel (all files below it), or the prefix of a checkpoint (its index,
    shards and .meta). Whenever a graph or checkpoint with such a file is read, it is compared with the checksums.
    sha256sum -c reads the file too. A PATH that has checksums is compared, and its checksums stay as they are.

    Status 0 if all is sealed and unchanged; 1 if a file is changed, missing, new, or, with --check, not sealed; 2 if a
    file cannot be read.
    """
    from tf2bridge.errors import BridgeError
    from tf2bridge.formats import sealing

    if check and force:
        raise click.UsageError("--check writes nothing, and --force writes: give one of them")
    status, rows = EQUAL, []
    for path in sealing.named(paths):
        try:
            seal_of_path = sealing.check(path) if check else sealing.seal(path, force)
        except (BridgeError, OSError) as error:
            reason = str(error) if isinstance(error, BridgeError) else f"{error.filename or path}: {error.strerror}"
            say(f"tf2bridge: error: {reason}")
            rows.append({"path": str(path), "is": "error", "error": reason})
            status = WRONG
            continue
        rows.append(_as_json(seal_of_path))
        status = status if seal_of_path.state.passed else max(status, DIFFERENT)
        if output_format == "text":
            _print(seal_of_path)
    if output_format == "json":
        print_json(rows)
    return status


def _print(seal: Seal) -> None:
    lines = [f"{seal.path}: {seal.state.value}, {seal.files} file{'' if seal.files == 1 else 's'}"]
    for kind, files in (("changed", seal.changed), ("missing", seal.missing), ("not listed", seal.extra)):
        lines += [f"  {kind}: {file}" for file in files[:_SHOWN]]
        lines += [f"  {kind}: {len(files) - _SHOWN} more"] if len(files) > _SHOWN else []
    print_lines(lines)


def _as_json(seal: Seal) -> dict[str, Any]:
    return {
        "path": str(seal.path),
        "sidecar": str(seal.sidecar),
        "is": seal.state.name.lower(),
        "files": seal.files,
        "changed": list(seal.changed),
        "missing": list(seal.missing),
        "extra": list(seal.extra),
    }
