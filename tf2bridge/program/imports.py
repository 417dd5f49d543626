"""Answers the program's own `import tensorflow` with a TF 1.x namespace; libraries import the real one."""

from __future__ import annotations
import __future__

import builtins
import contextlib
import importlib
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from tf2bridge.behaviour.old_ops import first_files
from tf2bridge.program import (
    absent,
    by_text,
    launchers,
    old_libraries,
    old_python,
    operators,
    patches,
    python2,
    tensor_types,
)
from tf2bridge.program.files import is_program, parsed, read
from tf2bridge.program.moved_modules import moved_spec
from tf2bridge.program.numpy_1.module import old_numpy
from tf2bridge.program.old_random import old_random
from tf2bridge.program.own_builtins import Builtins
from tf2bridge.program.refusals import Keras3NameError
from tf2bridge.v1.catalog.keras_package import PACKAGE
from tf2bridge.v1.finder import module_at
from tf2bridge.v1.namespace import Tree, resolve
from tf2bridge.v1.refusals import Unavailable, UnavailableNameError

REPLACED = ("tensorflow", "tensorflow_core", "tensorflow_estimator", "keras")
"""Packages whose imports by the program, submodules included, this module answers.

1.15 was installed as `tensorflow_core` and `tensorflow_estimator`; editors wrote these names into programs.
"""

KERAS_3 = ("ops", "random", "tree", "quantizers", "dtype_policies", "distribution")
"""Modules that Keras 2 did not have; some were private to TensorFlow's copy of it."""


class ProgramImports:
    """The `__import__` and the other builtins of the program's files, and the finder of its own modules.

    Attributes:
        heads: The packages that TensorFlow 1.x was installed as.
        tree: The namespace that an import of these packages returns.
    """

    heads = ("tensorflow", "tensorflow_core", "tensorflow_estimator")

    def __init__(self, tree: Tree, old: bool) -> None:
        """Args: `tree`, the namespace; `old`, whether the program was written for Python 2."""
        self.tree = tree
        self._old = old
        self._stand_ins: dict[str, ModuleType] = {"importlib": by_text.own_importlib(self), "numpy": old_numpy()}
        self._stand_ins["random"] = python2.old_random() if old else old_random()
        self.builtins = self._made_builtins()
        self._stand_ins["builtins"] = Builtins(self.builtins)

    @contextlib.contextmanager
    def installed(self) -> Iterator[None]:
        """Makes the program's modules importable within a `with` block, also for runpy and pytest."""
        sys.meta_path.insert(0, self)
        old_libraries.add_old_assertions()
        old_python.add_methods()
        try:
            files_of_python2 = first_files.read_by_python2() if self._old else contextlib.nullcontext()
            with launchers.attached(self), by_text.attached(self), patches.attached(self), files_of_python2:
                yield
        finally:
            sys.meta_path.remove(self)

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        """Returns the spec of a module of the program, or None for a module of a library."""
        spec = PathFinder.find_spec(name, path, target) or moved_spec(name)
        if spec is None or not isinstance(spec.loader, SourceFileLoader) or not is_program(spec.origin):
            return launchers.found(self, spec)
        spec.loader = _Loader(name, str(spec.origin), self)
        return spec

    def run_file(self, path: Path, shown: str, module: ModuleType) -> None:
        """Runs the file in `module`, with these builtins."""
        __tracebackhide__ = True  # of pytest
        code = read(path, shown, self._old)
        module.__dict__["__builtins__"] = self.builtins
        exec(code, module.__dict__)  # noqa: S102  # running the program is the task

    def text_and_tree(self, path: Path) -> tuple[str, Any]:
        """Returns the text of a file of the program as it runs, and its syntax tree."""
        return parsed(path, str(path), self._old)

    def _made_builtins(self) -> dict[str, Any]:
        own: dict[str, Any] = {
            **vars(builtins),
            **operators.BUILTINS,
            tensor_types.TYPE_OF: tensor_types.type_of,
            **(python2.BUILTINS if self._old else {}),
        }

        def bridged(
            name: str,
            globals: Any = None,  # noqa: A002  # the names that __import__ has
            locals: Any = None,  # noqa: A002  # as above
            fromlist: Any = (),
            level: int = 0,
        ) -> Any:
            __tracebackhide__ = True  # of pytest
            head, _, rest = name.partition(".")
            if level == 0 and self._old and _is_neighbour(name, globals):
                level = 1  # Python 2 looked beside the importing module first
            if level == 0 and self.means_tensorflow(name):
                names = tuple(fromlist or ())
                caller = sys._getframe(1)
                if not absent.is_statement(caller):
                    with contextlib.suppress(ImportError):
                        builtins.__import__(name)  # pickle takes the module from sys.modules
                    return self.replaced(name, names and ("*",))
                return self._imported(name, names, caller)
            if level == 0 and head == "h5py" and head not in self._stand_ins:
                builtins.__import__(head)
                self._stand_ins[head] = importlib.import_module("tf2bridge.program.old_h5py").old_h5py()
            if level == 0 and head in self._stand_ins:
                module = builtins.__import__(name, globals, locals, fromlist)
                if not (rest and fromlist):
                    return self._stand_ins[head]
                inner = getattr(self._stand_ins[head], rest, None)  # such as numpy.random
                return inner if isinstance(inner, ModuleType) else module
            if level == 0 and head in old_libraries.GONE:
                old_libraries.stand_in(head)
            module = builtins.__import__(name, globals, locals, fromlist, level)
            if level == 0 and head in old_libraries.HEADS:
                old_libraries.add_what_is_gone(head)
            return module

        own["__import__"] = bridged
        return own

    def named(self, text: str) -> Any:
        """Returns the program's object of a dotted name such as "tensorflow.train.Saver" or "random.random".

        Raises:
            LookupError: No module is replaced for the program here, so Python's own lookup applies.
        """
        head, *parts = text.split(".")
        if head in self._stand_ins:
            value: Any = self._stand_ins[head]
            for part in parts:
                if not hasattr(value, part):
                    raise LookupError(text)
                value = getattr(value, part)
            return value
        if not self.means_tensorflow(text):
            raise LookupError(text)
        try:
            return self.replaced(text)
        except ModuleNotFoundError as error:
            if not parts:
                raise
            holder = self.named(".".join((head, *parts[:-1])))
            if not hasattr(holder, parts[-1]):
                raise AttributeError(str(error)) from error
            return getattr(holder, parts[-1])

    def means_tensorflow(self, name: str) -> bool:
        """Returns whether a module is part of a replaced package, and not of the program itself."""
        head = name.partition(".")[0]
        return head in REPLACED and not _is_own(head)

    def _imported(self, module: str, names: tuple[str, ...], caller: FrameType) -> Any:
        """Returns the result of an import statement. An absent name fails when it is used; in a `try`, at once."""
        try:
            return self.replaced(module, names)
        except ModuleNotFoundError as error:
            if getattr(error, "of_tensorflow_2", False) or names == ("*",) or absent.is_guarded(caller):
                raise
        path = _below(module.partition(".")[2])
        if not names:
            return (
                absent.Partial(self._root(), "", tuple(path.split("."))) if absent.is_renamed(caller) else self._root()
            )
        try:
            return absent.Partial(self._namespace("tensorflow", path), path)
        except UnavailableNameError:
            return absent.Partial(Unavailable(path), path)

    def replaced(self, module: str, names: tuple[str, ...] = ("*",)) -> Any:
        """Returns the module if `names` are imported from it, else its first part. Raises ModuleNotFoundError."""
        head, _, path = module.partition(".")
        try:
            namespace = self._namespace(head, path)
            for name in names:
                if name != "*":
                    self._namespace(head, name) if not path else getattr(namespace, name)
        except UnavailableNameError as error:
            if head == "keras":
                raise Keras3NameError(module, names) from None
            missing = ModuleNotFoundError(str(error), name=module)
            missing.__dict__["of_tensorflow_2"] = error.of_tensorflow_2
            raise missing from None
        return namespace if names else self._namespace(head, "")

    def _namespace(self, head: str, path: str) -> Any:
        if head != "keras":
            return module_at(self.tree, _below(path)) or resolve(self.tree, _below(path)) if path else self._root()
        if path.partition(".")[0] in KERAS_3:
            raise UnavailableNameError(f"keras.{path}")
        try:
            return resolve(self.tree, f"{PACKAGE}.{path}".rstrip("."))
        except UnavailableNameError:
            return resolve(self.tree, f"python.keras._impl.keras.{path}".rstrip("."))

    def _root(self) -> ModuleType:
        return importlib.import_module(self.tree.package)


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, imports: ProgramImports) -> None:
        super().__init__(name, path)
        self._imports = imports

    def exec_module(self, module: ModuleType) -> None:
        __tracebackhide__ = True  # of pytest
        self._imports.run_file(Path(self.path), self.path, module)


def _below(path: str) -> str:
    """Returns the path below `tensorflow`; `compat.v1` counts as `tensorflow` itself."""
    return path.removeprefix("compat.v1").lstrip(".")


def _is_neighbour(name: str, namespace: Any) -> bool:
    """Returns whether Python 2 found a module beside the importing one, which does not say `absolute_import`."""
    package = (namespace or {}).get("__package__")
    if not package or namespace.get("absolute_import") is __future__.absolute_import:
        return False
    return importlib.util.find_spec(f"{package}.{name.partition('.')[0]}") is not None


def _is_own(head: str) -> bool:
    """Returns whether the program itself has a module of this name, such as a copy of Keras."""
    spec = PathFinder.find_spec(head)
    return spec is not None and is_program(spec.origin)
