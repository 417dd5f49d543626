"""Finds the meaning of every name in a file, in one pass over its ast, through imports, aliases and scopes.

Resolved: `import tensorflow as tf`, `from tensorflow.contrib import slim`, `import tensorflow.contrib.slim as slim`,
`slim = tf.contrib.slim`, and one wildcard import of a TensorFlow module. A name that a scope binds to something else (a
parameter, a loop variable, another value) has no meaning there, so shadowed names are never changed.
"""

from __future__ import annotations

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from codemods.tree import children, parents

Chain = ast.Name | ast.Attribute
_BUILTINS = frozenset(dir(builtins))


class Binding(NamedTuple):
    """One place where a scope gives a name a meaning.

    `imported` is the qualified name an import gives it, `alias` the dotted expression assigned to it; with neither,
    it is some other value. `neutral` marks `x = None`, the usual stand-in of a failed import. `statement` is the
    import.
    """

    imported: str | None = None
    alias: Chain | None = None
    neutral: bool = False
    statement: ast.stmt | None = None


@dataclass(eq=False)
class Scope:
    """A module, class, function, lambda or comprehension, and the names that it binds."""

    kind: Literal["module", "class", "function"]
    parent: Scope | None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    outer: dict[str, Scope] = field(default_factory=dict)

    def bind(self, name: str, binding: Binding) -> None:
        """Records one meaning of a name in this scope, or in the scope of its `global` or `nonlocal`."""
        self.outer.get(name, self).bindings.setdefault(name, []).append(binding)

    def find(self, name: str) -> list[Binding]:
        """Returns the bindings of a name that is used in this scope; [] if nothing binds it."""
        scope: Scope | None = self.outer.get(name, self)
        first = True
        while scope is not None:
            if name in scope.bindings and (first or scope.kind != "class"):
                return scope.bindings[name]
            scope, first = scope.parent, False
        return []


@dataclass(eq=False)
class Names:
    """The names of one module; build it with `scopes.resolve`.

    `inherited` are names that `from local_module import *` brings, with their meanings; the project knows them.
    `nodes` lists the ast nodes by class, `chains` the outermost node of every dotted name that starts with a
    plain name, both in order of the text.
    """

    tree: ast.Module
    module: Scope
    nodes: defaultdict[type[ast.AST], list[ast.AST]] = field(default_factory=lambda: defaultdict(list))
    chains: list[Chain] = field(default_factory=list)
    scopes: dict[ast.Name, Scope] = field(default_factory=dict)
    wildcards: list[str] = field(default_factory=list)
    inherited: dict[str, str] = field(default_factory=dict)
    _memo: dict[ast.AST, str | None] = field(default_factory=dict)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """Each node's parent."""
        return parents(self.tree)

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yields what is round a node, the innermost first."""
        while (parent := self.parents.get(node)) is not None:
            yield parent
            node = parent

    def qualified(self, node: ast.AST) -> str | None:
        """Returns the full name of a Name, an Attribute or a Call's func; None if it does not come from an import."""
        if isinstance(node, ast.Call):
            node = node.func
        if node not in self._memo:
            self._memo[node] = None  # an alias that refers to itself resolves to nothing
            self._memo[node] = self._resolve(node)
        return self._memo[node]

    def _resolve(self, node: ast.AST) -> str | None:
        if isinstance(node, ast.Attribute):
            parts = [node.attr]
            while isinstance(node.value, ast.Attribute):
                node = node.value
                parts.append(node.attr)
            head = self.qualified(node.value) if isinstance(node.value, ast.Name) else None
            return ".".join([head, *reversed(parts)]) if head else None
        if not isinstance(node, ast.Name) or node not in self.scopes:
            return None
        bindings = self.scopes[node].find(node.id)
        if not bindings:
            return self.inherited.get(node.id) or self._from_wildcard(node.id)
        if len(bindings) == 1 and bindings[0].alias is None:
            return bindings[0].imported
        return self._agreed(bindings, node)

    def _agreed(self, bindings: list[Binding], use: ast.Name) -> str | None:
        """Returns the one meaning of all bindings. Of alternative imports (try/except), TensorFlow's is taken."""
        meant = [binding for binding in bindings if not binding.neutral and root_of(binding.alias) is not use]
        renamed = [b for b in meant if b.alias is not None and _root_id(b.alias) == use.id and len(meant) > 1]
        if renamed:  # tf = tf.compat.v1 after the import
            meant = renamed
        meanings = {binding.imported or (self.qualified(binding.alias) if binding.alias else None) for binding in meant}
        if len(meanings) == 1:
            return meanings.pop()
        if all(binding.imported for binding in meant):
            return next((name for name in sorted(map(str, meanings)) if name.split(".")[0] == "tensorflow"), None)
        return None

    def _from_wildcard(self, name: str) -> str | None:
        """Returns the meaning of a name by star imports. The last one decides; only names of TensorFlow are known."""
        for module in reversed(self.wildcards):
            if name in _BUILTINS or module.split(".")[0] not in ("tensorflow", "tf2bridge"):
                return None
            if len(self.wildcards) == 1 or _is_symbol(f"{module}.{name}"):
                return f"{module}.{name}"
        return None

    def bindings(self, node: ast.Name) -> list[Binding]:
        """Returns all bindings of the name in its scope; [] if there are none."""
        return self.scopes[node].find(node.id) if node in self.scopes else []

    def is_unbound(self, node: ast.Name) -> bool:
        """Returns whether nothing in the file binds this name: it is a builtin, or comes from a wildcard import."""
        return node in self.scopes and not self.scopes[node].find(node.id)

    def binds(self, name: str) -> bool:
        """Returns whether the module's own scope binds the name."""
        return name in self.module.bindings

    def alias_of(self, module: str) -> str | None:
        """Returns the module-level name that means exactly `module`, or None."""
        for name, bindings in self.module.bindings.items():
            if {binding.imported for binding in bindings} == {module}:
                return name
        return next(
            (name for name, meaning in self.inherited.items() if meaning == module and not self.binds(name)), None
        )

    def inherit(self, names: dict[str, str]) -> None:
        """Adds the names that wildcard imports of local modules bring."""
        if names:
            self.inherited = names
            self._memo.clear()

    def exports(self) -> dict[str, str]:
        """Returns the meaning of the module's own names, for files that import them with a star."""
        exports = {}
        for name, bindings in self.module.bindings.items():
            meant = {b.imported or (self.qualified(b.alias) if b.alias else None) for b in bindings if not b.neutral}
            meaning = meant.pop() if len(meant) == 1 else None
            if meaning and not meaning.startswith(".") and not name.startswith("_"):
                exports[name] = meaning
        return exports

    def starred(self) -> dict[str, str]:
        """Returns the exports that a star import brings: only those in `__all__`, if that is a list of texts."""
        lists = [
            node.value for node in self.tree.body if isinstance(node, ast.Assign | ast.AugAssign) and _is_all(node)
        ]
        exports = self.exports()
        if not lists or not all(isinstance(value, ast.List | ast.Tuple) for value in lists):
            return exports
        texts = [part for value in lists for part in children(value) if isinstance(part, ast.Constant)]
        return {name: exports[name] for name in [part.value for part in texts] if name in exports}

    @cached_property
    def imported(self) -> frozenset[str]:
        """Returns every qualified name that an import in the file binds, and the modules of wildcard imports."""
        modules = set(self.wildcards)
        for node in self.nodes.get(ast.Import, []):
            assert isinstance(node, ast.Import)
            modules.update(alias.name for alias in node.names)
        for node in self.nodes.get(ast.ImportFrom, []):
            assert isinstance(node, ast.ImportFrom)
            if node.level == 0 and node.module:
                modules.update(f"{node.module}.{alias.name}" for alias in node.names if alias.name != "*")
        return frozenset(modules)

    def imports(self, package: str) -> bool:
        """Returns whether the file imports the package or anything inside it."""
        return any(name == package or name.startswith(package + ".") for name in self.imported)


def _is_all(node: ast.Assign | ast.AugAssign) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets)


def root_of(node: ast.AST | None) -> ast.Name | None:
    """Returns the first part of a dotted name, `tf` of `tf.nn.relu`; None if it does not start with a name."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node if isinstance(node, ast.Name) else None


def in_v1(name: str) -> str:
    """Returns the name in TensorFlow 1 of a qualified name: `nn.relu` of `tensorflow.compat.v1.nn.relu`.

    Since 1.12 the public modules are in `tensorflow._api.v1`, and editors wrote this path into imports.
    """
    return name.removeprefix("tensorflow.").removeprefix("compat.v1.").removeprefix("_api.v1.")


def _is_symbol(name: str) -> bool:
    from codemods.symbols import lookup

    return lookup(name.removeprefix("tf2bridge.v1.").removeprefix("tensorflow.")) is not None


def _root_id(chain: Chain) -> str | None:
    root = root_of(chain)
    return root.id if root else None
