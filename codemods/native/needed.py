"""Which statements of the files of a program it needs: what runs when they are imported, and what these read."""

from __future__ import annotations

import ast

from codemods.names import root_of
from codemods.native.import_effects import has_effect, is_switch
from codemods.native.joined_modules import Module
from codemods.native.module_files import Place
from codemods.native.module_meanings import Modules
from codemods.native.places import is_main_block
from codemods.tree import walk

_READING_NAMES = frozenset(("globals", "eval", "exec"))
_OF_MODULES = frozenset(("__doc__", "__package__", "__spec__", "__loader__", "__builtins__"))
_OF_THEIR_PLACE = frozenset(("locals", "vars", "dir"))
"""Functions that read the names where they stand, if they get no argument."""


class Needed:
    """Finds the needed statements, and keeps them in `Module.kept`. `order` has the modules as they are first taken."""

    def __init__(self, modules: Modules) -> None:
        self._modules = modules
        self.order: list[Module] = []
        self._todo: list[tuple[Module, ast.stmt]] = []
        self._visit(modules.entry)
        while self._todo:
            self._follow(*self._todo.pop(0))

    def _visit(self, module: Module) -> None:
        """Keeps what runs when a module is imported; of the program, everything."""
        if module in self.order:
            return
        self.order.append(module)
        for statement in module.tree.body:
            if module.is_program or self._runs(module, statement):
                self._keep(module, statement)

    def _runs(self, module: Module, statement: ast.stmt) -> bool:
        if isinstance(statement, ast.If) and not is_main_block(statement) and "__name__" in ast.unparse(statement.test):
            raise module.refused(statement, "the other branch of this if runs when the file is imported")
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            return statement in module.stars or bool(self._modules.runs(module, statement))
        return has_effect(statement, module.names)

    def _keep(self, module: Module, statement: ast.stmt) -> None:
        if statement not in module.kept and not (not module.is_program and is_main_block(statement)):
            module.kept.add(statement)
            self._todo.append((module, statement))

    def _follow(self, module: Module, statement: ast.stmt) -> None:
        for node in walk(statement):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self._import(module, node)
            elif isinstance(node, ast.Name):
                self._require_known(module, node)
                if not isinstance(node.ctx, ast.Load) and module.scope_of(node) is module.names.module:
                    self._need(module, node.id)
        for chain in module.chains[statement]:
            known = self._modules.reference(module, chain)
            if known is not None:
                self._need(known.module, known.name)
                continue
            root = root_of(chain)
            if root is not None and module.scope_of(root) is module.names.module:
                self._need(module, root.id)

    def _need(self, module: Module, name: str) -> None:
        """Keeps the statements that bind a name at the top of a module."""
        for statement in module.own_binders(name):
            if not is_switch(statement):
                self._keep(module, statement)

    def _import(self, module: Module, node: ast.stmt) -> None:
        """Takes the modules that an import runs.

        Raises:
            NotJoinedError: It runs a package of another kind, which does something when it is imported.
        """
        places = self._modules.runs(module, node)
        if not any(map(self._modules.is_taken, places)):
            return
        for place in places:
            if self._modules.is_taken(place):
                self._visit(self._modules.taken(module, place, node))
            elif place.path.endswith("__init__.py") and self._does(module, place, node, set()):
                message = f"{self._modules.shown(place.path)} does something when it is imported; leave it empty"
                raise module.refused(node, message)

    def _does(self, importer: Module, place: Place, node: ast.stmt, seen: set[str]) -> bool:
        """Returns whether a module that is not taken does something when it is imported."""
        if place.path in seen:
            return False
        seen.add(place.path)
        text = self._modules.search.tree.text(place.path)
        module = Module(place, text or "", node)
        if any(has_effect(statement, module.names) for statement in module.tree.body):
            return True
        imports = [s for s in module.tree.body if isinstance(s, (ast.Import, ast.ImportFrom))]
        return any(self._does(importer, p, node, seen) for s in imports for p in self._modules.runs(module, s))

    def _require_known(self, module: Module, node: ast.Name) -> None:
        """Refuses what reads names or places of a file in a way that joining would change.

        Raises:
            NotJoinedError: A statement of a taken file does.
        """
        if module.is_program or not module.names.is_unbound(node):
            return
        above = module.names.parents.get(node)
        is_bare = isinstance(above, ast.Call) and above.func is node and not above.args
        at_top = module.names.scopes.get(node) is module.names.module
        if node.id in _READING_NAMES or (node.id in _OF_THEIR_PLACE and is_bare and at_top):
            raise module.refused(node, f"{node.id}() may read names of the file; name them")
        if node.id in _OF_MODULES:
            raise module.refused(node, f"this reads {node.id} of its file, which would be that of the program")
        if node.id == "__file__" and not self._is_of_its_folder(module, node):
            raise module.refused(node, "this reads the place of its file; give the path in another way")
        if node.id == "__name__" and module.place.spelled.startswith("."):
            raise module.refused(node, "this reads the name of its module; write the name")

    def _is_of_its_folder(self, module: Module, node: ast.Name) -> bool:
        """Returns whether `__file__` is read for the folder of the program, where the file lies too."""
        same = module.path.rpartition("/")[0] == self._modules.entry.path.rpartition("/")[0]
        above: ast.AST | None = module.names.parents.get(node)
        while isinstance(above, ast.Call):
            if ast.unparse(above.func).endswith("dirname"):
                return same
            above = module.names.parents.get(above)
        return False


def is_pure(module: Module, modules: Modules) -> bool:
    """Returns whether what is kept of a module only binds names, so that it may run earlier."""
    imports = (s for s in module.kept if isinstance(s, (ast.Import, ast.ImportFrom)))
    runs = [place for statement in imports for place in modules.runs(module, statement)]
    is_plain = all(map(modules.is_taken, runs))
    return is_plain and not any(has_effect(statement, module.names) for statement in module.kept)
