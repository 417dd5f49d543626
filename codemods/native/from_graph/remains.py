"""Which statements of a program remain when its graph comes from elsewhere."""

from __future__ import annotations

import ast
from collections.abc import Sequence, Set

from codemods.native.from_graph.building import Building, only_builds, parts_in
from codemods.native.from_graph.definitions import Function
from codemods.native.from_graph.unused import unused
from codemods.native.refusals import NotNativeError
from codemods.tree import walk

_LEAVING = (ast.Return, ast.Assert, ast.Delete)


class Remains:
    """The statements that go, and the blocks that dissolve.

    Args:
        building: Which expressions are parts of the graph.
        sites: The calls that become calls of functions.
        dropped: The calls that become nothing.
        makers: What makes objects, which get functions there.

    Attributes:
        gone: The statements that go, each the outermost one.
        dissolved: The blocks that give up their statements, as that of a session.
        empty: The functions that do nothing any more.
    """

    def __init__(
        self, building: Building, sites: Set[ast.Call], dropped: Set[ast.Call], makers: Set[Function] = frozenset()
    ) -> None:
        self.gone: set[ast.stmt] = set()
        self.dissolved: set[ast.With] = set()
        self.empty: set[Function] = set()
        self.makers = makers
        self._building, self._sites, self._dropped = building, sites, dropped
        self._unused: set[ast.stmt] = set()
        size = -1
        while size != (size := len(self.empty) + len(self._unused)):  # a call of an empty function empties others
            self.gone.clear()
            self.dissolved.clear()
            for statement in building.names.tree.body:
                self._visit(statement)
            self._unused |= set(unused(building, self.gone, self.remaining(), sites | dropped))

    def _visit(self, statement: ast.stmt) -> bool:
        """Notes whether a statement goes, and what goes in it. Returns whether it goes."""
        blocks = _blocks(statement)
        for block in blocks:
            for inner in block:
                self._visit(inner)
        goes = self._of_blocks(statement, blocks) if blocks else self._goes(statement)
        if goes:
            self.gone -= {below for below in walk(statement) if isinstance(below, ast.stmt)}
            self.dissolved -= {below for below in walk(statement) if isinstance(below, ast.With)}
            self.gone.add(statement)
        return goes

    def _goes(self, statement: ast.stmt) -> bool:
        """Returns whether a statement without blocks goes."""
        if statement in self._unused:
            return True
        if isinstance(statement, ast.Expr):
            return self._is_gone_call(statement)
        if self._has_site(statement):
            return False
        holds = self._building.holds
        if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            into = (t.value for t in targets if isinstance(t, (ast.Attribute, ast.Subscript)))
            return (statement.value is not None and holds(statement.value)) or any(map(holds, into))
        return isinstance(statement, _LEAVING) and any(map(holds, ast.iter_child_nodes(statement)))

    def _is_gone_call(self, statement: ast.Expr) -> bool:
        call = statement.value
        if call in self._dropped:
            return True
        if not isinstance(call, ast.Call) or self._has_site(statement):
            return False
        called = self._building.definitions.called(call)
        if called and all(function in self.empty for function in called):
            return True
        return self._building.holds(call) and only_builds(call, self._building)

    def _of_blocks(self, statement: ast.stmt, blocks: Sequence[Sequence[ast.stmt]]) -> bool:
        """Returns whether a statement with blocks goes: nothing of it would remain."""
        nothing = all(self._is_empty(block) for block in blocks) and statement not in self.makers
        if isinstance(statement, Function):
            has_sites = self._has_site(statement)
            if nothing and not has_sites and statement.name != "__init__":
                self.empty.add(statement)
            return not has_sites and (statement in self._building.returning or statement in self.empty)
        if isinstance(statement, ast.ClassDef):
            return nothing or any(map(self._building.holds, statement.bases))
        if isinstance(statement, ast.With):
            parts = [self._building.holds(item.context_expr) for item in statement.items]
            if any(parts) and not nothing:
                if not all(parts):
                    message = "open what is no part of the graph in a block of its own"
                    raise NotNativeError(statement, "NAT008", message)
                self.dissolved.add(statement)
        return nothing

    def _is_empty(self, block: Sequence[ast.stmt]) -> bool:
        """Returns whether statements went, and nothing but a docstring remains."""
        left = [statement for statement in block if statement not in self.gone and not _is_text(statement)]
        return not left and any(statement in self.gone for statement in block)

    def _has_site(self, node: ast.AST) -> bool:
        return any(below in self._sites and below not in self._dropped for below in walk(node))

    def prints(self) -> list[ast.Call]:
        """Returns the prints that go, in the order of the text."""
        calls = (node for statement in self.gone for node in walk(statement) if isinstance(node, ast.Call))
        printing = (call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print")
        return sorted(printing, key=lambda call: call.lineno)

    def require_apart(self, given: Set[ast.AST]) -> None:
        """Refuses statements that remain and read parts of the graph.

        Args:
            given: Expressions that vanish, as the fetches and feeds of calls.

        Raises:
            NotNativeError: One does.
        """
        for statement in self.remaining():
            headed = [child for child in ast.iter_child_nodes(statement) if not _is_block_part(child)]
            if statement in self.dissolved or isinstance(statement, (ast.Import, ast.ImportFrom)):
                continue
            for child in headed:
                part = parts_in(child, self._building, given)
                if part is not None:
                    message = f"{ast.unparse(part)} is a part of the graph, and Python code reads it here"
                    raise NotNativeError(
                        part, "NAT003", f"{message}; fetch its value, or give Python a value of its own"
                    )

    def remaining(self) -> Sequence[ast.stmt]:
        """Returns all statements that remain, outer ones first."""
        remaining: list[ast.stmt] = []
        pending: list[ast.stmt] = list(self._building.names.tree.body)
        while pending:
            statement = pending.pop(0)
            if statement not in self.gone:
                remaining.append(statement)
                pending = [*(inner for block in _blocks(statement) for inner in block), *pending]
        return remaining


def _is_block_part(node: ast.AST) -> bool:
    return isinstance(node, (ast.stmt, ast.ExceptHandler, ast.match_case))


def _blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    """Returns the blocks of a statement that are not empty."""
    blocks = [getattr(statement, name, None) or [] for name in ("body", "orelse", "finalbody")]
    blocks += [handler.body for handler in getattr(statement, "handlers", [])]
    return [block for block in blocks if block]


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
