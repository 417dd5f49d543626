"""The statements of the body that builds a graph and runs it, and what each of them is."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from codemods.names import Names
from codemods.native.datasets import OF_DATA
from codemods.native.effects import Effects
from codemods.native.kinds import BUILT, GONE, OF_VARIABLES, Kind, v1_name
from codemods.native.layers import scope_name, waits_for
from codemods.native.mains import Main
from codemods.native.meanings import Meanings
from codemods.native.places import is_main_block, mutates, outer_reads, place_of, stores, uses
from codemods.native.refusals import NotNativeError
from codemods.native.repeatable import require_pure
from codemods.tree import walk

_SCOPES = frozenset(("name_scope", "variable_scope", "device", "op_scope"))
_WAITED = frozenset({Kind.UPDATES, Kind.TRAIN, Kind.ASSIGN})
_ONLY_WAITING = frozenset(("no_op", "group"))
Block = ast.With | ast.If | ast.FunctionDef | ast.ClassDef


@dataclass(eq=False)
class Item:
    """One statement of the body.

    Attributes:
        node: The statement.
        index: Its number in the body.
        blocks: The `with` and `if __name__` blocks, the class and the function round it, the outermost first.
        places: The kinds of places before it.
        kind: What it makes. A statement that runs a session is Python.
        effects: What evaluating it does.
        reads: The places it reads, those of the functions it calls among them.
        writes: The places it binds or changes.
        controls: The number of the statement that reads the updates it waits for; None if it waits for none.
    """

    node: ast.stmt
    index: int
    blocks: tuple[Block, ...]
    kind: Kind
    effects: Effects
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    mutated: frozenset[str] = frozenset()
    places: Mapping[str, Kind] = field(default_factory=dict)
    controls: int | None = None

    @property
    def home(self) -> ast.FunctionDef | None:
        """The function whose statement it is; None for one of the module."""
        return next((block for block in reversed(self.blocks) if isinstance(block, ast.FunctionDef)), None)

    @property
    def moves(self) -> bool:
        """Whether the statement becomes part of functions."""
        return self.kind in BUILT and not self.effects.runs


@dataclass
class Body:
    """The body of a module or function: its statements in order, and what defines each place."""

    statements: Sequence[ast.stmt]
    main: Main
    items: list[Item] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    sessions: set[str] = field(default_factory=set)
    """The names of sessions in functions, which methods that nothing calls may read."""

    def definition(self, place: str, before: int, home: ast.FunctionDef | None = None) -> Item | None:
        """Returns the last statement before an index that binds or changes a place.

        Args:
            place: The place. A name belongs to its function, `self.x` to all methods.
            before: The number of the statement that reads it, or of all.
            home: The function of the reader, where `before` is not its statement.
        """
        if before < len(self.items):
            home = self.items[before].home
        for item in reversed(self.items[:before]):
            if place in item.writes and (place.startswith("self.") or item.home in (None, home)):
                return item
        return None

    def definitions(self, place: str) -> list[Item]:
        """Returns all statements that bind or change a place."""
        return [item for item in self.items if place in item.writes]


def read_body(statements: Sequence[ast.stmt], names: Names, meanings: Meanings, main: Main) -> Body:
    """Returns the body with the kind of each statement.

    Args:
        statements: The statements of the module.
        names: The meanings of its names.
        meanings: Where the kinds of places are noted.
        main: The function, or the class, whose statements count as statements of the body.

    Raises:
        NotNativeError: A statement cannot become native.
    """
    body = Body(statements, main)
    for node, blocks in _flat(statements, (), names, meanings, body):
        body.items.append(_item(node, len(body.items), blocks, meanings))
        _wait(body.items[-1], meanings)
    _require_python_arguments(body, meanings)
    meanings.places = dict.fromkeys(sorted(body.sessions), Kind.SESSION) | meanings.places
    for item in body.items:
        if isinstance(item.node, ast.FunctionDef) and any(isinstance(block, ast.ClassDef) for block in item.blocks):
            meanings.effects = item.effects
            meanings.evaluate(item.node)
    return body


def _require_python_arguments(body: Body, meanings: Meanings) -> None:
    """Refuses an object that is made with tensors, or inside a scope that its variables would have.

    Raises:
        NotNativeError: There is such an object.
    """
    instance = body.main.instance
    for item, call in ((i, c) for i in body.items for c in (instance.calls if instance is not None else ())):
        if not any(below is call for below in walk(item.node)):
            continue
        scratch = meanings.at(item.places)
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        scopes = [block for block in item.blocks if isinstance(block, ast.With)]
        opened = [opens(part.context_expr, meanings.names, scratch) for block in scopes for part in block.items]
        if any(scratch.kind(argument) is not Kind.PYTHON for argument in given) or not set(opened) <= {
            "session",
            "graph",
        }:
            message = "this object is made with tensors, or in a scope; make it with Python values alone"
            raise NotNativeError(call, "NAT008", message)


def _flat(
    statements: Sequence[ast.stmt], blocks: tuple[Block, ...], names: Names, meanings: Meanings, body: Body
) -> Iterator[tuple[ast.stmt, tuple[Block, ...]]]:
    for statement in statements:
        called = body.main.called_by(statement)
        if called is not None:
            _require_python(statement, meanings)
            yield statement, blocks
            kind_blocks = tuple(block for block in blocks if isinstance(block, ast.ClassDef))
            yield from _of_function(called, kind_blocks, names, meanings, body)
        elif statement in body.main.built:
            continue
        elif isinstance(statement, ast.FunctionDef) and statement in (body.main.function, *body.main.drivers):
            yield from _of_function(statement, blocks, names, meanings, body)
        elif statement is body.main.owner or is_transparent(statement, names, meanings):
            assert isinstance(statement, (ast.With, ast.If, ast.ClassDef))
            meanings.effects = Effects()
            meanings.take(statement)
            body.blocks.append(statement)
            opened = meanings.scopes.open(statement, names)
            yield from _flat(statement.body, (*blocks, statement), names, meanings, body)
            meanings.scopes.close(opened)
        else:
            yield statement, blocks


def _require_python(statement: ast.stmt, meanings: Meanings) -> None:
    """Refuses a call of a method that gets tensors or sessions.

    Raises:
        NotNativeError: This is one.
    """
    call = statement.value if isinstance(statement, ast.Expr) else None
    given = [*call.args, *(keyword.value for keyword in call.keywords)] if isinstance(call, ast.Call) else []
    if any(meanings.at().kind(argument) is not Kind.PYTHON for argument in given):
        raise NotNativeError(statement, "NAT008", "this method gets tensors or a session; give it Python values alone")


def _of_function(
    function: ast.FunctionDef, blocks: tuple[Block, ...], names: Names, meanings: Meanings, body: Body
) -> Iterator[tuple[ast.stmt, tuple[Block, ...]]]:
    """Yields the statements of a function. Its own names have no meaning outside."""
    before = dict(meanings.places)
    body.blocks.append(function)
    for argument in (below for below in walk(function.args) if isinstance(below, ast.arg)):
        meanings.places.pop(argument.arg, None)
    yield from _flat(function.body, (*blocks, function), names, meanings, body)
    body.sessions |= {place for place, kind in meanings.places.items() if kind is Kind.SESSION}
    kept = {place: kind for place, kind in meanings.places.items() if place.startswith("self.")}
    meanings.places = before | kept


def is_transparent(statement: ast.stmt, names: Names, meanings: Meanings) -> bool:
    """Returns whether the statements in a block count as statements of the body."""
    if isinstance(statement, ast.If):
        return is_main_block(statement)
    if not isinstance(statement, ast.With):
        return False
    return all(opens(item.context_expr, names, meanings) is not None for item in statement.items)


def opens(context: ast.expr, names: Names, meanings: Meanings) -> str | None:
    """Returns what a `with` opens: "session", "graph", "variables", "controls" or "scope"; None for all else."""
    if isinstance(context, ast.Call) and v1_name(names, context.func) in _SCOPES:
        return "variables" if scope_name(context, names) is not None else "scope"
    waited = waits_for(context, names)
    if waited is not None:
        return "controls" if meanings.at().kind(waited) in _WAITED else None
    kind = meanings.at().kind(context)
    return {Kind.SESSION: "session", Kind.GRAPH: "graph"}.get(kind)


def waited_for(item: Item, meanings: Meanings, kind: Kind) -> list[ast.expr]:
    """Returns what a statement waits for that is of a kind, by the blocks round it."""
    scratch = meanings.at(item.places)
    parts = [part for block in item.blocks if isinstance(block, ast.With) for part in block.items]
    waited = [context for part in parts if (context := waits_for(part.context_expr, meanings.names)) is not None]
    return [context for context in waited if scratch.kind(context) is kind]


def _wait(item: Item, meanings: Meanings) -> None:
    """Makes `train_op = tf.no_op()` the steps that it waits for.

    Raises:
        NotNativeError: A statement waits for steps, and does something itself.
    """
    for kind in (Kind.TRAIN, Kind.ASSIGN):
        contexts = waited_for(item, meanings, kind)
        if not contexts or item.kind is Kind.PYTHON:
            continue
        value = item.node.value if isinstance(item.node, ast.Assign) else None
        name = v1_name(meanings.names, value.func) if isinstance(value, ast.Call) else None
        after_step = kind is Kind.TRAIN and item.kind is Kind.ASSIGN
        parts = [part for context in contexts for part in getattr(context, "elts", [context])]
        if (name not in _ONLY_WAITING and not after_step) or any(place_of(part) is None for part in parts):
            message = f"this waits for {kind.value}; let only tf.no_op() or tf.group() wait for it"
            raise NotNativeError(item.node, "NAT001", message)
        if not after_step:
            item.kind = kind
        for place in item.writes:
            meanings.places[place] = item.kind
        item.reads |= {place for context in contexts for place, _ in uses(context)}


def _item(node: ast.stmt, index: int, blocks: tuple[Block, ...], meanings: Meanings) -> Item:
    meanings.effects = effects = Effects()
    places = dict(meanings.places)
    in_class = any(isinstance(block, ast.ClassDef) for block in blocks)
    if isinstance(node, ast.FunctionDef) and in_class:
        kind = Kind.PYTHON
    elif isinstance(node, ast.FunctionDef):
        meanings.functions[node.name] = node
        meanings.places.pop(node.name, None)
        kind = Kind.PYTHON
    else:
        kind = _kind(node, meanings)
    reads = outer_reads(node)
    for name in sorted(reads & meanings.functions.keys()):
        reads |= _read_by(meanings.functions[name], meanings, set())
    changed = mutates(node)
    writes = set() if isinstance(node, ast.FunctionDef) and in_class else stores(node)
    return Item(
        node, index, blocks, kind, effects, frozenset(reads | changed), frozenset(writes), frozenset(changed), places
    )  # fmt: skip


def _read_by(function: ast.FunctionDef, meanings: Meanings, seen: set[str]) -> set[str]:
    """Returns the places outside a function that it reads, by the functions it calls too."""
    seen.add(function.name)
    reads = {place for place, _ in uses(function)}
    for name in sorted(reads & meanings.functions.keys() - seen):
        reads |= _read_by(meanings.functions[name], meanings, seen)
    return reads


def _kind(node: ast.stmt, meanings: Meanings) -> Kind:
    kind = meanings.take(node)
    blocks = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
    blocks += [handler.body for handler in getattr(node, "handlers", [])]
    if not any(blocks) or isinstance(node, ast.ClassDef):
        return Kind.PYTHON if meanings.effects.runs else _of_simple(node, kind, meanings)
    opened = meanings.scopes.open(node, meanings.names)
    for block in blocks:
        meanings._statements(block)
    meanings.scopes.close(opened)
    if meanings.effects.runs:
        return Kind.PYTHON
    if _only_machinery(node, meanings):
        return Kind.GRAPH
    if meanings.effects.summaries and not (meanings.effects.variables or meanings.effects.layers):
        require_pure(node, meanings)
        return Kind.SUMMARY
    made = {meanings.places.get(place, Kind.PYTHON) for place in stores(node)} - {Kind.PYTHON}
    if made & OF_DATA:
        return _of_data(node, made)
    if made <= OF_VARIABLES:
        return Kind.VARIABLES if made else Kind.PYTHON
    if meanings.effects.variables or _makes_layers(node, meanings):
        raise NotNativeError(
            node, "NAT005", "this block makes both variables and tensors; make the variables in statements of their own"
        )
    kinds = made - {Kind.CONSTANT}
    if kinds & (GONE | {Kind.OPTIMIZER}):
        raise NotNativeError(node, "NAT008", "this block makes parts of a session; take them out of the block")
    require_pure(node, meanings)
    return Kind.TENSOR


def _of_data(node: ast.stmt, made: set[Kind]) -> Kind:
    """Returns the kind of a block that makes datasets.

    Raises:
        NotNativeError: It makes something else too.
    """
    if made <= {Kind.DATASET, Kind.CONSTANT} or made == {Kind.FED_DATASET}:
        return Kind.FED_DATASET if Kind.FED_DATASET in made else Kind.DATASET
    raise NotNativeError(node, "NAT008", "this block makes datasets and more; take all else out of the block")


def _only_machinery(node: ast.stmt, meanings: Meanings) -> bool:
    """Returns whether a block only calls session machinery, such as `if logs: tf.summary.FileWriter(logs, graph)`."""
    if not isinstance(node, ast.If) or node.orelse:
        return False
    scratch = meanings.at()
    return all(isinstance(below, ast.Expr) and scratch.kind(below.value) in GONE for below in node.body)


def _makes_layers(node: ast.stmt, meanings: Meanings) -> bool:
    """Returns whether a block itself makes layers, perhaps several times."""
    return any(below in meanings.effects.layers for below in walk(node) if isinstance(below, ast.Call))


def _of_simple(node: ast.stmt, kind: Kind, meanings: Meanings) -> Kind:
    _require_known(node, kind, meanings)
    target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    if isinstance(target, ast.Attribute):
        root: ast.expr = target
        while isinstance(root, ast.Attribute):
            root = root.value
        of = meanings.places.get(place_of(root) or "", Kind.PYTHON)
        if of in GONE:
            return of
    if kind is Kind.PLACEHOLDER and not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)):
        for place in stores(node):
            meanings.places[place] = Kind.TENSOR
        return Kind.TENSOR
    if meanings.effects.variables and kind not in (*OF_VARIABLES, Kind.PYTHON):
        raise NotNativeError(
            node,
            "NAT005",
            "this statement makes both variables and tensors; make the variables in statements of their own",
        )
    if kind in BUILT:
        _require_place(node)
        require_pure(node, meanings)
    return kind


def _require_place(node: ast.stmt) -> None:
    """Refuses a tensor that an attribute of another object holds: it would be lost.

    Raises:
        NotNativeError: This is one.
    """
    for target in node.targets if isinstance(node, ast.Assign) else ():
        if isinstance(target, ast.Attribute) and place_of(target) is None:
            message = f"{ast.unparse(target)} holds what becomes part of a function; keep it in a name or in self"
            raise NotNativeError(node, "NAT003", message)


def _require_known(node: ast.stmt, kind: Kind, meanings: Meanings) -> None:
    """Refuses a call of other code that gets a session or a graph, such as `K.set_session(sess)`.

    Raises:
        NotNativeError: It is one.
    """
    call = node.value if isinstance(node, ast.Expr) and kind in GONE else None
    if not isinstance(call, ast.Call) or v1_name(meanings.names, call.func) is not None:
        return
    of = meanings.at().kind(call.func.value) if isinstance(call.func, ast.Attribute) else Kind.PYTHON
    if of not in GONE:
        message = f"{ast.unparse(call.func)} gets {kind.value}, and what it does with it is not known"
        raise NotNativeError(call, "NAT008", message)
