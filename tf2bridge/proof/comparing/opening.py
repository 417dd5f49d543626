"""Opens the sides of a comparison: files by their content, code and objects by their type."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tf2bridge.errors import NoSuchFileError
from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
from tf2bridge.formats.checkpoints.refusals import NoCheckpointError
from tf2bridge.formats.checkpoints.stored import Checkpoint
from tf2bridge.formats.graphs.refusals import NoGraphError
from tf2bridge.named_code import called, names_code
from tf2bridge.proof.comparing.refusals import NotComparableError
from tf2bridge.proof.comparing.sides import Runnable, Side
from tf2bridge.proof.comparing.stored_sides import of_arrays, of_checkpoint, of_trace
from tf2bridge.proof.recording.folding import JOURNAL
from tf2bridge.proof.traces.reader import Trace

_WANTED = "a model, a module, a graph, or a mapping of names to arrays"


def side_of(given: Any, *, initial: bool = False) -> Side:
    """Returns an open side of a comparison; TensorFlow is not imported for values that are only stored.

    given: a path, "package.module:function", a Trace, an open checkpoint, {name: array}, a Keras model, a `tf.Module`,
    what `tf2bridge.load` or `tf.saved_model.load` gives, or a list of `tf.Variable`s. initial: of a trace, take its
    variables' first values. Raises NotComparableError, NoSuchFileError, NoSuchCodeError, and what opening raises.
    """
    if isinstance(given, Side):
        return given
    if isinstance(given, Trace):
        return of_trace(given, initial)
    if isinstance(given, Checkpoint):
        return of_checkpoint(given)
    if isinstance(given, str) and names_code(given):
        return replace(side_of(called(given, _WANTED), initial=initial), name=given)
    if isinstance(given, str | Path):
        return _of_path(Path(given), initial)
    if isinstance(given, Mapping):
        return of_arrays(given)
    if "tensorflow" in sys.modules or "keras" in sys.modules:
        from tf2bridge.proof.comparing.live_sides import of_object

        if (side := of_object(given)) is not None:
            return side
    raise NotComparableError(type(given).__name__, "it has neither values by names nor inputs and outputs")


def _of_path(path: Path, initial: bool) -> Side:
    if is_trace(path):
        return of_trace(Trace(path), initial)
    if path.suffix == ".py":
        raise NotComparableError(path, f"a program is named by a function of it, as {path.stem}:build")
    try:
        opened = open_checkpoint(path)
    except NoCheckpointError as error:
        return _of_graph(path, error)
    return replace(of_checkpoint(opened, str(path)), runner=_runner_beside(path, opened))


def is_trace(path: Path) -> bool:
    """Returns True if a path is a recorded trace, or has the name of one."""
    if path.suffix == ".trace":
        return True
    if path.is_dir():
        return (path / JOURNAL).is_file()
    if not path.is_file() or not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        return "manifest.json" in archive.namelist()


def is_path(name: str) -> bool:
    """Returns True if the name of a side is a path: a file, a directory, or the prefix of a checkpoint."""
    return Path(name).exists() or Path(f"{name}.index").exists()


def _of_graph(path: Path, no_checkpoint: NoCheckpointError) -> Side:
    """Returns the side of a graph without a checkpoint: its constants are values, if it has no variables."""
    from tf2bridge.formats.graphs.nodes import variable_nodes
    from tf2bridge.formats.graphs.reader import read
    from tf2bridge.proof.comparing.constants import constants_of

    try:
        graph = read(path)
    except NoSuchFileError:
        raise NoSuchFileError(path, "file or code to compare; code is package.module:function") from None
    except NoGraphError:
        raise NotComparableError(path, str(no_checkpoint).partition(": ")[2].partition(";")[0]) from None
    variables = variable_nodes(graph.graph_def)
    if not variables:
        return Side(str(path), f"frozen {graph.kind.value}", constants_of(graph), runner=_loading(path))
    note = f"{path}: no values of its {len(variables)} variables lie beside it: they get what their initializers give"
    return Side(str(path), graph.kind.value, None, runner=_loading(path), notes=(note,))


def _runner_beside(path: Path, opened: Checkpoint) -> Callable[[], Runnable] | None:
    """Makes the model of a checkpoint run; None if there is no graph beside it or in it."""
    from tf2bridge.formats.checkpoints.described import holds_no_graph

    if opened.format in ("keras", "h5"):
        return _loading_keras(path)
    if opened.format in ("npz", "npy", "safetensors", "weights.h5") or holds_no_graph(path):
        return None
    return _loading(path)


def _loading(path: Path) -> Callable[[], Runnable]:
    def load() -> Runnable:
        from tf2bridge.graph.load import load
        from tf2bridge.proof.comparing.graph_runs import GraphRunner

        return GraphRunner(load(path))

    return load


def _loading_keras(path: Path) -> Callable[[], Runnable]:
    def load() -> Runnable:
        import keras

        from tf2bridge.proof.comparing.keras_runs import KerasRunner

        try:
            return KerasRunner(keras.models.load_model(path, compile=False))
        except (ValueError, TypeError, OSError) as error:
            reason = next(iter(str(error).splitlines()), type(error).__name__)[:200]
            raise NotComparableError(path, f"Keras cannot load a model from it ({reason})") from error

    return load
