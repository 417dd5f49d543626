"""Interpreters that the program starts by subprocess, os.system or multiprocessing: they run TF 1.x programs, too."""

from __future__ import annotations

import builtins
import contextlib
import hashlib
import importlib.util
import os
import runpy
import shlex
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from tf2bridge import systems
from tf2bridge.patching import PatchSet, put

_ROOT = Path(__file__).resolve().parents[2]
_BOOTSTRAP = Path(__file__).with_name("bootstrap")
_RUNNERS = ("pytest", "unittest", "doctest", "nose", "nose2", "tensorflow")
"""Modules of libraries that load programs, or that `run` gives a meaning."""
_WITH_VALUE = "XW"
"""The interpreter's options that take the next argument as their value."""


@contextlib.contextmanager
def inheriting(api: str, arguments: Sequence[str] = ()) -> Iterator[None]:
    """Makes processes that are started within the with block run their programs for the release `api`.

    The command `python` is this Python. If the program's `arguments` make pytest keep a cache, the cache is in another
    folder.
    """
    added = {
        "TF2BRIDGE_RUN": api,
        "TF2BRIDGE_PREFIX": sys.prefix,
        "TF2BRIDGE_ROOT": str(_ROOT),
        "PYTHONPATH": _before(str(_BOOTSTRAP), "PYTHONPATH"),
        "PATH": _before(str(Path(sys.executable).parent), "PATH"),
    }
    if "no:cacheprovider" not in arguments:
        options = os.environ.get("PYTEST_ADDOPTS", "")
        added["PYTEST_ADDOPTS"] = f"{options} {_pytest_cache()}".strip()
    before = {name: os.environ.get(name) for name in added}
    os.environ.update(added)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _before(folder: str, name: str) -> str:
    kept = [entry for entry in os.environ.get(name, "").split(os.pathsep) if entry and entry != folder]
    return os.pathsep.join([folder, *kept])


def _pytest_cache() -> str:
    """Returns the option with pytest's cache folder, which is not beside the program, where nothing is written.

    Other users can predict the name of the folder. So if another user owns it, there is no cache.
    """
    folder = Path(tempfile.gettempdir()) / f"tf2bridge-{systems.user()}"
    with contextlib.suppress(OSError):
        with contextlib.suppress(FileExistsError):
            folder.mkdir(0o700)
        facts = folder.lstat()
        if stat.S_ISDIR(facts.st_mode) and systems.is_own(facts) and not facts.st_mode & 0o022:
            program = hashlib.sha256(os.fsencode(Path.cwd())).hexdigest()[:16]
            return f"-o {shlex.quote(f'cache_dir={folder / program}')}"
    return "-p no:cacheprovider"


def begin() -> None:
    """Runs when a child starts: a program runs through `tf2bridge run`, and code of `-c` gets its imports."""
    options, kind, rest = split(sys.orig_argv[1:])
    if kind == "-c":
        _prepare(os.environ["TF2BRIDGE_RUN"])
    elif _is_program(kind, rest):
        command = [sys.executable, *options, "-m", "tf2bridge", "run", "--api", os.environ["TF2BRIDGE_RUN"]]
        module = ["-m"] if kind == "-m" else []
        if importlib.util.find_spec("tf2bridge") is None or str(_ROOT) in sys.path[-1:]:
            os.environ["PYTHONPATH"] = os.pathsep.join([os.environ["PYTHONPATH"], str(_ROOT)])
        systems.become([*command, *module, *rest])


def split(arguments: Sequence[str]) -> tuple[list[str], str, list[str]]:
    """Splits an interpreter's arguments into options, the kind of program ("-c", "-m", "script" or ""), and its words.

    `python -u -m pkg.train --steps 5` gives (["-u"], "-m", ["pkg.train", "--steps", "5"]).
    """
    options: list[str] = []
    rest = list(arguments)
    while rest and rest[0].startswith("-") and rest[0] != "-":
        word = rest.pop(0)
        letters = "" if word.startswith("--") else word[1:]
        for place, letter in enumerate(letters):
            if letter in "cm":
                flags = [f"-{letters[:place]}"] if place else []
                value = [letters[place + 1 :]] if letters[place + 1 :] else []
                return [*options, *flags], f"-{letter}", [*value, *rest]
            if letter in _WITH_VALUE:
                value = [] if letters[place + 1 :] or not rest else [rest.pop(0)]
                options += [word, *value]
                break
        else:
            options.append(word)
    return options, "script" if rest and rest[0] != "-" else "", rest


def _is_program(kind: str, rest: Sequence[str]) -> bool:
    """Returns whether the child runs a program of the user, not a tool. Loads no module that a tool does not need."""
    if kind == "-m" and rest:
        first = rest[0].partition(".")[0]
        return first in _RUNNERS or PathFinder.find_spec(first, [str(Path.cwd())]) is not None
    if kind == "script":
        path = Path(rest[0]).resolve()
        libraries = {"site-packages", "dist-packages"} & set(path.parts) or _ROOT / "tf2bridge" in path.parents
        return path.suffix == ".py" and path.is_file() and not libraries
    return False


def _prepare(api: str) -> None:
    """Prepares code of `-c`, including multiprocessing's children. The set-up runs when it is first needed."""
    attached: list[Any] = []

    def attach(entry: str) -> Any:
        if not attached:
            from tf2bridge.behaviour.release import parse
            from tf2bridge.behaviour.switch import enable
            from tf2bridge.program.entry import program_imports

            enable(api)
            imports = program_imports(parse(api), Path(entry))
            stack = contextlib.ExitStack()
            stack.enter_context(imports.installed())
            attached.extend([imports, stack])
        return attached[0]

    _attach_at_import(attach)
    _attach_at_run(attach)


def _attach_at_import(attach: Any) -> None:
    """Calls `attach` at the first import of a module that is not loaded yet, for the code of `-c` itself."""
    main = sys.modules["__main__"]

    def importing(name: str, *arguments: Any) -> Any:
        head = name.partition(".")[0]
        if head not in sys.stdlib_module_names:
            made = attach("-c").builtins
            main.__dict__["__builtins__"] = made
            sys.modules.get("__main__", main).__dict__["__builtins__"] = made
            return made["__import__"](name, *arguments)
        return builtins.__import__(name, *arguments)

    main.__dict__["__builtins__"] = {**vars(builtins), "__import__": importing}


def _attach_at_run(attach: Any) -> None:
    """Calls `attach` when a spawned child of multiprocessing loads the main file again."""
    patches = PatchSet("the first file of a child")

    def run_path(path_name: Any, *arguments: Any, **keywords: Any) -> Any:
        patches.undo()
        attach(str(path_name))
        return runpy.run_path(path_name, *arguments, **keywords)

    def run_module(mod_name: str, *arguments: Any, **keywords: Any) -> Any:
        patches.undo()
        attach(str(getattr(importlib.util.find_spec(mod_name), "origin", mod_name)))
        return runpy.run_module(mod_name, *arguments, **keywords)

    with patches.collecting():
        put(runpy, "run_path", run_path)
        put(runpy, "run_module", run_module)
