"""Variables that a second scope of a name uses again: `variable_scope("disc", reuse=True)`, `scope.reuse_variables()`.

Where the source says both scopes, `w = tf.get_variable("w")` of the second one is the variable of the first: `w_2 = w`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from codemods import scopes
from codemods.names import Names
from codemods.native.kinds import Kind, kind_of_call, v1_name
from codemods.native.layers import NAMES as LAYERS
from codemods.native.places import is_main_block, place_of, stores
from codemods.native.recurrent import function_of
from codemods.native.refusals import NotNativeError
from codemods.native.source_text import SourceText
from codemods.tree import walk

_SCOPE = "variable_scope"
_AUTO = "AUTO_REUSE"
_Block = ast.Module | ast.FunctionDef


def with_shared_variables(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Returns a text whose scopes use no variables again, and the old number of each line; None if none does so."""
    if "reuse" not in text:
        return None
    tree = ast.parse(text)
    writer = _Writer(tree, text)
    for block in (node for node in walk(tree) if isinstance(node, _Block)):
        writer.read(block.body, _Open())
    made = writer.source.result()
    numbers = tuple(n for n in range(1, len(text.splitlines()) + 1) if n not in writer.gone)
    return (made, numbers) if made != text else None


def require_no_reuse(tree: ast.Module, names: Names) -> None:
    """Refuses a scope that uses variables again, where the source does not say which ones. Layers have names.

    Raises:
        NotNativeError: There is one, or two variables have one name.
    """
    functions = {node.name: node for node in walk(tree) if isinstance(node, ast.FunctionDef)}
    for block in names.nodes.get(ast.With, []):
        assert isinstance(block, ast.With)
        for item in block.items:
            option = _reuse_of(item.context_expr, names)
            if option is not None and not _is_off(option) and _makes_variables(block, names, functions, set()):
                message = (
                    "this scope uses variables again, and the source does not say which; use the variables themselves"
                )
                raise NotNativeError(item.context_expr, "NAT005", message)


@dataclass(frozen=True)
class _Open:
    """The scopes that are open: what names begin with, the names that hold them, and whether variables are shared."""

    prefix: str = ""
    reuses: str = ""
    """"always", "auto" or ""."""
    held: frozenset[str] = field(default_factory=frozenset)


class _Writer:
    def __init__(self, tree: ast.Module, text: str) -> None:
        self.names, self.source = scopes.resolve(tree), SourceText(text, tree)
        self.functions = {node.name: node for node in walk(tree) if isinstance(node, ast.FunctionDef)}
        self.gone: set[int] = set()
        self.made: dict[str, str] = {}

    def read(self, statements: Sequence[ast.stmt], opened: _Open) -> None:
        """Reads statements that run one after another."""
        for statement in statements:
            if isinstance(statement, ast.With):
                inner = self._entered(statement, opened)
                if inner is not None:
                    self.read(statement.body, inner)
            elif is_main_block(statement):
                self.read(statement.body, opened)
            elif self._turns_on(statement, opened):
                opened = _Open(opened.prefix, "always", opened.held)
                if statements[-1] is not statement or statements[0] is not statement:
                    self._remove(statement)
            elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                known = dict(self.made)
                self._forget(statement)
                self._share(statement, opened, known)
            else:
                self._forget(statement)

    def _forget(self, statement: ast.stmt) -> None:
        """Forgets the variables whose names a statement binds to something else."""
        bound = stores(statement)
        self.made = {name: place for name, place in self.made.items() if place not in bound}

    def _entered(self, statement: ast.With, opened: _Open) -> _Open | None:
        """Returns what is open in a block; None if its variables cannot be told."""
        for item in statement.items:
            context = item.context_expr
            if not isinstance(context, ast.Call) or v1_name(self.names, context.func) != _SCOPE:
                continue
            first = context.args[0] if context.args else None
            if not isinstance(first, ast.Constant) or not isinstance(first.value, str):
                return None
            option = _reuse_of(context, self.names)
            reuses = opened.reuses
            if option is not None and not _is_off(option):
                auto = (v1_name(self.names, option) or "") == _AUTO
                if not auto and not (isinstance(option, ast.Constant) and option.value is True):
                    return None
                reuses = "auto" if auto else "always"
            held = {item.optional_vars.id} if isinstance(item.optional_vars, ast.Name) else set()
            opened = _Open(f"{opened.prefix}{first.value}/", reuses, frozenset(held))
            if option is not None and self._is_plain(statement):
                self._without_option(context, option)
        return opened

    def _is_plain(self, block: ast.With) -> bool:
        """Returns whether all that makes variables in a block are assignments of `get_variable`."""
        assigned = {id(s.value) for s in _straight(block.body) if isinstance(s, ast.Assign) and len(s.targets) == 1}
        makes_any = False
        for call in (node for node in walk(block) if isinstance(node, ast.Call)):
            name = v1_name(self.names, call.func)
            if name == "get_variable":
                makes_any = True
                if id(call) not in assigned or not _literal(call):
                    return False
            elif _is_maker(call, self.names, self.functions, set()) or name in LAYERS:
                return False
        return makes_any

    def _without_option(self, context: ast.Call, option: ast.expr) -> None:
        parts = sorted([*context.args, *(k.value for k in context.keywords)], key=self.source.span)
        before = parts[parts.index(option) - 1]
        if context.args and before.end_lineno == option.end_lineno:
            self.source.replace((self.source.span(before)[1], self.source.span(option)[1]), "")

    def _turns_on(self, statement: ast.stmt, opened: _Open) -> bool:
        """Returns whether a statement is `scope.reuse_variables()` of the scope that is open."""
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            return False
        of = call.func.value
        current = isinstance(of, ast.Call) and v1_name(self.names, of.func) == "get_variable_scope"
        held = isinstance(of, ast.Name) and of.id in opened.held
        return call.func.attr == "reuse_variables" and (current or held)

    def _remove(self, statement: ast.stmt) -> None:
        if self.source.is_alone(statement) and statement.lineno == statement.end_lineno:
            start, end = self.source.span(statement)
            positions = self.source.positions
            self.source.replace((positions.line_start(start), positions.after_newline(positions.line_end(end))), "")
            self.gone.add(statement.lineno)

    def _share(self, statement: ast.Assign, opened: _Open, made: dict[str, str]) -> None:
        call, target = statement.value, statement.targets[0]
        place = place_of(target)
        if not isinstance(call, ast.Call) or v1_name(self.names, call.func) != "get_variable" or place is None:
            return
        name = _literal(call)
        if name is None:
            return
        known = made.get(opened.prefix + name)
        if known is None or known == place:
            self.made[opened.prefix + name] = place
        elif opened.reuses:
            self.source.replace(self.source.span(call), known)
            self.gone |= {*range(call.lineno + 1, (call.end_lineno or call.lineno) + 1)}


def _straight(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in statements:
        if isinstance(statement, ast.With):
            yield from _straight(statement.body)
        else:
            yield statement


def _literal(call: ast.Call) -> str | None:
    """Returns the name that the source gives a variable."""
    given = next((known.value for known in call.keywords if known.arg == "name"), None)
    given = call.args[0] if call.args else given
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else None


def _reuse_of(context: ast.expr, names: Names) -> ast.expr | None:
    if not isinstance(context, ast.Call) or v1_name(names, context.func) != _SCOPE:
        return None
    return next((known.value for known in context.keywords if known.arg == "reuse"), None)


def _is_off(option: ast.expr) -> bool:
    return isinstance(option, ast.Constant) and not option.value


def _makes_variables(node: ast.AST, names: Names, functions: dict[str, ast.FunctionDef], seen: set[str]) -> bool:
    """Returns whether something below a node makes variables, other than layers of TensorFlow."""
    return any(_is_maker(call, names, functions, seen) for call in walk(node) if isinstance(call, ast.Call))


def _is_maker(call: ast.Call, names: Names, functions: dict[str, ast.FunctionDef], seen: set[str]) -> bool:
    name = v1_name(names, call.func)
    if name is not None:
        return bool(function_of(name)) or (kind_of_call(name) is Kind.VARIABLE and name not in LAYERS)
    called = (place_of(call.func) or "").removeprefix("self.")
    if called not in functions or called in seen:
        return False
    return _makes_variables(functions[called], names, functions, seen | {called})
