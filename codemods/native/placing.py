"""Where functions and layers stand in a native program, and which statements and blocks vanish."""

from __future__ import annotations

import ast
from collections.abc import Sequence, Set

from codemods.native import sites
from codemods.native.emission import Writer
from codemods.native.functions import Function
from codemods.native.items import Item
from codemods.native.kinds import GONE, Kind
from codemods.native.layer_objects import LayerObjects
from codemods.native.scope_blocks import vanishes
from codemods.native.state import Rewriting


def removed(state: Rewriting) -> list[Item]:
    gone = [item for item in state.body.items if item.moves or (item.kind in GONE and not item.effects.runs)]
    return [item for item in gone if item.index not in state.made_optimizers]


def layers_at(state: Rewriting, made: LayerObjects, item: Item) -> str:
    """Returns the statements that make the layers of a statement, at its place, or before it if it is a function."""
    if isinstance(item.node, ast.FunctionDef):
        _, indent = _anchor(state, item, before=False)
    else:
        line = state.source.positions.line_start(state.source.span(item.node)[0])
        indent = state.source.indent_of(item.node)[state.source.shifted(line) :]
    names = [name for name, home in made.homes.items() if home is item]
    return "".join(f"{indent}{name} = {state.translation.layer_texts[name]}\n" for name in names)


def put_layers_before(state: Rewriting, made: LayerObjects, inserted: dict[int, list[str]]) -> None:
    """Puts the layers of functions before them."""
    for item in state.body.items:
        if isinstance(item.node, ast.FunctionDef):
            text = layers_at(state, made, item)
            if text:
                inserted.setdefault(_anchor(state, item, before=True)[0], []).insert(0, f"{text}\n\n")


def put_first_calls(state: Rewriting, functions: Sequence[Function], inserted: dict[int, list[str]]) -> None:
    """Traces functions before the first run, where something needs the variables that they make by then."""
    first_run = _first_run(state)
    if functions and first_run is not None:
        offset, indent = _before_run(state, first_run)
        of = sites.owner_at(state.body, first_run.node)
        lines = [f"{indent}{of}{function.name}.get_concrete_function()\n" for function in functions]
        text = f"{indent}# makes all variables\n{''.join(lines)}\n"
        inserted.setdefault(offset, []).append(text)


def function_texts(state: Rewriting, writer: Writer, users: Sequence[object]) -> dict[int, list[str]]:
    """Returns where each function goes: behind the last statement that it takes, or before the first run."""
    inserted: dict[int, list[str]] = {}
    first_run = _first_run(state)
    limit = first_run.index if first_run is not None else len(state.body.items)
    last_of = {function: _last(state, function, limit) for function in state.planner.functions}
    ordered = sorted(state.planner.functions, key=lambda f: limit if (at := last_of[f]) is None else at)
    pending_core = bool(users)
    for function in ordered:
        last = last_of[function]
        behind = last is not None
        assert last is not None or first_run is not None
        offset, indent = (
            _anchor(state, state.body.items[last], before=False)
            if last is not None
            else _before_run(state, first_run or state.body.items[-1])
        )
        text = writer.text(function, indent)
        if sites.is_attribute(function, state.body):
            text += f"\n{indent}self.{function.name} = {function.name}\n"
        if pending_core and function in users:
            text = writer.core_text(indent) + "\n\n" + text
            pending_core = False
        inserted.setdefault(offset, []).append(f"\n{text}\n" if behind else f"{text}\n\n")
    return inserted


def _first_run(state: Rewriting) -> Item | None:
    """Returns the first statement that runs a session, or else the one that makes it."""
    items = state.body.items
    made = next((item for item in items if item.kind is Kind.SESSION), None)
    return next((item for item in items if item.effects.runs), made)


def _before_run(state: Rewriting, run: Item) -> tuple[int, str]:
    """Returns the offset before a run, and the indentation there; the end of what builds, for one in a method."""
    in_class = any(isinstance(block, ast.ClassDef) for block in run.blocks)
    if not (isinstance(run.node, ast.FunctionDef) and in_class):
        return _anchor(state, run, before=True)
    builders = (state.body.main.function, *state.body.main.built)
    last = [item for item in state.body.items if item.home is not None and item.home in builders][-1]
    return _anchor(state, last, before=False)


def _last(state: Rewriting, function: Function, limit: int) -> int | None:
    """Returns the number of the statement behind which a function stands: the last that it takes or is fed by.

    It is None for a function with statements behind the first run, which stands before that.
    """
    definitions = (state.body.definition(place, function.at) for place in function.feeds)
    late = max((item.index for item in definitions if item is not None), default=0)
    last = max(function.slice.items, default=limit)
    return max(last, late) if last < limit or late >= limit else None


def _anchor(state: Rewriting, item: Item, before: bool) -> tuple[int, str]:
    """Returns the offset behind, or before, a statement and the blocks round it, and the indentation there.

    It is inside of a block that builds and runs the graph, and behind one that builds alone.
    """
    run = _first_run(state)
    around_run = run.blocks if run is not None else ()
    staying = (b for b in item.blocks if isinstance(b, ast.With) and not vanishes(b, state))
    scope = next((block for block in staying if block not in around_run), None)
    node: ast.stmt = scope if scope is not None else item.node
    blocks = item.blocks[: item.blocks.index(scope)] if scope is not None else item.blocks
    while before and blocks and isinstance(blocks[-1], ast.With) and not _builds_before(state, blocks[-1], item):
        node, blocks = blocks[-1], blocks[:-1]
    start, end = state.source.lines_of(node)
    line = state.source.positions.line_start(state.source.span(node)[0])
    indent = state.source.indent_of(node)[state.source.shifted(line) :]
    return (start if before else end), indent


def _builds_before(state: Rewriting, block: ast.With, item: Item) -> bool:
    """Returns whether a block has a statement of the graph above another one of its own."""
    above = (other for other in state.body.items[: item.index] if block in other.blocks)
    kinds = {other.kind for other in above if not other.effects.runs}
    return bool(kinds - {Kind.PYTHON} if not vanishes(block, state) else kinds - {Kind.PYTHON} - GONE)


def remove_blocks(state: Rewriting, layered: Set[ast.stmt]) -> None:
    """Removes the headers of blocks that vanish, and blocks that are empty: with no layers in place of statements."""
    gone = {item.node for item in removed(state)} - layered
    for block in reversed(state.body.blocks):
        if not isinstance(block, ast.With):
            continue
        if all(statement in gone for statement in block.body):
            state.source.delete(state.source.lines_of(block))
            gone.add(block)
        elif vanishes(block, state):
            start = state.source.positions.line_start(state.source.span(block)[0])
            state.source.delete((start, state.source.lines_of(block.body[0])[0]))
