"""`GFile.read` up to 1.0, which gives bytes in every mode; its lines are always texts, also those of a binary file.

So say genuine 0.12.1 and the file_io.py of 1.0.1; that of 1.1.0 follows the mode. Python 2 has one type for both, and
its programs join what they read with their own texts: for them, files give what TensorFlow 2 gives.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

from tf2bridge import internals
from tf2bridge.frames import module_of
from tf2bridge.patching import put

_OWN = ("tensorflow.", "tf2bridge.", "tf_keras.", "keras.")
"""Packages that read files as TensorFlow 2 has them, such as vocabularies and the lists of checkpoints."""
_for_python2 = False


@contextlib.contextmanager
def read_by_python2() -> Iterator[None]:
    """Lets files read as before in the block, which runs a converted program of Python 2."""
    global _for_python2
    before, _for_python2 = _for_python2, True
    try:
        yield
    finally:
        _for_python2 = before


def install() -> None:
    """Makes files give bytes and lines in this process."""
    file_class: Any = internals.support.file_io.FileIO
    put(file_class, "read", _in_mode(file_class.read, binary=True))
    for name in ("readline", "readlines", "__next__"):
        put(file_class, name, _in_mode(getattr(file_class, name), binary=False))


def _in_mode(original: Callable[..., Any], binary: bool) -> Callable[..., Any]:
    @functools.wraps(original)
    def read(file: Any, *args: Any, **kwargs: Any) -> Any:
        if _for_python2 or module_of(sys._getframe(1)).startswith(_OWN):
            return original(file, *args, **kwargs)
        mode, file._binary_mode = file._binary_mode, binary
        try:
            return original(file, *args, **kwargs)
        finally:
            file._binary_mode = mode

    return read
