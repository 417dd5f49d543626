"""Runs the program as Python would."""

import os
import runpy
import signal
import sys
import threading
import traceback
import types

from tf2bridge.proof.recording.encoding import as_text, describe

TYPE_CHECKING = False
if TYPE_CHECKING:  # never true: Python 2.7 has no typing
    from typing import Any

_KEPT = []  # type: list[Any]  # the recorder as a module: Python 2 would clear its names


def run_program(argv):
    # type: (list[str]) -> tuple[int, str | None]
    """Runs ["train.py", arguments] or ["-m", module, arguments]. Returns the exit status and the error.

    The status for a signal that ends Python is minus the number of the signal.
    """
    _KEPT.append(sys.modules["__main__"])
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        if argv[0] == "-m":
            _run_module(argv[1:])
        else:
            _run_script(argv)
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()
    except SystemExit as leave:
        if leave.code is None or isinstance(leave.code, int):
            return leave.code or 0, None
        sys.stderr.write("%s\n" % leave.code)
        return 1, as_text(leave.code)
    except BaseException as problem:
        traceback.print_exc()
        is_signal = isinstance(problem, KeyboardInterrupt) and sys.version_info >= (3, 8)
        return -signal.SIGINT if is_signal else 1, describe(problem)
    return 0, None


def _run_script(argv):
    # type: (list[str]) -> None
    main = sys.modules["__main__"]
    main.__file__ = argv[0]
    sys.argv = list(argv)
    sys.path.insert(0, os.path.dirname(os.path.abspath(argv[0])))
    with open(argv[0], "rb") as source:
        code = compile(source.read(), os.path.abspath(argv[0]), "exec", 0, True)
    exec(code, main.__dict__)  # noqa: S102 - to run this program is what was asked for


def _run_module(argv):
    # type: (list[str]) -> None
    sys.argv = list(argv)
    sys.path.insert(0, os.getcwd())
    runpy._run_module_as_main(argv[0])  # type: ignore[attr-defined]  # what `python -m` calls, from 2.6 on


def die_of(number):
    # type: (int) -> None
    """Ends this process with a signal."""
    sys.stdout.flush()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
