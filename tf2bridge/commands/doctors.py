"""The command `tf2bridge doctor`: compares the installed libraries with those that tf2bridge was written for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from tf2bridge.commands.output import DIFFERENT, EQUAL, output_format, print_json, print_lines

if TYPE_CHECKING:
    from tf2bridge.patching.doctor import Library, Trouble

_KINDS = {
    "missing": "does not exist",
    "changed": "has another source or kind",
    "new": "exists now, and tf2bridge replaces it with its own",
}


@click.command()
@output_format
def doctor(output_format: str) -> int:
    """Check whether the installed TensorFlow, Keras, tf_keras, absl and NumPy are as tf2bridge expects.

    tf2bridge replaces functions of these libraries and uses some of their private names. This command looks up each of
    these names, and compares its source with the releases that tf2bridge was written for. A changed source is not an
    error in itself: run the tests of the parts that depend on it.

    Status 0 if all names are as before; 1 if one is missing, changed or new, or TensorFlow is not installed.
    """
    from tf2bridge.patching.doctor import examine_all

    libraries = examine_all()
    if output_format == "json":
        print_json([_as_json(library) for library in libraries])
    else:
        print_lines(line for library in libraries for line in _lines(library))
    absent = any(library.name == "tensorflow" and library.release is None for library in libraries)
    return DIFFERENT if absent or any(library.troubles for library in libraries) else EQUAL


def _lines(library: Library) -> Iterator[str]:
    yield library.verdict
    for kind, meaning in _KINDS.items():
        troubles = [trouble for trouble in library.troubles if trouble.kind == kind]
        if troubles:
            yield f"  {len(troubles)} {kind}: the name {meaning}"
        for trouble in troubles:
            yield f"    {trouble.row.target} (as in {trouble.since}: {trouble.before}; now: {trouble.now})"
            yield f"      needed by {', '.join(trouble.row.users)}"


def _as_json(library: Library) -> dict[str, Any]:
    return {
        "library": library.name,
        "installed": library.release,
        "tried": list(library.read),
        "names": library.names,
        "troubles": [_trouble_as_json(trouble) for trouble in library.troubles],
    }


def _trouble_as_json(trouble: Trouble) -> dict[str, Any]:
    return {
        "name": trouble.row.target,
        "is": trouble.kind,
        "compared_with": trouble.since,
        "before": trouble.before,
        "now": trouble.now,
        "needed_by": list(trouble.row.users),
    }
