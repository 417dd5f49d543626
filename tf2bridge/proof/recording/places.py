"""Finds the line of the program, or the part of TensorFlow, that made a call or an op."""

import os

from tf2bridge.proof.recording.encoding import as_text

TYPE_CHECKING = False
if TYPE_CHECKING:  # never true: Python 2.7 has no typing
    from typing import Any

LIBRARY = ("tensorflow", "tensorflow_core", "tensorflow_estimator", "tf_keras", "keras", "tf2bridge")
# Functions of TensorFlow by which a program itself runs ops: a call through these alone is the program's own.
PASSING = ("run", "eval", "_eval_using_default_session", "_run_using_default_session", "_generic_run")


class Places(object):
    """Distinguishes the program's files, which are below one directory, from all others."""

    def __init__(self, directory):
        # type: (str) -> None
        self._directory = os.path.realpath(directory)
        self._known = {}  # type: dict[str, str]

    def relative(self, filename):
        # type: (str) -> str
        """Returns a file's path relative to the program's directory, or "" for a file of another program or library."""
        if filename not in self._known:
            path = os.path.realpath(filename)
            try:
                inside = os.path.relpath(path, self._directory).replace(os.sep, "/")
            except ValueError:  # a file on another drive of Windows
                inside = ".."
            is_library = inside.split("/")[0] in LIBRARY + ("..",) or "site-packages" in path or "dist-packages" in path
            is_own = os.path.splitext(path)[0] == os.path.splitext(os.path.realpath(__file__))[0]
            self._known[filename] = "" if is_library or is_own or not os.path.isfile(path) else inside
        return self._known[filename]

    def origin(self, frame):
        # type: (Any) -> tuple[str, list[Any] | None]
        """Returns the part of TensorFlow that made the call, and the nearest line of the program."""
        via = ""
        while frame is not None:
            module = as_text(frame.f_globals.get("__name__", ""))
            if module.split(".")[0] in LIBRARY:
                via = via or ("" if frame.f_code.co_name in PASSING else module.split(".")[-1])
            else:
                inside = self.relative(frame.f_code.co_filename)
                if inside:
                    return via, [inside, frame.f_lineno]
            frame = frame.f_back
        return via, None

    def creation(self, op):
        # type: (Any) -> str
        """Returns the line of the program that created an op, "model.py:45", or "" if no line did."""
        stack = getattr(op, "_traceback", None) or getattr(op, "traceback", None) or ()
        for frame in reversed(list(stack)):
            is_row = isinstance(frame, tuple)  # before 1.15
            inside = self.relative(frame[0] if is_row else frame.filename)
            if inside:
                return "%s:%d" % (inside, frame[1] if is_row else frame.lineno)
        return ""
