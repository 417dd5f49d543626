"""How a session begins: with the first values of all variables, or with those of a checkpoint."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from codemods.names import Names
from codemods.native.kinds import Kind, kind_of_call, v1_name
from codemods.native.places import calls_bound_to, place_of
from codemods.tree import walk

FIRST = "has_first_values"
"""The attribute of an object that says whether its variables still have their first values."""
_OF_ALL = ("max_to_keep", "keep_checkpoint_every_n_hours", "write_version")
"""Options of a saver that has all variables."""
INITIALIZERS = (
    "global_variables_initializer",
    "initialize_all_variables",
    "initializers.global_variables",
)


@dataclass(frozen=True)
class Beginning:
    """What gives the variables of a session their values.

    Attributes:
        statement: The statement; the `if` that restores, for its missing other branch.
        is_fresh: Whether these are first values.
        is_otherwise: Whether they are those of the missing other branch.
    """

    statement: ast.stmt
    is_fresh: bool
    is_otherwise: bool = False


class Beginnings:
    """Reads how the sessions under a name begin."""

    def __init__(self, session: str, method: ast.FunctionDef, owner: ast.ClassDef, names: Names) -> None:
        self._session, self._method, self._owner, self._names = session, method, owner, names

    def of(self, statements: Sequence[ast.stmt], after_initializer: bool = False) -> list[Beginning] | None:
        """Returns how a session begins that the statements use; None if something runs it before, or nothing does.

        Args:
            statements: The statements.
            after_initializer: Whether the variables have their first values before the statements.
        """
        initialized: ast.stmt | None = None
        for statement in statements:
            if self._initializes(statement):
                initialized = initialized or statement
            elif (saver := self._restored_by(statement)) is not None:
                keeps_first_values = (after_initializer or initialized is not None) and not self._is_last(saver)
                return [Beginning(initialized or statement, keeps_first_values)]
            elif self._uses(statement):
                branches = self._of_branches(statement, initialized)
                if branches is not None:
                    return branches
                break
        return [Beginning(initialized, True)] if initialized is not None else None

    def _of_branches(self, statement: ast.stmt, initialized: ast.stmt | None) -> list[Beginning] | None:
        """Returns how a session begins in the branches of an `if`."""
        if not isinstance(statement, ast.If) or self._uses(statement.test):
            return None
        begun = initialized is not None
        parts = [self._of_branch(block, begun) for block in (statement.body, statement.orelse) if block]
        if any(part is None for part in parts):
            return None
        known = [beginning for part in parts for beginning in part or ()]
        if statement.orelse or initialized is None:
            return known if statement.orelse and initialized is None else None
        return [*known, Beginning(statement, True, is_otherwise=True)]

    def _of_branch(self, block: Sequence[ast.stmt], begun: bool) -> list[Beginning] | None:
        ends = isinstance(block[-1], (ast.Return, ast.Raise))
        return [] if ends and not any(self._uses(node) for node in block) else self.of(block, begun)

    def _uses(self, node: ast.AST) -> bool:
        """Returns whether code may run the session. A writer only gets its graph."""
        graphs = {id(n.value) for n in walk(node) if isinstance(n, ast.Attribute) and n.attr == "graph"}
        runs = any(isinstance(n, ast.Attribute) and n.attr in ("run", "eval", "restore") for n in walk(node))
        named = any(isinstance(n, ast.Name) and n.id == self._session and id(n) not in graphs for n in walk(node))
        own = any(isinstance(n, ast.Call) and (place_of(n.func) or "").startswith("self.") for n in walk(node))
        return runs or named or own

    def _initializes(self, statement: ast.stmt) -> bool:
        """Returns whether a statement only initializes all variables: `sess.run(init)`, `init.run()`."""
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "run":
            return False
        if call.keywords:
            return False
        of = call.func.value
        if isinstance(of, ast.Name) and of.id == self._session:
            return len(call.args) == 1 and self._is_initializer(call.args[0])
        return not call.args and self._is_initializer(of)

    def _is_initializer(self, value: ast.expr) -> bool:
        if not isinstance(value, ast.Call):
            calls = self._made(value)
            return len(calls) == 1 and self._is_initializer(calls[0])
        return v1_name(self._names, value.func) in INITIALIZERS

    def _made(self, value: ast.expr) -> list[ast.Call]:
        """Returns the calls whose results an expression is, if it is a place of the method or of the object."""
        place = place_of(value) or ""
        return calls_bound_to(place, self._owner if place.startswith("self.") else self._method)

    def _restored_by(self, statement: ast.stmt) -> ast.Call | None:
        """Returns what makes the saver of a statement that restores all variables: `saver.restore(sess, path)`."""
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "restore":
            return None
        given = call.args[0] if call.args else None
        if not (isinstance(given, ast.Name) and given.id == self._session):
            return None
        savers = self._made(call.func.value)
        return savers[0] if len(savers) == 1 and self._has_all(savers[0]) else None

    def _has_all(self, saver: ast.Call) -> bool:
        is_saver = kind_of_call(v1_name(self._names, saver.func) or "") is Kind.SAVER
        return is_saver and not saver.args and all(keyword.arg in _OF_ALL for keyword in saver.keywords)

    def _is_last(self, saver: ast.Call) -> bool:
        """Returns whether all variables are made before a saver: those made later keep their first values."""
        if any(node is saver for node in walk(self._method)):
            return True
        first = next(n for n in self._owner.body if isinstance(n, ast.FunctionDef) and n.name == "__init__")
        at = next((k for k, known in enumerate(first.body) if any(node is saver for node in walk(known))), None)
        later = [node for known in first.body[at + 1 :] for node in walk(known)] if at is not None else []
        calls = [node for node in later if isinstance(node, ast.Call)]
        return at is not None and not any(
            v1_name(self._names, call.func) is not None or (place_of(call.func) or "").startswith("self.")
            for call in calls
        )
