"""What the names of a program's files mean: which statement of which file."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from codemods.names import Binding, Chain, root_of
from codemods.native.joined_modules import Module, bound_at_top, relative_name
from codemods.native.module_files import Place, SearchPath, UncertainImportError, imports_of
from codemods.tree import walk

_OPAQUE = frozenset(("__name__", "__file__", "__doc__", "__path__", "__dict__"))
_AS_VALUE = "the module {} is used as a value, or has another meaning here"


@dataclass(frozen=True)
class Reference:
    """What a dotted name means: a name of another module, from its first part up to `node`."""

    node: Chain
    module: Module
    name: str


_Meant = tuple[Module, str] | Place | None
"""A name that a module defines, a module of the tree, or nothing of the program."""


class Modules:
    """The modules of one program.

    Args:
        path: Where the program finds them.
        entry: The program.
    """

    def __init__(self, path: SearchPath, entry: Module) -> None:
        self.search = path
        self.entry = entry
        self.reaching = path.reaching()
        self._modules = {entry.path: entry}
        self._references: dict[Chain, Reference | None] = {}

    def module(self, place: Place, through: ast.stmt) -> Module:
        """Returns a module that is taken, as the statement of the program that takes it first says."""
        if place.path not in self._modules:
            text = self.search.tree.text(place.path)
            assert text is not None
            self._modules[place.path] = Module(place, text, through)
        return self._modules[place.path]

    def is_taken(self, place: Place | None) -> bool:
        """Returns whether the program takes statements of a module, which uses TensorFlow, or imports such a one."""
        return place is not None and place.path in self.reaching

    def located(self, module: Module, node: ast.AST, name: str, level: int = 0) -> Place | None:
        """Returns the module that an import means; None if it is no module of the tree.

        Raises:
            NotJoinedError: It may mean several, and the program would take one of them.
        """
        try:
            return self.search.located(module.place, name, level)
        except UncertainImportError as error:
            if not any(path in self.reaching for path in error.args):
                return None
            message = f"the source does not say whether {name} is {' or '.join(map(self.shown, error.args))}"
            raise module.refused(node, message) from error

    def shown(self, path: str) -> str:
        """Returns how a file is called in messages and maps: as seen from the folder of the program."""
        return relative_name(path, self.entry.path)

    def target(self, module: Module, node: ast.stmt, alias: ast.alias) -> Place | tuple[Place, str] | None:
        """Returns what an import binds: a module of the tree, or a name in one; None for all else."""
        if isinstance(node, ast.Import):
            name = alias.name if alias.asname else alias.name.split(".")[0]
            return self.located(module, node, name)
        assert isinstance(node, ast.ImportFrom)
        outer = self.located(module, node, node.module or "", node.level)
        if outer is None:
            return None
        is_other = outer.path != module.path  # `from . import ops` of a package itself
        if is_other and self.is_taken(outer) and self.defines(self.taken(module, outer, node), alias.name):
            return outer, alias.name
        inner = f"{node.module}.{alias.name}" if node.module else alias.name
        place = self.located(module, node, inner, node.level)
        if place is not None or not outer.path:
            return place
        return (outer, alias.name) if self.is_taken(outer) else None

    def taken(self, module: Module, place: Place, node: ast.AST) -> Module:
        """Returns a module that another one takes.

        Raises:
            NotJoinedError: It is the program itself, which would run twice.
        """
        if place.path == self.entry.path:
            raise module.refused(node, f"{self.shown(place.path)}, which runs, is imported here; split it")
        through = module.through
        if through is None:
            through = next(
                (s for s in module.tree.body if any(below is node for below in walk(s))), module.tree.body[0]
            )
        return self.module(place, through)

    def defines(self, module: Module, name: str) -> bool:
        """Returns whether a module binds a name itself, or by a star import."""
        return name in module.names.module.bindings or any(
            name in self.public(other) for other in self._starred(module)
        )

    def public(self, module: Module) -> frozenset[str]:
        """Returns the names that a star import takes from a module.

        Raises:
            NotJoinedError: The source does not say these names.
        """
        for statement in module.tree.body:
            if "__all__" in bound_at_top(statement) or "__all__" in ast.unparse(statement).split(".")[0].split("=")[0]:
                value = statement.value if isinstance(statement, ast.Assign) else None
                parts = value.elts if isinstance(value, (ast.List, ast.Tuple)) else [None]
                texts = [part.value for part in parts if isinstance(part, ast.Constant)]
                if len(texts) != len(parts) or len(module.own_binders("__all__")) != 1:
                    raise module.refused(statement, "the source does not say the names of __all__")
                return frozenset(map(str, texts))
        own = {name for name in module.names.module.bindings if not name.startswith("_")}
        return frozenset(own.union(*(self.public(other) for other in self._starred(module))))

    def star_names(self, module: Module, statement: ast.ImportFrom) -> frozenset[str] | None:
        """Returns the names that a star import takes from a file of the tree; None if the source does not say them."""
        place = self.located(module, statement, statement.module or "", statement.level)
        if place is None or not place.path:
            return None
        other = Module(place, self.search.tree.text(place.path) or "", module.through or statement)
        inner = [self.star_names(other, star) for star in other.stars]
        if None in inner:
            return None
        return self.public(other).union(*(names for names in inner if names is not None))

    def _starred(self, module: Module) -> list[Module]:
        """Returns the taken modules of the star imports of a module."""
        places = [(node, self.located(module, node, node.module or "", node.level)) for node in module.stars]
        return [self.taken(module, p, node) for node, p in places if p is not None and self.is_taken(p)]

    def definition(self, module: Module, name: str, node: ast.AST, asker: Module) -> _Meant:
        """Returns the module that defines a name which another one has, or the module that the name is; else None."""
        return self._definition(module, name, node, asker, 0)

    def _definition(self, module: Module, name: str, node: ast.AST, asker: Module, depth: int) -> _Meant:
        bindings = module.names.module.bindings.get(name)
        if depth > 50:
            raise asker.refused(node, f"{name} is imported in a circle")
        if bindings is not None:
            meant = self._imported(module, name, bindings, node, asker)
            if isinstance(meant, tuple):
                return self._definition(self.taken(module, meant[0], node), meant[1], node, asker, depth + 1)
            return meant if meant is not None and self._holds_taken(meant) else (module, name)
        sources = [other for other in self._starred(module) if name in self.public(other)]
        origins = [self._definition(other, name, node, asker, depth + 1) for other in sources]
        if len({*origins}) > 1 and asker is module and getattr(node, "lineno", 0) <= module.stars[-1].lineno:
            raise asker.refused(node, f"{name} is a name of several star imports; import it by its name")
        if origins:
            return origins[-1]  # the last import binds it
        return self.search.tree.at(module.place.folder, name, module.place.spelled) if module.place.folder else None

    def _imported(
        self, module: Module, name: str, bindings: list[Binding], node: ast.AST, asker: Module
    ) -> Place | tuple[Place, str] | None:
        """Returns what all bindings of a name import; None if that is nothing of the program.

        Raises:
            NotJoinedError: It is, and others of them bind the name to something else.
        """
        targets: list[Place | tuple[Place, str] | None] = []
        for binding in bindings:
            statement = binding.statement
            aliases = statement.names if isinstance(statement, (ast.Import, ast.ImportFrom)) else []
            alias = next((a for a in aliases if (a.asname or a.name.split(".")[0]) == name), None)
            known = self.target(module, statement, alias) if alias is not None and statement is not None else None
            place = known[0] if isinstance(known, tuple) else known
            targets.append(known if place is not None and self._holds_taken(place) else None)
        if any(targets) and len(set(targets)) > 1:
            raise asker.refused(node, f"{name} is imported, and is bound to something else too; rename one")
        return targets[0] if targets else None

    def _holds_taken(self, place: Place) -> bool:
        """Returns whether a module is taken, or a package that holds one that is."""
        folder = place.folder
        return self.is_taken(place) or (bool(folder) and any(path.startswith(str(folder)) for path in self.reaching))

    def reference(self, module: Module, chain: Chain) -> Reference | None:
        """Returns the name of another module that a dotted name means; None if it means none.

        Raises:
            NotJoinedError: It means a module of the program itself, which is used as a value, or changes one.
        """
        if chain not in self._references:
            self._references[chain] = self._refer(module, chain)
        return self._references[chain]

    def _refer(self, module: Module, chain: Chain) -> Reference | None:
        root = root_of(chain)
        meant = self._meant(module, root) if root is not None else None
        if isinstance(meant, tuple) and root is not None and meant == (module, root.id):
            return None
        for node in [part for part in walk(chain) if isinstance(part, ast.Name | ast.Attribute)][::-1]:
            if isinstance(meant, Place) and isinstance(node, ast.Attribute):
                meant = self._attribute(module, meant, node)
            if isinstance(meant, tuple):
                if not isinstance(node.ctx, ast.Load):
                    raise module.refused(node, f"{meant[1]} of {self.shown(meant[0].path)} is changed here")
                return Reference(node, *meant)
        if isinstance(meant, Place) and self._holds_taken(meant):
            raise module.refused(chain, _AS_VALUE.format(ast.unparse(chain)))
        return None

    def _meant(self, module: Module, root: ast.Name) -> _Meant:
        """Returns what a name means where it stands."""
        scope = module.scope_of(root)
        if scope is None:
            meant = self.definition(module, root.id, root, module) if self._starred(module) else None
            return None if isinstance(meant, Place) else meant
        if scope is module.names.module:
            return self.definition(module, root.id, root, module)
        known = self._imported(module, root.id, scope.bindings[root.id], root, module)
        if isinstance(known, tuple):
            return self.definition(self.taken(module, known[0], root), known[1], root, module)
        return known

    def _attribute(self, module: Module, place: Place, node: ast.Name | ast.Attribute) -> _Meant:
        """Returns what an attribute of a module is; None if the module is not taken."""
        assert isinstance(node, ast.Attribute)
        if self.is_taken(place):
            other = self.taken(module, place, node)
            meant = self.definition(other, node.attr, node, module)
            if meant is None or node.attr in _OPAQUE:
                raise module.refused(node, _AS_VALUE.format(ast.unparse(node.value)))
            return meant
        if place.folder is None:
            return None
        return self.search.tree.at(place.folder, node.attr, place.spelled)

    def runs(self, module: Module, node: ast.stmt) -> list[Place]:
        """Returns the modules that an import runs, in their order, those of the packages round them too.

        Raises:
            NotJoinedError: It may mean several modules.
        """
        places: list[Place] = []
        for statement in imports_of(node):
            for name in (statement.module, *(f"{statement.module}.{n}".lstrip(".") for n in statement.names)):
                place = self.located(module, node, name, statement.level) if name or statement.level else None
                if place is not None:
                    places += [*place.before, place]
        return [place for place in dict.fromkeys(places) if place.path]
