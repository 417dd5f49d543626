"""`package.module:function`: what a program's own code makes, as the command line names it."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from tf2bridge.errors import MissingExtraError, NoSuchCodeError

_CODE = re.compile(r"(?P<module>[^\W\d]\w*(\.[^\W\d]\w*)*):(?P<function>[^\W\d]\w*)")


def names_code(source: str) -> bool:
    """Whether this is package.module:function and no file of that name."""
    return _CODE.fullmatch(source) is not None and not Path(source).exists()


def called(source: str, wanted: str) -> Any:
    """Returns what the function gives; its module is looked for as `python -m` does, from the current directory.

    wanted: what it should return, for people. Raises NoSuchCodeError where there is no such function, and
    MissingExtraError where the code needs TensorFlow or Keras and they are not installed. What else the code itself
    raises goes through.
    """
    try:
        return _function(source, wanted)()
    except ModuleNotFoundError as error:
        if error.name in ("tensorflow", "keras", "tf_keras"):
            raise MissingExtraError(error.name, "tf", source) from error
        raise


def _function(source: str, wanted: str) -> Callable[[], Any]:
    match = _CODE.fullmatch(source)
    assert match is not None
    sys.path.insert(0, str(Path.cwd()))
    try:
        module = importlib.import_module(match["module"])
    except ModuleNotFoundError as error:
        if not match["module"].startswith(error.name or "."):
            raise  # something that the module itself imports
        raise NoSuchCodeError(source, f"there is no module {error.name}", wanted) from error
    build = getattr(module, match["function"], None)
    if not callable(build):
        raise NoSuchCodeError(source, f"{match['module']} has no function {match['function']}", wanted)
    return cast("Callable[[], Any]", build)
