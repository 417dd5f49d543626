"""Turns what a user names as a target into its variables: a Keras model, a module, a graph, or names with shapes."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tf2bridge.checkpoint.moves import Target, TargetVariable
from tf2bridge.checkpoint.planning.refusals import NoTargetError
from tf2bridge.errors import NoSuchFileError
from tf2bridge.named_code import called, names_code
from tf2bridge.regular_files import text_of


def target_of(given: Any) -> Target:
    """Returns the target that a user named.

    Args:
        given: A Keras model (with its optimizer, if it is compiled), a `tf.Module`, the result of `tf2bridge.load`, a
            list of `tf.Variable`s, {name: shape}, "package.module:function" that returns one of these, or a file:
            shapes as JSON or TOML, a graph, metagraph or SavedModel, or a checkpoint with the new names.

    Raises:
        NoTargetError: There are no variables to fill.
        NoSuchFileError: There is no such file.
        NoSuchCodeError: There is no such function.
    """
    if isinstance(given, Mapping):
        return of_shapes(given)
    if isinstance(given, Path) or (isinstance(given, str) and not names_code(given)):
        return _of_file(Path(given))
    if isinstance(given, str):
        made = called(given, "a Keras model, a tf.Module, or a mapping of names to shapes")
        target = target_of(made)
        return replace(target, name=given)
    if "tensorflow" in sys.modules or "keras" in sys.modules:
        from tf2bridge.checkpoint.planning import object_targets

        if (target_ := object_targets.of_object(given)) is not None:
            return target_
    raise NoTargetError(repr(given)[:200], f"{type(given).__name__} has no variables to fill")


def of_shapes(shapes: Mapping[str, Any], name: str = "shapes") -> Target:
    """Returns the target of {name: shape}, or {name: {"shape": ..., "dtype": ...}}; the default dtype is float32."""
    return Target(
        name, tuple(_of_shape(name, name_of_variable, description) for name_of_variable, description in shapes.items())
    )


def _of_shape(where: str, name: str, description: Any) -> TargetVariable:
    given = description if isinstance(description, Mapping) else {"shape": description}
    shape = given.get("shape")
    if not isinstance(shape, Sequence) or isinstance(shape, str) or not all(isinstance(size, int) for size in shape):
        raise NoTargetError(where, f"the shape of {name!r} is {shape!r}, which is not a list of whole numbers")
    scope, _, role = name.rpartition("/")
    return TargetVariable(name, tuple(shape), str(given.get("dtype", "float32")), layer=scope, role=role)


def _of_file(path: Path) -> Target:
    if path.suffix in (".json", ".toml") and path.is_file():
        return of_shapes(_shapes_in(path), str(path))
    if path.suffix == ".py":
        raise NoTargetError(path, f"a program is named by its function, as {path.stem}:build")
    from tf2bridge.checkpoint.planning.graph_file_targets import of_graph
    from tf2bridge.formats.checkpoints.opening import open as opened

    if not path.exists() and not Path(f"{path}.index").exists():
        raise NoSuchFileError(path, "file or code to map into; code is package.module:function")
    if (target := of_graph(path)) is not None:
        return target
    with opened(path) as checkpoint:
        infos = {name: {"shape": info.shape, "dtype": info.dtype} for name, info in checkpoint.tensors.items()}
    return of_shapes(infos, str(path))


def _shapes_in(path: Path) -> Mapping[str, Any]:
    from tf2bridge.checkpoint.planning import toml_text

    try:
        text = text_of(path)
        shapes = json.loads(text) if path.suffix == ".json" else toml_text.parsed(text)
    except (ValueError, RecursionError) as error:
        raise NoTargetError(path, f"it cannot be read ({error})") from error
    if not isinstance(shapes, Mapping):
        raise NoTargetError(path, 'it should be {"name": [sizes]}')
    return shapes
