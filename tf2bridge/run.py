"""Runs an untouched TF 0.12 or 1.x program on TensorFlow 2: `import tensorflow` gives it that release's namespace."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from tf2bridge.errors import BridgeError, NoSuchFileError
from tf2bridge.program.files import is_program, is_python2
from tf2bridge.program.imports import ProgramImports
from tf2bridge.v1.namespace import Tree
from tf2bridge.v1.release import Release, parse

_OWN = str(Path(__file__).resolve().parent)
INTERRUPTED = 130  # 128 + SIGINT, as shells report it


@dataclass(frozen=True)
class _Program:
    """`shown` is its `__file__` and `sys.argv[0]`; `folder` is its `sys.path[0]`; `spec` is that of `-m`."""

    path: Path
    shown: str
    folder: str
    spec: ModuleSpec | None = None


def execute(script: Path | None, module: str | None, args: list[str], api: str = "1.15") -> int:
    """Runs `script`, or `module` as `python -m` does, with `args` as its arguments; returns its exit status.

    `api` is the release the program was written for; 0.12 gives 0.12's argument orders. An error of the program prints
    its traceback, as Python does, and gives 1. Raises UnknownReleaseError, NoSuchFileError for a program that is not
    there, UnreadableProgramError, MissingExtraError and UnsupportedTensorFlowError.
    """
    release = parse(api)
    if module is not None:
        with _search_path(str(Path.cwd())):
            program = _of_module(module)
    elif script is not None and script.is_file():
        program = _Program(script, str(script), str(script.resolve().parent))
    else:
        raise NoSuchFileError(script or "", "program")
    old = is_python2(program.path)
    if old:
        print(f"tf2bridge: {program.shown} is a Python 2 program; it runs converted", file=sys.stderr)
    imports = ProgramImports(_namespace(release), old)
    from tf2bridge.v1.switch import enable

    enable(api)
    with _search_path(program.folder), _main_module(program, args) as main, imports.installed():
        return _status(imports, program, main)


def _namespace(release: Release) -> Tree:
    from tf2bridge.v0.catalog import TREE as V0
    from tf2bridge.v1.catalog import TREE as V1

    return V0 if release.before_one else V1


def _of_module(name: str) -> _Program:
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{name}.__main__")
    except ModuleNotFoundError:
        spec = None
    if spec is None or spec.origin is None or not is_program(spec.origin):
        raise NoSuchFileError(name, "module of a program")
    return _Program(Path(spec.origin), spec.origin, str(Path.cwd()), spec)


@contextlib.contextmanager
def _search_path(folder: str) -> Iterator[None]:
    before = list(sys.path)
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path[:] = before


@contextlib.contextmanager
def _main_module(program: _Program, args: list[str]) -> Iterator[ModuleType]:
    """Makes the module `__main__` of the program, for the length of a with block."""
    main = ModuleType("__main__")
    main.__dict__.update(__file__=program.shown, __spec__=program.spec, __package__=None)
    if program.spec is not None:
        main.__package__ = program.spec.parent
    before = sys.argv, sys.modules["__main__"]
    sys.argv, sys.modules["__main__"] = [program.shown, *args], main
    try:
        yield main
    finally:
        sys.argv, sys.modules["__main__"] = before


def _status(imports: ProgramImports, program: _Program, main: ModuleType) -> int:
    try:
        imports.run_file(program.path, program.shown, main)
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            return stop.code or 0
        print(stop.code, file=sys.stderr)
        return 1
    except KeyboardInterrupt as error:
        _print_traceback(error)
        return INTERRUPTED
    except Exception as error:
        if isinstance(error, BridgeError) and not _frames_of_program(error):
            raise
        _print_traceback(error)
        return 1
    return 0


def _frames_of_program(error: BaseException) -> bool:
    return any(is_program(frame.filename) for frame in traceback.extract_tb(error.__traceback__))


def _print_traceback(error: BaseException) -> None:
    """Prints the traceback without the frames of this package and of the import machinery."""
    shown = traceback.TracebackException.from_exception(error)
    pending: list[traceback.TracebackException | None] = [shown]
    while pending:
        part = pending.pop()
        if part is None:
            continue
        own = [frame for frame in part.stack if not _is_machinery(frame.filename)]
        part.stack = traceback.StackSummary.from_list(own)
        pending += [part.__cause__, part.__context__]
    print("".join(shown.format()), end="", file=sys.stderr)


def _is_machinery(filename: str) -> bool:
    return filename.startswith((_OWN, "<frozen importlib", "<frozen runpy"))
