"""`package.module:function` on the command line: calls the function, which makes an object."""

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
    """Returns whether this is package.module:function, and not the name of a file."""
    return _CODE.fullmatch(source) is not None and not Path(source).exists()


def called(source: str, wanted: str) -> Any:
    """Returns the result of the function. Its module is found as by `python -m`, from the current directory.

    `wanted`: the text for people about the expected result. Raises NoSuchCodeError if there is no such function, and
    MissingExtraError if the code needs TensorFlow or Keras and they are not installed. Other errors of the code are
    raised, too.
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
