"""Sessions that methods open for themselves: `def train(self): with tf.Session() as sess: ...`, and `test()` likewise.

In TensorFlow 1 each session has values of its own for the variables of the graph. A native object has one value for
each. That makes no difference where each session begins with first values, or with those of a checkpoint. First values
are there once: a second session that begins with them is an error of the native program.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from codemods import scopes
from codemods.names import Names
from codemods.native.beginnings import FIRST, INITIALIZERS, Beginning, Beginnings
from codemods.native.closed_classes import has_plain_bases, uses_of
from codemods.native.kinds import DRAWS, OF_VARIABLES, SEEDS, kind_of_call, makes_session, v1_alias, v1_name
from codemods.native.places import method_of
from codemods.native.source_text import SourceText
from codemods.tree import walk

_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.Try, ast.FunctionDef, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True)
class _Opened:
    """A block of a method that opens a session, and how the session begins."""

    block: ast.With
    method: ast.FunctionDef
    name: str
    beginnings: Sequence[Beginning]


@dataclass
class _Owner:
    """A class, and the sessions of its methods."""

    node: ast.ClassDef
    first: ast.FunctionDef
    opened: list[_Opened] = field(default_factory=list)


def with_own_sessions(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Returns a text whose objects have one session each, and the old number of each line; None for no change."""
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    source = SourceText(text, tree)
    tensorflow = v1_alias(names)
    changed = False
    for node in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        owner = _owner(node, tree, names, source)
        if owner is not None and not _draws_again(owner, tree, names):
            _write(owner, tensorflow, names, source)
            changed = True
    return source.with_origins() if changed else None


def _owner(node: ast.ClassDef, tree: ast.Module, names: Names, source: SourceText) -> _Owner | None:
    """Returns a class whose sessions can be one; None if it has none, or if that is not certain."""
    methods = [method for method in node.body if isinstance(method, ast.FunctionDef)]
    first = next((method for method in methods if method.name == "__init__"), None)
    made = [call for call in walk(node) if isinstance(call, ast.Call) and makes_session(call, names)]
    attributes = {below.attr for below in walk(tree) if isinstance(below, ast.Attribute)}
    if first is None or node.decorator_list or not made or attributes & {FIRST, "session", "initializer"}:
        return None
    if any(isinstance(below, ast.Return) for below in walk(first)) or not has_plain_bases(node, tree, names):
        return None
    if any(use in getattr(names.parents.get(use), "bases", ()) for use in uses_of(node, tree)):
        return None  # a subclass may have another __init__
    owner = _Owner(node, first)
    for method in methods:
        for block in (below for below in walk(method) if isinstance(below, ast.With)):
            if len(block.items) != 1 or block.items[0].context_expr not in made:
                continue
            opened = _opened(block, method, node, names, source)
            if opened is None:
                return None
            owner.opened.append(opened)
    whole = len(owner.opened) == len(made) and all(source.is_alone(statement) for statement in first.body)
    inside = _inside_others(owner, names)
    return owner if whole and not inside and _may_begin(owner, tree, names) else None


def _opened(
    block: ast.With, method: ast.FunctionDef, owner: ast.ClassDef, names: Names, source: SourceText
) -> _Opened | None:
    held = block.items[0].optional_vars
    if (
        method.name == "__init__"
        or method.decorator_list
        or not isinstance(held, ast.Name)
        or _may_repeat(block, names)
    ):
        return None
    inside = {id(below) for below in walk(block)}
    uses = [node for node in walk(method) if isinstance(node, ast.Name) and node.id == held.id]
    bound = [node for node in uses if node is not held and not isinstance(node.ctx, ast.Load)]
    given = any(isinstance(node, ast.arg) and node.arg == held.id for node in walk(method))
    stops = any(isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)) for node in walk(method))
    if bound or given or stops or any(id(node) not in inside for node in uses):
        return None
    if not all(source.is_alone(statement) for statement in block.body) or block.body[0].lineno == block.lineno:
        return None
    beginnings = Beginnings(held.id, method, owner, names).of(block.body)
    return _Opened(block, method, held.id, beginnings) if beginnings is not None else None


def _may_repeat(block: ast.With, names: Names) -> bool:
    """Returns whether a block is in a loop, or in a function inside its method."""
    node: ast.AST = block
    while not isinstance(names.parents[node], ast.ClassDef):
        node = names.parents[node]
        if isinstance(node, _LOOPS) and not isinstance(names.parents[node], ast.ClassDef):
            return True
    return False


def _inside_others(owner: _Owner, names: Names) -> bool:
    """Returns whether a session is opened while another one is open, so that both have values, or by `__init__`."""
    methods = {node.name: node for node in owner.node.body if isinstance(node, ast.FunctionDef)}
    opening = {opened.method.name for opened in owner.opened}
    for body in (owner.first.body, *(opened.block.body for opened in owner.opened)):
        todo, seen = list[ast.AST](body), set[str]()
        while todo:
            for node in walk(todo.pop()):
                own = isinstance(node, ast.Attribute) and names.qualified(node) is None  # tf.train is no method
                name = node.attr if own and isinstance(node, ast.Attribute) else ""
                if name in opening or (isinstance(node, ast.With) and any(node is o.block for o in owner.opened)):
                    return True
                if name in methods.keys() - seen:
                    seen.add(name)
                    todo.append(methods[name])
    return False


def _may_begin(owner: _Owner, tree: ast.Module, names: Names) -> bool:
    """Returns whether the methods get no tensors, and at most one session that has first values is seen to run."""
    opening = {opened.method.name for opened in owner.opened}
    fresh = {opened.method.name for opened in owner.opened if all(known.is_fresh for known in opened.beginnings)}
    known = [node for node in walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    calls = [call for call in known if method_of(call) in fresh]
    if any(_gets_tensors(call, tree, names) for call in known if method_of(call) in opening):
        return False
    return len(calls) < 2 and not any(isinstance(above, _LOOPS[:3]) for call in calls for above in names.above(call))


def _gets_tensors(call: ast.Call, tree: ast.Module, names: Names) -> bool:
    """Returns whether a call gets what TensorFlow makes."""
    given = [node for part in (*call.args, *call.keywords) for node in walk(part)]
    read = {node.id for node in given if isinstance(node, ast.Name)}
    made = [node for node in walk(tree) if isinstance(node, ast.Assign)]
    bound = [node.value for node in made if {ast.unparse(target) for target in node.targets} & read]
    below = [*given, *(node for value in bound for node in walk(value))]
    return any(isinstance(node, ast.Call) and v1_name(names, node.func) is not None for node in below)


def _draws_again(owner: _Owner, tree: ast.Module, names: Names) -> bool:
    """Returns whether each session would begin the draws of a seed again: one session goes on with them."""
    calls = [node for node in walk(tree) if isinstance(node, ast.Call)]
    seeded = any(v1_name(names, call.func) in SEEDS for call in calls)
    drawn = [call for call in calls if v1_name(names, call.func) in DRAWS]
    apart = [call for call in drawn if not any(_makes_variable(above, names) for above in names.above(call))]
    own = any(keyword.arg == "seed" for call in apart for keyword in call.keywords)
    return len(owner.opened) > 1 and bool(apart) and (seeded or own)


def _makes_variable(node: ast.AST, names: Names) -> bool:
    return isinstance(node, ast.Call) and kind_of_call(v1_name(names, node.func) or "") in OF_VARIABLES


def _write(owner: _Owner, tensorflow: str, names: Names, source: SourceText) -> None:
    """Writes one session for the object, which the methods use, and one initializer."""
    guarded = any(known.is_fresh for opened in owner.opened for known in opened.beginnings)
    for block in (opened.block for opened in owner.opened):
        source.shift(block.body, len(source.indent_of(block.body[0])) - len(source.indent_of(block)))
    for method in {id(opened.method): opened.method for opened in owner.opened}.values():
        _write_initializers(method, names, source)
    for opened in owner.opened:
        held = opened.block.items[0].optional_vars
        for node in walk(opened.block):
            if isinstance(node, ast.Name) and node.id == opened.name and node is not held:
                source.replace(source.span(node), "self.session")
        for known in opened.beginnings if guarded else ():
            _mark(known, opened, owner.node.name, source)
        _remove_header(opened.block, source)
    indent = source.indent_of(owner.first.body[-1])
    lines = [f"self.{FIRST} = True"] * guarded
    lines += [f"self.initializer = {tensorflow}.global_variables_initializer()"]
    lines += [f"self.session = {tensorflow}.Session()"]
    end = source.lines_of(owner.first.body[-1])[1]
    break_before = "" if source.data[:end].endswith(b"\n") else "\n"
    source.replace((end, end), break_before + "".join(f"{indent}{line}\n" for line in lines))


def _write_initializers(method: ast.FunctionDef, names: Names, source: SourceText) -> None:
    """Writes the object's initializer in place of those that a method makes."""
    for node in walk(method):
        if isinstance(node, ast.Call) and v1_name(names, node.func) in INITIALIZERS:
            made = names.parents.get(node)
            if isinstance(made, ast.Assign) and source.is_alone(made) and isinstance(made.targets[0], ast.Name):
                for use in walk(method):
                    if isinstance(use, ast.Name) and use.id == made.targets[0].id and isinstance(use.ctx, ast.Load):
                        source.replace(source.span(use), "self.initializer")
                start, end = source.span(made)
                end = source.positions.after_newline(source.positions.line_end(end))
                source.delete((source.positions.line_start(start), end))
            else:
                source.replace(source.span(node), "self.initializer")


def _mark(known: Beginning, opened: _Opened, owner: str, source: SourceText) -> None:
    """Writes that variables will have other values, and the error where they should have their first ones."""
    at, step = known.statement, source.indent_step
    indent = source.indent_of(opened.block) + source.indent_of(at)[len(source.indent_of(opened.block.body[0])) :]
    inner = indent + step if known.is_otherwise else indent
    lines = [f"{inner}self.{FIRST} = False\n"]
    if known.is_fresh:
        message = f'"the variables have other values than their first ones by now: make a new {owner}"'
        lines = [f"{inner}if not self.{FIRST}:\n", f"{inner}{step}raise RuntimeError({message})\n", *lines]
    if known.is_otherwise:
        end = source.lines_of(at)[1]
        break_before = "" if source.data[:end].endswith(b"\n") else "\n"
        source.replace((end, end), break_before + "".join([f"{indent}else:\n", *lines]))
    else:
        start = source.positions.line_start(source.span(at)[0])
        source.replace((start, start), "".join(lines))


def _remove_header(block: ast.With, source: SourceText) -> None:
    """Removes the line of a block; its statements have moved to the left before."""
    held = block.items[0].optional_vars
    assert held is not None
    start = source.positions.line_start(source.span(block)[0])
    source.delete((start, source.positions.after_newline(source.positions.line_end(source.span(held)[1]))))
