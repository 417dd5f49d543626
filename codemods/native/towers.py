"""Towers: a loop that takes gradients for each device is written out, so that each turn has names of its own.

    for i in range(2):                                    with tf.device('/gpu:%d' % 0):
        with tf.device('/gpu:%d' % i):                        loss_0 = net(x[0 * size: (0 + 1) * size])
            loss = net(x[i * size: (i + 1) * size])   ->      grads_0 = opt.compute_gradients(loss_0)
            grads = opt.compute_gradients(loss)               towers.append(grads_0)
            towers.append(grads)                          with tf.device('/gpu:%d' % 1):
                                                              loss = net(x[1 * size: (1 + 1) * size])

What follows the loop has the names of the last turn, as in Python. One function then computes all towers and their
average on one device: on a CPU the numbers are those of the towers.
"""

from __future__ import annotations

import ast

from codemods import scopes
from codemods.names import Names
from codemods.native.edited_lines import EditedLines
from codemods.native.inlining import unchanged
from codemods.native.kinds import v1_alias, v1_name
from codemods.native.one_by_one import Lines
from codemods.native.places import COMPREHENSIONS, method_of, names_in_texts, variable_names
from codemods.native.refusals import NotNativeError
from codemods.native.source_text import SourceText, reindented
from codemods.native.stated_names import BoundOnce
from codemods.native.tower_turns import Turns, current_scope
from codemods.tree import walk

_MOST = 8
"""The most turns that are written out."""
_RANGES = ("range", "xrange")
_OTHER = (ast.FunctionDef, ast.ClassDef, ast.Lambda, ast.Break, ast.Continue, ast.Return, ast.Global, ast.Nonlocal)


def with_towers_apart(text: str) -> Lines | None:
    """Returns a text whose towers stand one after another, and the old number of each line; None if it has none.

    Raises:
        NotNativeError: The source does not say how many towers there are, or what one of them does.
    """
    if ".compute_gradients(" not in text:
        return None
    now = unchanged(text)
    while (made := _without_current_scope(now.text)) is not None:
        now = now.then(made)
    tree = ast.parse(now.text)
    names = scopes.resolve(tree)
    loop = next((node for node in names.nodes.get(ast.For, []) if isinstance(node, ast.For) and _is_tower(node)), None)
    if loop is None:
        return None
    now = now.then(_written_out(loop, now.text, tree, names))
    now = now.then(_without_devices(now.text, _chooses_devices(loop, names)))
    return now.text, now.origins


def _chooses_devices(loop: ast.For, names: Names) -> set[str]:
    """Returns the functions that a loop calls to choose devices: `with tf.device(assign_to_device(i))`."""
    blocks = (node for node in walk(loop) if isinstance(node, ast.With))
    contexts = [item.context_expr for block in blocks for item in block.items]
    devices = [call for call in contexts if isinstance(call, ast.Call) and v1_name(names, call.func) == "device"]
    return {n.id for call in devices for part in call.args for n in walk(part) if isinstance(n, ast.Name)}


def _without_devices(text: str, chosen: set[str]) -> Lines | None:
    """Returns a text without functions that only chose devices, which nothing calls any more."""
    tree = ast.parse(text)
    used = {node.id for node in walk(tree) if isinstance(node, ast.Name)}
    lines = EditedLines(text, tree)
    unused = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name in chosen - used]
    for function in unused:
        lines.remove(function)
    return lines.result() if unused else None


def _without_current_scope(text: str) -> Lines | None:
    """Returns a text without the first `with tf.variable_scope(tf.get_variable_scope()):`, which changes no name."""
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    for block in names.nodes.get(ast.With, []):
        assert isinstance(block, ast.With)
        context = block.items[0].context_expr
        if len(block.items) > 1 or block.items[0].optional_vars is not None or current_scope(context, names) is None:
            continue
        if isinstance(context, ast.Call) and not context.keywords and block.body[0].lineno > block.lineno:
            first, last = block.body[0].lineno, block.end_lineno or block.lineno
            lines = text.splitlines(keepends=True)
            inside = reindented(
                "".join(lines[first - 1 : last]), source.indent_of(block.body[0]), source.indent_of(block)
            )
            kept = [*lines[: block.lineno - 1], *inside.splitlines(keepends=True), *lines[last:]]
            numbers = [n for n in range(1, len(lines) + 1) if not block.lineno <= n < first]
            return "".join(kept), (*numbers, len(lines))
    return None


def _is_tower(loop: ast.For) -> bool:
    call = loop.iter if isinstance(loop.iter, ast.Call) else None
    is_range = call is not None and isinstance(call.func, ast.Name) and call.func.id in _RANGES and len(call.args) == 1
    return is_range and any(isinstance(n, ast.Call) and method_of(n) == "compute_gradients" for n in walk(loop))


def _written_out(loop: ast.For, text: str, tree: ast.Module, names: Names) -> Lines:
    number, inside = _number(loop, tree, names), [node for part in loop.body for node in walk(part)]
    other = next((node for node in inside if isinstance(node, _OTHER)), None)
    if not isinstance(loop.target, ast.Name) or loop.orelse or other is not None or names_in_texts(loop):
        raise NotNativeError(other or loop, "NAT008", "the turns of these towers cannot be written out")
    indent = SourceText(text, tree).indent_of(loop)
    turns = Turns(loop, text, names, variable_names(tree), _constants(loop, names))
    made = turns.all(number, indent, f"{v1_alias(names)}.get_variable_scope().reuse_variables()")
    index, last = loop.target.id, loop.end_lineno or loop.lineno
    reads = (n for n in walk(tree) if isinstance(n, ast.Name) and n.id == index and isinstance(n.ctx, ast.Load))
    if any(node.lineno > last and not _is_own(node, names) for node in reads):
        made.append((f"{indent}{index} = {number - 1}\n", loop.lineno))
    lines = [(line, place) for place, line in enumerate(text.splitlines(keepends=True), 1)]
    whole = [*lines[: loop.lineno - 1], *made, *lines[last:]]
    return "".join(line for line, _ in whole), (*(place for _, place in whole), len(lines))


def _is_own(name: ast.Name, names: Names) -> bool:
    """Returns whether a name is one that a comprehension round it binds."""
    around = (node for node in names.above(name) if isinstance(node, COMPREHENSIONS))
    targets = (n for node in around for part in node.generators for n in walk(part.target))
    return any(isinstance(n, ast.Name) and n.id == name.id for n in targets)


def _number(loop: ast.For, tree: ast.Module, names: Names) -> int:
    """Returns how many towers there are.

    Raises:
        NotNativeError: The source does not say it, or there are too many.
    """
    assert isinstance(loop.iter, ast.Call)
    blocks = (node for node in names.above(loop) if isinstance(node, (ast.FunctionDef, ast.Module)))
    values = (BoundOnce(tree, block).value(loop.iter.args[0], loop.lineno) for block in blocks)
    number = next((value for value in values if isinstance(value, int)), 0)
    if not 0 < number <= _MOST:
        message = "the source does not say how many towers there are; write their number, which is at most"
        raise NotNativeError(loop, "NAT002", f"{message} {_MOST}")
    return number


def _constants(loop: ast.For, names: Names) -> dict[str, ast.Constant]:
    """Returns the names that the statements before a loop, in its block, give a constant."""
    above = names.parents[loop]
    blocks = (getattr(above, field, None) for field in ("body", "orelse", "finalbody"))
    block = next(block for block in blocks if isinstance(block, list) and loop in block)
    known: dict[str, ast.Constant] = {}
    for statement in block[: block.index(loop)]:
        stored = {n.id for n in walk(statement) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        known = {name: value for name, value in known.items() if name not in stored}
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant) and len(stored) == 1:
            known[stored.pop()] = statement.value
    changed = {n.id for n in walk(loop) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    return {name: value for name, value in known.items() if name in changed}
