"""Makes a program native whose graph was recorded and whose source cannot give its model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePosixPath

from codemods.native.facts import Facts
from codemods.native.from_graph.rewriting import rewrite
from codemods.native.recorded_models import ModelWriter
from codemods.native.refusals import NotNativeError
from codemods.native.rewritten import Native

_NOTE = (
    "the model is the graph of the recorded run, since the source cannot give it ({why}); options that changed the "
    "graph do not change it any more"
)


def native_of_graph(
    text: str,
    path: str,
    line: Callable[[int], int],
    file: Callable[[int], str],
    facts: Facts,
    write: ModelWriter,
    error: NotNativeError,
) -> Native:
    """Returns a program that loads the model of its recorded graph.

    Args:
        text: Its text, with what it takes from other files.
        path: Its file.
        line, file: Give the line of the legacy file, and the file, for a line of the text.
        facts: What was recorded of it.
        write: Writes the package of the model.
        error: Why its source cannot give the model.

    Raises:
        NotNativeError: It needs more of its graph than calls of it, or the graph has no form as source.
    """
    module = PurePosixPath(path).stem
    made = rewrite(text, module, _package(path), line, file, facts)
    lines = range(1, text.count("\n") + 2)
    return Native(
        made.text,
        made.calls,
        made.dropped,
        files=made.files,
        taken=tuple(sorted({file(number) for number in lines})),
        unproven=made.unproven,
        shown=made.shown,
        package={f"{made.model.name}/{name}": data for name, data in write(made.model).items()},
        of_graph=((line(getattr(error.node, "lineno", 1)), _NOTE.format(why=f"{error.code}: {error.message}")),),
    )


def _package(path: str) -> str:
    """Returns the name of a package beside a program that is not taken."""
    stem = "".join(letter if letter.isalnum() else "_" for letter in PurePosixPath(path).stem)
    names = (f"{stem}_model", f"{stem}_graph", *(f"{stem}_model_{number}" for number in range(2, 100)))
    folder = Path(path).parent
    return next(name for name in names if not (folder / name).exists() and not (folder / f"{name}.py").exists())
