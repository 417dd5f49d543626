"""Programs that pytest or `runpy` starts: pytest loads test files itself, and spawned processes use `runpy`."""

from __future__ import annotations

import contextlib
import importlib.util
import runpy
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from tf2bridge.patching import PatchSet, put
from tf2bridge.program import patches
from tf2bridge.program.files import is_program

_PYTEST = "_pytest.assertion.rewrite"


@contextlib.contextmanager
def attached(imports: Any) -> Iterator[None]:
    """Makes pytest, if it is loaded, and runpy run files of the program through `imports`, for a with block."""
    with PatchSet("what runs files").for_a_while():
        put(runpy, "run_path", _run_path(imports))
        put(runpy, "run_module", _run_module(imports))
        if _PYTEST in sys.modules:
            _teach_pytest(imports, sys.modules[_PYTEST])
        yield


def found(imports: Any, spec: ModuleSpec | None) -> ModuleSpec | None:
    """Returns a spec for modules of pytest and mock that look for the program's files, and None for other modules."""
    if spec is None or not isinstance(spec.loader, SourceFileLoader):
        return None
    if spec.name == _PYTEST:
        spec.loader = _TaughtLoader(spec.name, str(spec.origin), imports, _teach_pytest)
    elif spec.name in patches.RESOLVERS:
        spec.loader = _TaughtLoader(spec.name, str(spec.origin), imports, patches.teach)
    else:
        return None
    return spec


class _TaughtLoader(SourceFileLoader):
    def __init__(self, name: str, path: str, imports: Any, teach: Callable[[Any, ModuleType], None]) -> None:
        super().__init__(name, path)
        self._imports, self._teach = imports, teach

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        self._teach(self._imports, module)


def _teach_pytest(imports: Any, rewrite: Any) -> None:
    """Makes pytest give test files the program's builtins, and convert Python 2. Asserts are rewritten as usual."""
    original = rewrite.AssertionRewritingHook.exec_module

    def exec_module(hook: Any, module: ModuleType) -> None:
        __tracebackhide__ = True
        origin = str(module.__spec__.origin) if module.__spec__ else ""
        if not is_program(origin):
            original(hook, module)
            return
        text, tree = imports.text_and_tree(Path(origin))
        rewrite.rewrite_asserts(tree, text.encode(), origin, hook.config)
        hook._rewritten_names[module.__name__] = Path(origin)
        module.__dict__["__builtins__"] = imports.builtins
        exec(compile(tree, origin, "exec", dont_inherit=True), module.__dict__)  # noqa: S102  # the task

    put(rewrite.AssertionRewritingHook, "exec_module", exec_module)


def _run_path(imports: Any) -> Any:
    original = runpy.run_path

    def run_path(path_name: Any, init_globals: Any = None, run_name: Any = None) -> dict[str, Any]:
        """Does the same as `runpy.run_path`, for files of the program."""
        if not is_program(str(path_name)):
            return original(path_name, init_globals, run_name)
        module = ModuleType(run_name or "<run_path>")
        module.__dict__.update(init_globals or {}, __file__=str(path_name), __package__="")
        imports.run_file(Path(path_name), str(path_name), module)
        return vars(module)

    return run_path


def _run_module(imports: Any) -> Any:
    original = runpy.run_module

    def run_module(
        mod_name: str, init_globals: Any = None, run_name: str | None = None, alter_sys: bool = False
    ) -> dict[str, Any]:
        """Does the same as `runpy.run_module`, for modules of the program."""
        spec = importlib.util.find_spec(mod_name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{mod_name}.__main__")
        if spec is None or not is_program(spec.origin):
            return original(mod_name, init_globals, run_name, alter_sys)
        module = ModuleType(run_name or mod_name)
        module.__dict__.update(init_globals or {}, __file__=spec.origin, __package__=spec.parent, __spec__=spec)
        imports.run_file(Path(str(spec.origin)), str(spec.origin), module)
        return vars(module)

    return run_module
