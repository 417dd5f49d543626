"""Builds the modules of a TF 1.x namespace: its own names first, then those of TensorFlow 2, else a clear error."""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from tf2bridge.behaviour.in_force import enabled
from tf2bridge.behaviour.installed import supplier, tensorflow
from tf2bridge.behaviour.release import MEASURED, parse
from tf2bridge.patching.own_names import Names, own_names
from tf2bridge.v1.exclusions import exclusion
from tf2bridge.v1.existing import ExistingModule
from tf2bridge.v1.genuine import is_module, names, origin, release_of, starred
from tf2bridge.v1.private import is_private
from tf2bridge.v1.refusals import UnavailableNameError

OURS = frozenset(("python", "core", "tools", "compiler", "lite", "lite.experimental"))
"""Packages that TensorFlow 2 has in part. Modules of ours stand in for them, so that imports leave them unchanged."""

ADDED = ("enable", "unavailable")
"""Names of ours at the root, which no release had."""


@dataclass(frozen=True, eq=False)
class Tree:
    """One TF 1.x namespace: the package `package` (such as "tf2bridge.v1") and every name it supplies itself.

    Attributes:
        own: Dotted TF1 name -> "module:attribute" that implements it.
        aliases: Dotted TF1 name -> the dotted name of the same meaning.
        sources: Dotted path -> module of tf_keras or TensorFlow that supplies the path's other names.
        moved: Dotted path below `tensorflow` that no longer exists -> the dotted name that has its names.
        held: Private module -> modules of tf_keras or TensorFlow, separated by spaces, that have its private names.
        parent: The tree that is searched next, or None for TensorFlow itself.
        ended: Dotted name of `own` -> the first release without it, such as "1.5".
        default_release: The release whose names `dir()` lists until `enable` names another.
    """

    package: str
    own: Mapping[str, str]
    aliases: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    moved: Mapping[str, str] = field(default_factory=dict)
    held: Mapping[str, str] = field(default_factory=dict)
    ended: Mapping[str, str] = field(default_factory=dict)
    parent: Tree | None = None
    default_release: str = MEASURED[-1]

    @functools.cached_property
    def lineage(self) -> tuple[Tree, ...]:
        """This tree and its parents, nearest first."""
        return (self, *(self.parent.lineage if self.parent else ()))

    @property
    def release(self) -> str:
        """The measured release whose names `dir()` lists."""
        release = enabled()
        return release.measured if release else self.default_release

    @property
    def private_release(self) -> str:
        """The measured release whose private modules are used.

        For 1.13 this is 1.15, not 1.12: its private modules contain, under the old names, the functions that lost
        parameters for TensorFlow 2.
        """
        release = enabled()
        if release is None:
            return self.default_release
        return release.measured if release.before(1, 13) else MEASURED[-1]

    def has_ended(self, name: str) -> bool:
        """Returns whether only releases before the one in use had the dotted name."""
        ends = [level.ended[name] for level in self.lineage if name in level.ended]
        if not ends:  # nearly all names: a suggestion asks for thousands
            return False
        release = enabled() or parse(self.default_release)
        return any(not release.before(*map(int, end.split("."))) for end in ends)

    @functools.cached_property
    def names(self) -> frozenset[str]:
        """Every dotted TF1 name that the tree supplies, whether or not TensorFlow has it too."""
        return frozenset(name for tree in self.lineage for name in (*tree.own, *tree.aliases))

    @functools.cached_property
    def paths(self) -> frozenset[str]:
        """The dotted paths of modules with names of this tree itself."""
        names = (*self.own, *self.aliases)
        paths = set(self.sources) | OURS
        for parts in (name.split(".")[:-1] for name in names):
            paths |= {".".join(parts[:count]) for count in range(1, len(parts) + 1)}
        return frozenset(paths.difference(names))

    @functools.cached_property
    def namespaces(self) -> frozenset[str]:
        """The dotted paths that are modules of this package."""
        return frozenset(path for tree in self.lineage for path in tree.paths)


class Namespace(ModuleType):
    """A module below the root of a tree, such as `tf2bridge.v1.nn`; a name is looked up when it is used."""

    def __init__(self, tree: Tree, path: str) -> None:
        super().__init__(f"{tree.package}.{path}", f"tf.{path} of TensorFlow 1.x.")
        own_names(self).update(_tree=tree, _path=path, __path__=[])
        # importlib takes this spec, not that of the finder, once the module is in sys.modules
        self.__spec__ = ModuleSpec(self.__name__, ExistingModule(self), is_package=True)

    def __getattr__(self, name: str) -> Any:
        return get(self._tree, self._path, name)

    def __dir__(self) -> list[str]:
        return there(self._tree, self._path, names)

    @property
    def __dict__(self) -> Names:  # type: ignore[override]  # programs look names up in it
        return Names(self)

    def __setattr__(self, name: str, value: Any) -> None:
        """Ignores modules that importlib binds. `__getattr__` returns them, or the object that hides them."""
        if not isinstance(value, ModuleType) or not self._is_bound(name, value):
            super().__setattr__(name, value)

    def _is_bound(self, name: str, module: ModuleType) -> bool:
        """Returns whether importlib binds the module to this parent, or to an alias, as contrib.keras is for keras."""
        parent, _, last = module.__name__.rpartition(".")
        by_alias = last == name and sys.modules.get(parent) is self
        return by_alias or sys.modules.get(f"{self.__name__}.{name}") is module


_kinds: dict[bool, type[Namespace]] = {False: Namespace}
"""Whether a module was private -> its class. private/namespace.py, which imports this module, adds its class."""


def let_private_modules_be(kind: type[Namespace]) -> None:
    """Sets the class of the modules that were private."""
    _kinds[True] = kind


def namespace(tree: Tree, path: str) -> Namespace:
    """Returns the module of `tree` at a dotted path, always the same."""
    name = f"{tree.package}.{path}"
    if name not in sys.modules:
        sys.modules[name] = _kinds[is_private(path)](tree, path)
    module = sys.modules[name]
    assert isinstance(module, Namespace)
    return module


def get(tree: Tree, path: str, name: str) -> Any:
    """Returns the attribute `name` of the module `path`; `path` is "" at the root.

    Raises:
        UnavailableNameError: Neither tf2bridge nor TensorFlow has it.
    """
    dotted = f"{path}.{name}" if path else name
    if name == "__all__":
        return there(tree, path, starred)
    if name.startswith("__") and dotted not in tree.names:
        raise AttributeError(name)
    value = supplied(tree, dotted)
    return _inherited(tree, path, name) if value is None else value


def supplied(tree: Tree, dotted: str) -> Any:
    """Returns the object that the tree itself supplies for the dotted name, or None."""
    for level in tree.lineage:
        if dotted in level.own and not tree.has_ended(dotted):
            module, _, attribute = level.own[dotted].partition(":")
            return getattr(importlib.import_module(module), attribute)
        if dotted in level.aliases:
            return resolve(tree, level.aliases[dotted])
        if dotted in level.paths:
            return namespace(tree, dotted)
    return None


def resolve(tree: Tree, dotted: str) -> Any:
    """Returns the object of a full dotted name ("nn.rnn_cell.GRUCell"); "" is the root itself.

    Raises:
        UnavailableNameError: Neither tf2bridge nor TensorFlow has it.
    """
    value: Any = importlib.import_module(tree.package)
    path = ""
    for part in dotted.split(".") if dotted else ():
        try:
            value = getattr(value, part)
            if is_private(path) and not isinstance(value, ModuleType) and is_module(f"{path}.{part}"):
                value = namespace(tree, f"{path}.{part}")  # an import means the module that a function hides
        except AttributeError as error:
            value = _plain_module(tree, f"{path}.{part}".lstrip("."))
            if value is None:
                raise error if isinstance(error, UnavailableNameError) else unavailable(tree, path, part) from None
        path = f"{path}.{part}" if path else part
    return value


def _plain_module(tree: Tree, path: str) -> Namespace | None:
    """Returns the module at a path that some release had and no exclusion covers, or None; it may have no names."""
    return namespace(tree, path) if is_module(path) and exclusion(path) is None else None


def unavailable(tree: Tree, path: str, name: str) -> UnavailableNameError:
    """Returns the error for a name that nobody has. It says what to use, or the nearest spelling."""
    import difflib  # which programs that have all their names do not need

    near = difflib.get_close_matches(name, listing(tree, path), n=1, cutoff=0.8)
    return UnavailableNameError(f"{path}.{name}" if path else name, near[0] if near else None)


def there(tree: Tree, path: str, listed: Callable[[str, str], list[str]]) -> list[str]:
    """Returns the names that a module had in the release in use and has in the tree, for `dir()` and `import *`.

    Args:
        tree: The tree of the module.
        path: The dotted path of the module.
        listed: Returns the names of a path in a release: `names` or `starred`.
    """
    release = release_of(path, tree.release)
    if release is None:
        genuine = genuine_path(tree, path)
        return sorted({*listing(tree, path), *(there(tree, genuine, listed) if genuine != path else ())})
    module = namespace(tree, path) if path else importlib.import_module(tree.package)
    present = [name for name in listed(path, release) if hasattr(module, name)]
    return present if path else sorted({*present, *ADDED})


def genuine_path(tree: Tree, path: str) -> str:
    """Returns the path of the module whose names a module of ours has: `python.keras` for `python.keras_package`."""
    package = ".".join(path.split(".")[:2])
    for level in tree.lineage:
        if package in level.moved and not is_module(package):
            return path.replace(package, level.moved[package], 1)
    return path


def listing(tree: Tree, path: str) -> list[str]:
    """Returns the names of a module, for suggestions, and for `dir()` of a module that no release had."""
    prefix = f"{path}." if path else ""
    within = {name for name in tree.names | tree.namespaces if name.startswith(prefix) and name != path}
    own = {name[len(prefix) :].partition(".")[0] for name in within if not tree.has_ended(name)}
    try:
        inherited = dir(_source(tree, path))
    except AttributeError:
        inherited = []
    return sorted(own | {name for name in inherited if not name.startswith("_")})


def _inherited(tree: Tree, path: str, name: str) -> Any:
    try:
        return getattr(_source(tree, path), name)
    except AttributeError:
        dotted = f"{path}.{name}".lstrip(".")
        meant = _plain_module(tree, dotted)
        if meant is None and path.startswith("contrib") and exclusion(dotted) is None:
            meant = by_origin(tree, path, name, tree.private_release)
        if meant is not None:
            return meant
        raise unavailable(tree, path, name) from None


def by_origin(tree: Tree, path: str, name: str, release: str) -> Any:
    """Returns the object of a name that the module imported (`layers.math_ops`, `layers.np`), or None.

    Raises:
        UnavailableNameError: Neither tf2bridge nor TensorFlow has the object.
    """
    source = origin(path, name, release) or origin(_home(path), name, release)
    if source is None:
        return None
    module, own = source
    if not module.startswith("/"):
        return resolve(tree, f"{module}.{own}".strip("."))
    try:
        meant = importlib.import_module(module[1:])
    except ImportError:
        return None
    return getattr(meant, own, None) if own else meant


def _home(path: str) -> str:
    """Returns the module of a public path: contrib.slim.python.slim.nets.vgg for contrib.slim.nets.vgg."""
    package, _, last = path.rpartition(".")
    source = origin(package, last)
    return source[0] if source is not None and not source[1] else path


def _source(tree: Tree, path: str) -> Any:
    for level in tree.lineage:
        if path in level.sources:
            return supplier(level.sources[path])
    module = tensorflow().compat.v1
    for part in path.split(".") if path else ():
        module = getattr(module, part)
    return module
