"""Everything that is read of a file of each kind, without TensorFlow; and what counts as a good end."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from codemods.errors import CodemodsError
from tf2bridge.errors import BridgeError

GOOD = ("read", "refused")
"""How an outcome begins that is no find: all was read, or one clear error said why not."""


def graph(path: Path) -> None:
    """A graph of any kind, and what `inspect` says of it."""
    from tf2bridge.formats.graphs.described import described
    from tf2bridge.formats.graphs.reader import read

    described(read(path))


def checkpoint(path: Path) -> None:
    """All values of a checkpoint, a piece at a time, and all texts."""
    from tf2bridge.formats.checkpoints.described import described, lines
    from tf2bridge.formats.checkpoints.opening import open as opened

    with opened(path) as checkpoint:
        list(lines(described(checkpoint, values=True)))


def arrays(path: Path) -> None:
    """All values of a checkpoint, each as an array."""
    from tf2bridge.formats.checkpoints.opening import open as opened

    with opened(path) as checkpoint:
        for name in checkpoint:
            with contextlib.suppress(BridgeError):
                checkpoint[name]


def trace(path: Path) -> None:
    """All that a trace holds, and what `inspect` says of it."""
    from tf2bridge.proof.traces.described import described, is_trace, lines
    from tf2bridge.proof.traces.reader import Trace

    is_trace(path)
    recording = Trace(path)
    try:
        for read in _parts(recording):
            with contextlib.suppress(BridgeError):
                read()
    finally:
        recording.close()
    list(lines(described(path)))


def _parts(actual: object) -> Iterator[Callable[[], object]]:
    from functools import partial

    from tf2bridge.proof.traces.reader import Trace

    assert isinstance(actual, Trace)
    for number in range(len(actual.manifest["values"])):
        yield partial(actual.value, number)
    for number in range(len(actual.graphs)):
        yield partial(actual.graph_def, number)
        yield partial(actual.lines, number)
    for call in actual.calls:
        yield partial(actual.inner, call)


def plan(path: Path) -> None:
    """A plan, its text and its file."""
    from tf2bridge.checkpoint.planning.plan_file import as_toml
    from tf2bridge.checkpoint.planning.plan_reading import load_plan

    result = load_plan(path)
    str(result)
    as_toml(result)


def shapes(path: Path) -> None:
    """A list of names and shapes, as `plan --into` takes it."""
    from tf2bridge.checkpoint.planning.named_targets import target_of

    target_of(path)


def notebook(path: Path) -> None:
    """A notebook, written again with the same text."""
    from codemods.notebooks.notebook import read

    content = read(path.read_bytes(), path)
    content.encode(content.text)


READERS: dict[str, Callable[[Path], None]] = {
    each.__name__: each for each in (graph, checkpoint, arrays, trace, plan, shapes, notebook)
}


def outcome(kind: str, path: Path) -> str:
    """Returns "read", "refused: ..." for one clear line, or what should never be."""
    try:
        READERS[kind](path)
    except (BridgeError, CodemodsError) as error:
        return _of_ours(error)
    except OSError as error:
        return f"refused: {error}" if error.filename else f"raises {_said(error)}"
    except BaseException as error:
        return f"raises {_said(error)}"
    return "read"


def _of_ours(error: BaseException) -> str:
    """An error of ours is a find, too, where memory had run out, or where it is not one line."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, MemoryError):
            return f"out of memory, {_said(error)}"
        cause = cause.__cause__ or cause.__context__
    return f"refused: {error}" if "\n" not in str(error) else f"more than one line: {error}"


def _said(error: BaseException) -> str:
    import traceback

    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(place.filename).name}:{place.lineno}: {str(error)[:300]}"
