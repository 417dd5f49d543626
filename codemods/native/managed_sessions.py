"""Sessions that TensorFlow 1 managed become plain ones: a saver, a session, first values or the last checkpoint.

Other passes then turn the session into functions. Which hooks and supervisors did what is in
[monitored_sessions.py](monitored_sessions.py) and [supervisors.py](supervisors.py).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from codemods import scopes
from codemods.names import Names
from codemods.native import queues
from codemods.native.counters import MAKERS
from codemods.native.edited_lines import FreeNames
from codemods.native.kinds import calls_of, v1_alias, v1_name
from codemods.native.one_by_one import Lines
from codemods.native.places import is_none, named_arguments, place_of, variable_names
from codemods.native.refusals import NotNativeError
from codemods.native.source_text import SourceText
from codemods.tree import walk

_COUNTED = ("Variable", "get_variable")
_SCOPES = ("name_scope", "variable_scope", "name_scope.name_scope")
_SUMMARIES = frozenset(("summary.scalar", "summary.histogram", "summary.image", "summary.text", "summary.audio"))
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class Edited:
    """A text whose managed sessions become plain ones.

    Attributes:
        tree: The tree of the text.
        names: The meanings of its names.
        source: The text, with the edits so far.
        tf: What it calls the names of TensorFlow 1.
        notes: (line, what a person should know of it).
    """

    def __init__(self, text: str) -> None:
        self.tree = ast.parse(text)
        self.names: Names = scopes.resolve(self.tree)
        self.source = SourceText(text, self.tree)
        self.tf = v1_alias(self.names)
        taken = variable_names(self.tree)
        taken |= {node.name for node in walk(self.tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        self.free = FreeNames(taken).take
        self.notes: list[tuple[int, str]] = []
        self._imports: set[str] = set()
        self._first_lines: dict[int, int] = {}

    def module(self, name: str) -> str:
        """Returns what the text calls a module, which it imports if it has not."""
        known = self.names.alias_of(name)
        if known is None:
            self._imports.add(name)
        return known or name

    def function_of(self, node: ast.AST) -> ast.AST:
        """Returns the function or class that a node is in; the module for none."""
        return next(above for above in self.names.above(node) if isinstance(above, (*_FUNCTIONS, ast.Module)))

    def is_seen(self, bound: ast.AST, at: ast.AST) -> bool:
        """Returns whether a name that a statement binds is the same at another place."""
        owner = self.function_of(bound)
        return not isinstance(owner, ast.ClassDef) and any(above is owner for above in self.names.above(at))

    def step_at(self, node: ast.AST) -> str:
        """Returns the name of the variable that counts steps, at a place; "" if the text has none.

        Raises:
            NotNativeError: The source does not say which one it is.
        """
        made = list(self._counts())
        named = any(isinstance(below, ast.Constant) and below.value == "global_step" for below in walk(self.tree))
        if not made and not named:
            return ""
        places = {place_of(count.targets[0]) for count in made if self._is_step_seen(count, node)}
        place = places.pop() if len(places) == 1 else None
        if place is None:
            message = "the source does not say which variable counts the steps of this session"
            raise NotNativeError(node, "NAT008", message)
        return place

    def _is_step_seen(self, count: ast.Assign, at: ast.AST) -> bool:
        """Returns whether a place, `step` or `self.step`, is the same where a session opens."""
        if not (place_of(count.targets[0]) or "").startswith("self."):
            return self.is_seen(count, at)
        owners = [[n for n in self.names.above(node) if isinstance(n, ast.ClassDef)] for node in (count, at)]
        return bool(owners[0]) and owners[0][:1] == owners[1][:1]

    def _counts(self) -> Iterator[ast.Assign]:
        for node in walk(self.tree):
            value = node.value if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
            if not isinstance(node, ast.Assign) or not isinstance(value, ast.Call):
                continue
            name = v1_name(self.names, value.func) or ""
            if name in MAKERS:
                yield node
            elif name in _COUNTED and not self._is_scoped(node):
                given = named_arguments(value, ("name",) if name == "get_variable" else ())
                named = given.get("name")
                if isinstance(named, ast.Constant) and named.value == "global_step":
                    yield node

    def _is_scoped(self, node: ast.AST) -> bool:
        """Returns whether a statement is in a scope, which begins the names of its variables."""
        blocks = (above for above in self.names.above(node) if isinstance(above, ast.With))
        opened = (part.context_expr for block in blocks for part in block.items)
        return any(isinstance(part, ast.Call) and v1_name(self.names, part.func) in _SCOPES for part in opened)

    @property
    def has_summaries(self) -> bool:
        """Whether the text makes summaries, which TensorFlow 1 merged if nobody else did."""
        return any(calls_of(self.names.nodes.get(ast.Call, []), self.names, _SUMMARIES))

    @property
    def may_end(self) -> bool:
        """Whether the text reads queues or datasets, whose end a managed session took for its own."""
        attributes = {node.attr for node in walk(self.tree) if isinstance(node, ast.Attribute)}
        calls = self.names.nodes.get(ast.Call, [])
        return "get_next" in attributes or any(calls_of(calls, self.names, queues.MAKERS))

    def is_folder(self, node: ast.expr) -> bool:
        """Returns whether an expression is a path that is not empty, whatever the options of the program are."""
        if isinstance(node, ast.Name):
            bound = [n for n in walk(self.tree) if isinstance(n, ast.Name) and n.id == node.id and n is not node]
            stores = [n for n in bound if not isinstance(n.ctx, ast.Load)]
            made = self.names.parents[stores[0]] if len(stores) == 1 else None
            given = any(isinstance(n, ast.arg) and n.arg == node.id for n in walk(self.tree))
            return isinstance(made, ast.Assign) and not given and self.is_folder(made.value)
        if isinstance(node, ast.Call):
            return ast.unparse(node.func) in ("os.path.join", "tempfile.mkdtemp", "mkdtemp")
        return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(node.value)

    def is_nothing(self, node: ast.expr | None) -> bool:
        """Returns whether an option is left out, or is None."""
        return node is None or is_none(node)

    def put(self, node: ast.stmt, lines: Sequence[str]) -> None:
        """Puts lines in place of a statement, or of the first line of a block."""
        start, end = self.source.span(node)
        if isinstance(node, ast.With):
            end = self.source.positions.line_end(self.source.span(node.items[-1].optional_vars or node.items[-1])[1])
        first, last = self.source.positions.line(start), self.source.positions.line(end)
        self._first_lines |= dict.fromkeys(range(first, last + 1), first)
        self.source.replace((start, end), f"\n{self.source.indent_of(node)}".join(lines))

    def drop(self, node: ast.stmt) -> None:
        """Removes a statement."""
        above = self.names.parents[node]
        blocks = (getattr(above, name, None) for name in ("body", "orelse", "finalbody"))
        if any(block == [node] for block in blocks) or not self.source.is_alone(node):
            self.source.replace(self.source.span(node), "pass")
            return
        start, end = self.source.span(node)
        positions = self.source.positions
        self.source.delete((positions.line_start(start), positions.after_newline(positions.line_end(end))))

    def put_before(self, node: ast.stmt, lines: Sequence[str], indent: str) -> None:
        """Puts lines before a statement and the comments above it."""
        start = self.source.lines_of(node)[0]
        self.source.replace((start, start), "".join(f"{indent}{line}\n" for line in lines))

    def put_behind(self, node: ast.stmt, lines: Sequence[str], indent: str) -> None:
        """Puts lines behind a statement."""
        end = self.source.positions.line_end(self.source.span(node)[1])
        self.source.replace((end, end), "".join(f"\n{indent}{line}" for line in lines))

    def result(self) -> Lines:
        """Returns the new text, and the old number of each line."""
        first = next((n for n in self.tree.body if isinstance(n, ast.Import)), None) or next(
            n for n in self.tree.body if isinstance(n, ast.ImportFrom) and n.module != "__future__"
        )
        if self._imports:
            self.put_before(first, [f"import {name}" for name in sorted(self._imports)], "")
        text, origins = self.source.with_origins()
        return text, tuple(self._first_lines.get(number, number) for number in origins)


def require_known(call: ast.Call, given: dict[str, ast.expr], known: frozenset[str], of: str) -> None:
    """Refuses options without a counterpart.

    Raises:
        NotNativeError: There is one.
    """
    unknown = sorted(given.keys() - known)
    if unknown:
        raise NotNativeError(call, "NAT001", f"the option {unknown[0]} of {of} has no counterpart")
    chief = given.get("is_chief")
    if chief is not None and not (isinstance(chief, ast.Constant) and chief.value is True):
        raise NotNativeError(call, "NAT001", "a session of several workers has no counterpart here")
    master = given.get("master")
    if master is not None and not (isinstance(master, ast.Constant) and not master.value):
        raise NotNativeError(call, "NAT001", "a session at another server has no counterpart here")


def session_lines(edited: Edited, session: str, init: str, saver: str, folder: str, is_sure: bool) -> list[str]:
    """Returns the lines that give variables their first values, or those of the last checkpoint in a folder."""
    lines = [f"{session}.run({init})", f"{session}.run({edited.tf}.local_variables_initializer())"]
    if saver and folder:
        listed = edited.free("checkpoint_state")
        checkpoint, latest = edited.free("checkpoint"), f"{edited.tf}.train.latest_checkpoint({folder})"
        lines += [
            f"{checkpoint} = {latest}" if is_sure else f"{checkpoint} = {latest} if {folder} else None",
            f"if {checkpoint}:",
            f"{edited.source.indent_step}{saver}.restore({session}, {checkpoint})",
            f"{edited.source.indent_step}{listed} = {edited.tf}.train.get_checkpoint_state({folder})",
            f"{edited.source.indent_step}{saver}.recover_last_checkpoints({listed}.all_model_checkpoint_paths)",
        ]
    return lines
