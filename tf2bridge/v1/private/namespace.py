"""Replaces the private modules of TensorFlow 1.x: `tensorflow.python...`, `tensorflow.contrib.AREA.python...`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextvars import ContextVar
from types import ModuleType
from typing import Any

from codemods.symbols.declared import IN_PLACE_OF_PACKAGES
from tf2bridge.behaviour.installed import supplier, tensorflow
from tf2bridge.behaviour.release import MEASURED
from tf2bridge.patching.own_names import own_names
from tf2bridge.v1.exclusions import exclusion
from tf2bridge.v1.genuine import is_module
from tf2bridge.v1.namespace import Namespace, Tree, by_origin, genuine_path, get, namespace, resolve, supplied
from tf2bridge.v1.private import candidates, home
from tf2bridge.v1.refusals import UnavailableNameError

_LACKING = object()
_under_way: ContextVar[frozenset[tuple[str, str, str]]] = ContextVar("_under_way", default=frozenset())
"""The names that are being looked up, each as package, path and name."""


class PrivateNamespace(Namespace):
    """A private module: the tree's own names by their public spelling, then the names that TensorFlow 2 still has.

    Private modules also define public functions (`python.ops.array_ops.concat` is `tf.concat`). A program that uses
    them here must get the same parameters.
    """

    def __getattr__(self, name: str) -> Any:
        if name == "__all__" or (name.startswith("__") and f"{self._path}.{name}" in self._tree.names):
            return get(self._tree, self._path, name)
        if name.startswith("__"):
            raise AttributeError(name)
        place = (self._tree.package, self._path, name)
        under_way = _under_way.get()
        if place not in under_way:  # else the lookup of a public name has come back to this private module
            token = _under_way.set(under_way | {place})
            try:
                for value in _meanings(self._tree, self._path, name):
                    if value is not _LACKING:
                        return value
            finally:
                _under_way.reset(token)
        raise UnavailableNameError(_public(genuine_path(self._tree, self._path), name))

    def __setattr__(self, name: str, value: Any) -> None:
        """Replaces the name in TensorFlow too: a program that replaces a name of a private module expects this.

        Modules of ours are no replacements. importlib binds them to their parent, and TensorFlow keeps its own module.
        """
        replaced: dict[str, list[tuple[ModuleType, Any]]] = own_names(self).setdefault("_replaced", {})
        if not name.startswith("__") and not isinstance(value, Namespace):
            if name not in replaced:
                replaced[name] = [(module, getattr(module, name)) for module in _users(self._tree, self._path, name)]
            for module, _ in replaced[name]:
                setattr(module, name, value)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        """Restores the original in TensorFlow, for a program that ends its replacement, as a mock does."""
        super().__delattr__(name)
        for module, value in own_names(self).get("_replaced", {}).pop(name, ()):
            setattr(module, name, value)


def _users(tree: Tree, path: str, name: str) -> list[ModuleType]:
    """Returns the modules of TensorFlow that use a private name: those at its path, and the one that defines it."""
    modules = [module for module in _real_modules(tree, path) if hasattr(module, name)]
    for value in [getattr(module, name) for module in modules]:
        defined = sys.modules.get(getattr(value, "__module__", None) or "")
        if defined is not None and defined not in modules and getattr(defined, name, None) is value:
            modules.append(defined)
    return modules


def _meanings(tree: Tree, path: str, name: str) -> Iterator[Any]:
    """Yields candidates for the object of `name`. The first that is not `_LACKING` is the object."""
    dotted = f"{path}.{name}"
    own = supplied(tree, dotted)
    yield _LACKING if own is None else own
    yield _at_home(tree, home(path, name, tree.private_release))
    yield namespace(tree, dotted) if is_module(dotted) else _LACKING
    if path.startswith("contrib."):
        for public in candidates(path, name):
            yield _resolved(tree, public)
        for level in tree.lineage:
            if path in level.sources:
                yield _attribute(tree, dotted, supplier(level.sources[path]), name)
        yield _taken(tree, path, name, tree.private_release)
        return
    yield _taken(tree, path, name, tree.private_release)
    yield from _moved(tree, path, name)
    for module in _real_modules(tree, path):
        yield _attribute(tree, dotted, module, name)
    if path.startswith("python.ops.gen_") and name.startswith("_"):
        yield getattr(namespace(tree, path), name[1:])  # 1.8 and earlier hid ops that had a wrapper in this way
    yield _at_home(tree, home(path, name))
    yield _taken(tree, path, name, MEASURED[-1])
    if path in IN_PLACE_OF_PACKAGES:
        yield _resolved(tree, f"{IN_PLACE_OF_PACKAGES[path]}.{name}")
    if path == "python":  # the package had all names of the root
        yield _resolved(tree, name)


def _at_home(tree: Tree, public: str | None) -> Any:
    """Returns the object of a public name. Raises UnavailableNameError if TensorFlow 2 has nothing like it."""
    if public is None:
        return _LACKING
    if exclusion(public) is not None and not public.startswith("contrib."):
        raise UnavailableNameError(public)
    return _resolved(tree, public)


def _taken(tree: Tree, path: str, name: str, release: str) -> Any:
    """Returns the object that the module of a release imported from another module.

    This is tried before TensorFlow 2's module of the same name, because an old name may mean something new there:
    `python.data.Dataset` is no Dataset of 1.x, and `python.ops.standard_ops.split` splits random seeds.
    """
    try:
        meant = by_origin(tree, path, name, release)
    except UnavailableNameError:
        return _LACKING
    return _LACKING if meant is None else meant


def _moved(tree: Tree, path: str, name: str) -> Iterator[Any]:
    """Yields the object at the place to which the catalog says that the module, or a parent of it, moved."""
    for level in tree.lineage:
        target_name = level.moved.get(f"{path}.{name}")
        if target_name is not None:
            yield resolve(tree, target_name)
        prefix, _, rest = path, "", ""
        while prefix:
            if prefix in level.moved:
                target = f"{level.moved[prefix]}.{rest}".strip(".")
                yield _resolved(tree, f"{target}.{name}")
            prefix, _, last = prefix.rpartition(".")
            rest = f"{last}.{rest}".strip(".")


def _resolved(tree: Tree, dotted: str) -> Any:
    try:
        return resolve(tree, dotted)
    except UnavailableNameError:
        return _LACKING


def _real_modules(tree: Tree, path: str) -> Iterator[ModuleType]:
    """Yields the installed modules that have the names of the private module."""
    if path.startswith("contrib."):
        return
    tensorflow()
    for name in (*_holders(tree, path), f"tensorflow.{path}"):
        module = _module(name)
        if module is not None:
            yield module


def _holders(tree: Tree, path: str) -> Iterator[str]:
    for level in tree.lineage:
        prefix, rest = path, ""
        while prefix:
            for holder in level.held.get(prefix, "").split():
                yield f"{holder}.{rest}".strip(".")
            prefix, _, last = prefix.rpartition(".")
            rest = f"{last}.{rest}".strip(".")


def _module(name: str) -> ModuleType | None:
    try:
        module = supplier(name)
    except ModuleNotFoundError:
        return None
    return module if isinstance(module, ModuleType) else None


def _attribute(tree: Tree, dotted: str, module: ModuleType, name: str) -> Any:
    value = getattr(module, name, _LACKING)
    if value is _LACKING and hasattr(module, "__path__"):
        value = _module(f"{module.__name__}.{name}") or _LACKING
    if not isinstance(value, ModuleType):
        return value
    ours = dotted.startswith(("python", "core", "tools")) and value.__name__.startswith(("tensorflow", "tf_keras"))
    return namespace(tree, dotted) if ours and _module(f"tensorflow.{dotted}") is value else value


def _public(path: str, name: str) -> str:
    """Returns the name for the error: the public name if there is one."""
    public = home(path, name)
    if public is None and path.startswith("contrib."):
        from codemods.symbols import lookup

        public = next((candidate for candidate in candidates(path, name) if lookup(candidate) is not None), None)
    return public or f"{path}.{name}"
