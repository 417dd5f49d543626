"""Imports the modules of a TF 1.x namespace by any of their paths: `import tf2bridge.v1.contrib.slim.nets`.

One finder serves all trees. `publish` adds it behind the finders of Python, so that a file of ours comes first. The
module that it imports is the one that attributes lead to. Under `tf2bridge run` the same finder also serves
`tensorflow...` and `tensorflow_estimator...` to those who import by a text, such as pickle and pydoc.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from tf2bridge.v1.exclusions import exclusion
from tf2bridge.v1.existing import ExistingModule
from tf2bridge.v1.genuine import is_module, names
from tf2bridge.v1.namespace import Tree, get, let_private_modules_be, namespace, resolve, there
from tf2bridge.v1.private.namespace import PrivateNamespace
from tf2bridge.v1.refusals import UnavailableNameError


def module_at(tree: Tree, path: str) -> ModuleType | None:
    """Returns the module of the tree at a dotted path, None if there is none. Raises UnavailableNameError."""
    if path in tree.namespaces:
        return namespace(tree, path)
    meant = resolve(tree, path)
    if isinstance(meant, ModuleType):
        return meant
    return namespace(tree, path) if is_module(path) else None  # a function hides the module of its name


class Finder:
    """Finds the modules of trees: `packages` is the package in front of their names -> the tree.

    serves: whether a name is to be looked up at all.
    """

    def __init__(self, packages: dict[str, Tree], serves: Callable[[str], bool] = bool) -> None:
        self.packages = packages
        self._serves = serves

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002  # importlib passes it
        target: ModuleType | None = None,  # noqa: ARG002  # as above
    ) -> ModuleSpec | None:
        """Returns the spec of a module of a tree, None if no release had it.

        Raises ModuleNotFoundError with the reason if a release had it and it is not available. The error's `name` is
        that of TensorFlow: `from package import module` would replace the error by its own if the names agreed.
        """
        for package, tree in self.packages.items():
            if fullname == package and self._serves(fullname):  # `tensorflow_estimator`, which is not installed today
                return ModuleSpec(fullname, ExistingModule(importlib.import_module(tree.package)), is_package=True)
            inner = fullname.removeprefix(package).lstrip(".")
            if inner and fullname.startswith(f"{package}.") and not inner.rpartition(".")[2].startswith("__"):
                return self._spec(fullname, tree, inner) if self._serves(fullname) else None
        return None

    def _spec(self, fullname: str, tree: Tree, path: str) -> ModuleSpec | None:
        try:
            module = module_at(tree, path)
        except UnavailableNameError as error:
            if is_module(path) or exclusion(path) is not None:
                raise ModuleNotFoundError(str(error), name=f"tensorflow.{path}") from None
            return None
        return None if module is None else ModuleSpec(fullname, ExistingModule(module), is_package=True)


FINDER = Finder({})
"""The finder of the namespaces `tf2bridge.v1` and `tf2bridge.v0`."""


def serve(tree: Tree) -> None:
    """Makes the modules of a tree importable."""
    FINDER.packages[tree.package] = tree
    if FINDER not in sys.meta_path:
        sys.meta_path.append(FINDER)


def publish(tree: Tree) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Makes the modules of `tree` importable; returns `__getattr__` and `__dir__` (PEP 562) of its root."""
    let_private_modules_be(PrivateNamespace)
    serve(tree)
    return functools.partial(get, tree, ""), functools.partial(there, tree, "", names)
