"""Stands for a private module of TensorFlow 1.x: `tensorflow.python...`, `tensorflow.contrib.AREA.python...`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextvars import ContextVar
from types import ModuleType
from typing import Any

from tf2bridge.behaviour.installed import supplier, tensorflow
from tf2bridge.behaviour.release import MEASURED
from tf2bridge.patching.own_names import own_names
from tf2bridge.v1.exclusions import exclusion
from tf2bridge.v1.genuine import is_module
from tf2bridge.v1.namespace import Namespace, Tree, by_origin, get, namespace, resolve, supplied
from tf2bridge.v1.private import candidates, home
from tf2bridge.v1.refusals import UnavailableNameError

_LACKING = object()
_under_way: ContextVar[frozenset[tuple[str, str, str]]] = ContextVar("_under_way", default=frozenset())
"""The names that are being looked up, each as package, path and name."""


class PrivateNamespace(Namespace):
    """A private module: the tree's own names by their public spelling, then what TensorFlow 2 still has.

    The public functions lie in these modules too (`python.ops.array_ops.concat` is `tf.concat`), so a program that
    reaches for them has to meet the same parameters.
    """

    def __getattr__(self, name: str) -> Any:
        if name == "__all__" or (name.startswith("__") and f"{self._path}.{name}" in self._tree.names):
            return get(self._tree, self._path, name)
        if name.startswith("__"):
            raise AttributeError(name)
        place = (self._tree.package, self._path, name)
        under_way = _under_way.get()
        if place not in under_way:  # else a public name led back to the private module that was to supply it
            token = _under_way.set(under_way | {place})
            try:
                for found in _meanings(self._tree, self._path, name):
                    if found is not _LACKING:
                        return found
            finally:
                _under_way.reset(token)
        raise UnavailableNameError(_public(self._path, name))

    def __setattr__(self, name: str, value: Any) -> None:
        """A program that replaces a name of a private module means TensorFlow itself to use it.

        A module of ours is not one that replaces: importlib puts it into its parent, and TensorFlow keeps its own.
        """
        replaced: dict[str, list[tuple[ModuleType, Any]]] = own_names(self).setdefault("_replaced", {})
        if not name.startswith("__") and not isinstance(value, Namespace):
            if name not in replaced:
                replaced[name] = [(module, getattr(module, name)) for module in _users(self._tree, self._path, name)]
            for module, _ in replaced[name]:
                setattr(module, name, value)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        """Gives TensorFlow back what a program had replaced, as a mock does at its end."""
        super().__delattr__(name)
        for module, value in own_names(self).get("_replaced", {}).pop(name, ()):
            setattr(module, name, value)


def _users(tree: Tree, path: str, name: str) -> list[ModuleType]:
    """The modules of TensorFlow that look a name of a private module up: those at its path, and that of its code."""
    found = [module for module in _real_modules(tree, path) if hasattr(module, name)]
    for value in [getattr(module, name) for module in found]:
        defined = sys.modules.get(getattr(value, "__module__", None) or "")
        if defined is not None and defined not in found and getattr(defined, name, None) is value:
            found.append(defined)
    return found


def _meanings(tree: Tree, path: str, name: str) -> Iterator[Any]:
    """What `name` may be, the first that is not `_LACKING` being it."""
    dotted = f"{path}.{name}"
    found = supplied(tree, dotted)
    yield _LACKING if found is None else found
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
        yield getattr(namespace(tree, path), name[1:])  # how 1.8 and before hid the ops that had a wrapper
    yield _at_home(tree, home(path, name))
    yield _taken(tree, path, name, MEASURED[-1])
    if path == "python":  # the package had all names of the root
        yield _resolved(tree, name)


def _at_home(tree: Tree, public: str | None) -> Any:
    """What has the public name. Raises UnavailableNameError if the name is excluded: TensorFlow 2 has no such thing."""
    if public is None:
        return _LACKING
    if exclusion(public) is not None and not public.startswith("contrib."):
        raise UnavailableNameError(public)
    return _resolved(tree, public)


def _taken(tree: Tree, path: str, name: str, release: str) -> Any:
    """What the module of a release took from another one.

    It comes before what TensorFlow 2 has in a module of that name, which may be new by an old name: in it,
    `python.data.Dataset` is no Dataset of 1.x, and `python.ops.standard_ops.split` splits random seeds.
    """
    try:
        meant = by_origin(tree, path, name, release)
    except UnavailableNameError:
        return _LACKING
    return _LACKING if meant is None else meant


def _moved(tree: Tree, path: str, name: str) -> Iterator[Any]:
    """Where the catalog says that the module, or one it lies in, has gone."""
    for level in tree.lineage:
        whole = level.moved.get(f"{path}.{name}")
        if whole is not None:
            yield resolve(tree, whole)
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
    """The modules installed here that hold what the private module held."""
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
        found = supplier(name)
    except ModuleNotFoundError:
        return None
    return found if isinstance(found, ModuleType) else None


def _attribute(tree: Tree, dotted: str, module: ModuleType, name: str) -> Any:
    found = getattr(module, name, _LACKING)
    if found is _LACKING and hasattr(module, "__path__"):
        found = _module(f"{module.__name__}.{name}") or _LACKING
    if not isinstance(found, ModuleType):
        return found
    ours = dotted.startswith(("python", "core", "tools")) and found.__name__.startswith(("tensorflow", "tf_keras"))
    return namespace(tree, dotted) if ours and _module(f"tensorflow.{dotted}") is found else found


def _public(path: str, name: str) -> str:
    """The name that the error is about: the public one, if there is any."""
    found = home(path, name)
    if found is None and path.startswith("contrib."):
        from codemods.symbols import lookup

        found = next((each for each in candidates(path, name) if lookup(each) is not None), None)
    return found or f"{path}.{name}"
