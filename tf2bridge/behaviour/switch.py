"""Switches the process to TF 1.x behaviour, and says which release the program should believe it runs on."""

from __future__ import annotations

import importlib
import sys
import warnings

from tf2bridge.behaviour import in_force, parts
from tf2bridge.behaviour.installed import tensorflow, when_keras_is_imported
from tf2bridge.behaviour.refusals import SecondReleaseWarning, UnknownKerasError
from tf2bridge.behaviour.release import Release, parse
from tf2bridge.frames import first_outside
from tf2bridge.patching import PatchSet, on_undo

_patches = PatchSet("TensorFlow 1.x")
_patches_of_keras = PatchSet("tf.keras of TensorFlow 1.x")
_keras_of: Release | None = None
"""The release whose tf.keras tf_keras is now."""
_place = ""
"""The file and line that called `enable` last."""


def enable(api: str = "1.15") -> None:
    """Turns v2 behaviour off as a whole, for the whole process, and makes op seeds follow release `api`.

    Call it once, at a program's entry, before any op is made. The same call again changes nothing; another release
    replaces the first, with a SecondReleaseWarning that names both places. `api` is "0.12", "1.4", "1.12", "1.15" or
    another 1.x, which follows the nearest of these that is not later; "0.12" also gives `//` and `%` of tensors, the
    default initializer and the slots of optimizers the meaning they had then. Sessions place what a missing GPU is
    asked for elsewhere, with a notice.

    Raises UnknownReleaseError, MissingExtraError, UnsupportedTensorFlowError.
    """
    global _place
    release, first = parse(api), in_force.enabled()
    if first == release:
        return
    place = _caller()
    if first is not None:
        _warn(first, release, place)
    tensorflow().compat.v1.disable_v2_behavior()
    _patches_of_keras.undo()
    _patches.undo()
    with _patches.collecting():
        parts.install(release)
        parts.install_process_wide()
    in_force.follow(release)
    _place = place
    when_keras_is_imported(_change_keras)
    if "tf_keras" in sys.modules:
        _change_keras()


def _warn(first: Release, second: Release, place: str) -> None:
    warnings.warn(
        f"{place} enables TensorFlow {second.asked}, and {_place} has enabled {first.asked}: a process follows one "
        f"release, from here on {second.asked}, and what was built before followed {first.asked}. Give both places "
        "the same api",
        SecondReleaseWarning,
        stacklevel=3,
    )


def _caller() -> str:
    """Returns the file and line outside tf2bridge that called `enable`."""
    frame = first_outside("tf2bridge.")
    return "tf2bridge run" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


def _change_keras() -> None:
    """Makes tf_keras, which is imported, work as that of the release in force. Raises UnknownKerasError."""
    global _keras_of
    release = in_force.enabled()
    if release is None or _keras_of == release:
        return
    _patches_of_keras.undo()
    try:
        with _patches_of_keras.collecting():
            on_undo(_forget_keras)
            _keras_of = release  # before the changes: what they import asks again
            from tf2bridge.behaviour import old_keras

            old_keras.install(release)
    except AttributeError as error:  # which would say of the name that was asked for that nobody has it
        raise UnknownKerasError(importlib.import_module("tf_keras").__version__, str(error)) from error


def _forget_keras() -> None:
    global _keras_of
    _keras_of = None


def __getattr__(name: str) -> str:
    if name in ("__version__", "VERSION"):
        return in_force.version()
    raise AttributeError(name)
