"""Runs an untouched TF 0.12 or 1.x program on TensorFlow 2: `import tensorflow` gives it that release's namespace."""

from __future__ import annotations

import contextlib
import importlib.util
import runpy
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from codemods.printable import printable
from tf2bridge.behaviour.release import Release, parse
from tf2bridge.errors import BridgeError, NoSuchFileError
from tf2bridge.program import children
from tf2bridge.program.age import needs_tensorflow_2, older_release
from tf2bridge.program.entry import program_imports
from tf2bridge.program.files import is_program, is_python2
from tf2bridge.program.imports import ProgramImports
from tf2bridge.program.numpy_1.module import printing_as_numpy_1
from tf2bridge.program.refusals import EagerProcessError

_OWN = str(Path(__file__).resolve().parents[1])
WRONG = 2
INTERRUPTED = 130  # 128 + SIGINT, as shells report it


@dataclass(frozen=True)
class _Program:
    """`shown` is `__file__` and `sys.argv[0]`, `folder` is `sys.path[0]`; `spec` and `name` are those of `-m`."""

    path: Path
    shown: str
    folder: str
    spec: ModuleSpec | None = None
    name: str = ""

    @property
    def is_own(self) -> bool:
        """Returns whether this is the program itself, not a module of a library that loads it."""
        return self.spec is None or is_program(self.spec.origin)


def execute(script: Path | None, module: str | None, args: list[str], api: str = "1.15") -> int:
    """Runs `script`, or `module` as `python -m` does, with `args` as its arguments; returns its exit status.

    `api` is the release the program was written for; 0.12 gives 0.12's argument orders. A `module` of a library, such
    as pytest or unittest, runs as it is, and the files of the program that it loads are the legacy program. Processes
    that are started meanwhile inherit all this. An error of the program prints its traceback, as Python does, and gives
    1; a program that needs TensorFlow 2 gives 2. Raises UnknownReleaseError, NoSuchFileError for a program that is not
    there, EagerProcessError, UnreadableProgramError, MissingExtraError and UnsupportedTensorFlowError.
    """
    release = parse(api)
    if module is not None:
        with _search_path(str(Path.cwd())):
            program = _of_module(module)
    elif script is not None and script.is_file():
        program = _Program(script, str(script), str(script.resolve().parent))
    else:
        raise NoSuchFileError(script or "", "program")
    _require_graph_mode()
    _say_what_it_is(program, release)
    imports = program_imports(release, program.path)
    from tf2bridge.behaviour.switch import enable

    enable(api)
    with (
        _search_path(program.folder),
        children.inheriting(api, args),
        imports.installed(),
        printing_as_numpy_1(),
        _main_module(program, args) as main,
    ):
        return _status(imports, program, main)


def _require_graph_mode() -> None:
    if "tensorflow" not in sys.modules:
        return
    from tf2bridge.behaviour.in_force import enabled
    from tf2bridge.internals.eager import context

    made = context.context_safe()
    if enabled() is None and made is not None and made._initialized and context.executing_eagerly():
        raise EagerProcessError


def _say_what_it_is(program: _Program, release: Release) -> None:
    """Prints on standard error how the program runs, or which other command was perhaps intended."""
    if not program.is_own:
        return
    if is_python2(program.path):
        _notice(f"{program.shown} is a Python 2 program; it runs converted")
    older = None if release.before_one else older_release(program.path)
    if older is not None:
        _notice(f"{program.shown} looks older than {release.asked} ({older}): try --api 0.12")


def _notice(text: str) -> None:
    print(f"tf2bridge: {printable(text)}", file=sys.stderr)


def _of_module(name: str) -> _Program:
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{name}.__main__")
    except ModuleNotFoundError:
        spec = None
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        raise NoSuchFileError(name, "module of a program")
    return _Program(Path(spec.origin), spec.origin, str(Path.cwd()), spec, name)


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
    """Makes the module `__main__` of the program within a with block."""
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
        if program.is_own:
            imports.run_file(program.path, program.shown, main)
        else:
            runpy.run_module(program.name, run_name="__main__", alter_sys=True)
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            return stop.code or 0
        print(stop.code, file=sys.stderr)
        return 1
    except KeyboardInterrupt as error:
        _print_traceback(error)
        return INTERRUPTED
    except Exception as error:
        frames = _frames_of_program(error)
        if isinstance(error, BridgeError) and not frames:
            raise
        if needs_tensorflow_2(error):
            place = f"{frames[-1].filename}:{frames[-1].lineno}: " if frames else ""
            _notice(f"error: {place}{needs_tensorflow_2(error)}")
            return WRONG
        _print_traceback(error)
        return 1
    return 0


def _frames_of_program(error: BaseException) -> list[traceback.FrameSummary]:
    return [frame for frame in traceback.extract_tb(error.__traceback__) if is_program(frame.filename)]


def _print_traceback(error: BaseException) -> None:
    """Prints the traceback without the frames of this package and of the import machinery.

    Keeps the error as `sys.last_value`, as Python does, so that code at the end of the process sees the failure.
    """
    sys.last_value = error
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
