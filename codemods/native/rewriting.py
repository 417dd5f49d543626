"""Rewrites one file with sessions into one with functions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

from codemods import scopes
from codemods.native import (
    cells,
    checks,
    collections_of_graph,
    machinery,
    recurrent,
    savers,
    sites,
    summaries,
    variable_names,
)
from codemods.native.emission import Writer
from codemods.native.finishing import headed, tidied
from codemods.native.functions import Function, Planner
from codemods.native.inlining import prepared
from codemods.native.items import Body, Item, read_body
from codemods.native.kinds import GONE, Kind
from codemods.native.layer_objects import (
    LayerObjects,
    collected_calls,
    first_calls,
    layer_objects,
    require_no_names,
    variables_of,
)
from codemods.native.mains import main_of
from codemods.native.meanings import Meanings
from codemods.native.native_map import Call, Dropped, Variable
from codemods.native.own_names import unself
from codemods.native.places import place_of
from codemods.native.refusals import NotNativeError
from codemods.native.runs import Reader
from codemods.native.scope_blocks import dedent, prefixes, vanishes
from codemods.native.source_text import SourceText
from codemods.native.state import Rewriting
from codemods.native.training import Step
from codemods.native.translations import Translation


@dataclass(frozen=True)
class Native:
    """A file without sessions.

    Attributes:
        text: The new text.
        calls: What each call of a session became.
        dropped: The calls that became nothing.
        variables: The variables that have another name now.
        files: The names of files that the program needs beside it; `codemods/native/files` has their texts.
        notes: (line of the legacy file, what TensorFlow 1 left open), for a person to read.
        taken: The other files that statements are from.
    """

    text: str
    calls: tuple[Call, ...]
    dropped: tuple[Dropped, ...]
    variables: tuple[Variable, ...] = ()
    files: tuple[str, ...] = ()
    notes: tuple[tuple[int, str], ...] = ()
    taken: tuple[str, ...] = ()


def rewrite(
    text: str, module: str = "train", line: Callable[[int], int] = int, file: Callable[[int], str] | None = None
) -> Native:
    """Returns a text without sessions.

    Args:
        text: The text as the compat target makes it, or one of TensorFlow 1.
        module: The name of the file as a module, for the map.
        line: Gives the line of the legacy file for a line of the text.
        file: Gives that file, where the text is joined from several.

    Raises:
        NotNativeError: The program cannot become native; the error says why, and where.
    """
    of_file = file or (lambda _: f"{module}.py")
    try:
        return _rewrite(text, module, line, of_file)
    except NotNativeError:
        inlined = prepared(text)
        if inlined is None:
            raise
    try:
        return _rewrite(
            inlined.text, module, lambda number: line(inlined.line(number)), lambda n: of_file(inlined.line(n))
        )
    except NotNativeError as error:
        where = ast.Pass(lineno=inlined.line(getattr(error.node, "lineno", 1)), col_offset=0)
        raise NotNativeError(where, error.code, error.message) from error


def _rewrite(text: str, module: str, line: Callable[[int], int], file: Callable[[int], str]) -> Native:
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    meanings = Meanings(names)
    main = main_of(tree, names)
    functions = (
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node not in (main.function, main.driver)
    )
    meanings.functions.update((node.name, node) for node in functions)
    methods = main.owner.body if main.owner is not None else ()
    others = (
        node for node in methods if isinstance(node, ast.FunctionDef) and node not in (main.function, *main.built)
    )
    meanings.functions.update((f"self.{node.name}", node) for node in others)
    body = read_body(tree.body, names, meanings, main)
    place = _free("summaries", tree)
    summaries.link(body, names, place)
    summaries.keep_writers(body, tree, names)
    lists = collections_of_graph.link(body, names, {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)})
    savers.keep_savers(body)
    source = SourceText(text, tree)
    taken = _taken(tree, body)
    state = Rewriting(
        source,
        names,
        module,
        line,
        meanings,
        body,
        Planner(body, meanings, taken, lists=frozenset(lists.values())),
        Translation(source, names, meanings.places),
        file,
        place,
        lists,
    )
    return _rewritten(state)


def _free(name: str, tree: ast.Module) -> str:
    """Returns a name that the file has not, from a wished one."""
    has = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return next(wished for wished in (name, f"graph_{name}", f"all_{name}_of_graph") if wished not in has)


def _taken(tree: ast.Module, body: Body) -> set[str]:
    """Returns the names that functions cannot have: all but those of places that vanish."""
    kept = {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    kept |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    kept |= {
        (alias.asname or alias.name).split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    for item in body.items:
        if item.effects.runs:
            kept |= {n.id for n in ast.walk(item.node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        elif not item.moves and item.kind not in GONE:
            kept |= item.writes
    return kept | {name.removeprefix("self.") for name in kept} | {"tf", "keras", "np"}


def _rewritten(state: Rewriting) -> Native:
    reader = Reader(state.meanings, state.source.tree)
    state.planner.read_steps()
    plan = sites.plan(state.body, state.meanings, reader, state.planner)
    state.planner.name_all()
    gone = [*plan.calls, *summaries.made_writers(state.names), *savers.sessions(state.meanings.savers)]
    checks.require_tensors_inside(state.body, gone)
    dedent(state)
    unself(state)
    _name_optimizers(state)
    made = layer_objects(state.body, state.meanings, state.planner)
    state.translation.layers, state.translation.renamed = made.objects, made.renamed
    state.translation.prefixes = prefixes(state)
    state.translation.all()
    summaries.write_calls(state.translation, state.body, state.summaries)
    collections_of_graph.write_calls(state.translation, state.lists)
    cells.write_calls(state.translation, state.meanings.scopes.prefixes)
    unnamed = variable_names.unnamed(state.body, state.names, state.meanings.functions)
    variable_names.write_names(state.source, unnamed, state.names)
    require_no_names(made, state.body, state.meanings)
    savers.write_calls(state, made)
    scoped = _collections(state, made)
    _training(state)
    indent = state.source.indent_step
    writer = Writer(state.source, state.planner, state.translation.tf, state.made_optimizers, indent)
    writer.summaries = state.summaries
    writer.read_fetches()
    sites.replace(plan, state.source)
    users, items = state.planner.shared()
    if users:
        writer.plan_core(items)
    inserted = _insertions(state, writer, users)
    traced = first_calls(made, state.planner.functions, scoped)
    if state.meanings.savers:
        traced = list(dict.fromkeys([*traced, *savers.making(state.planner.functions)]))
    _first_calls(state, traced, inserted)
    checks.require_alone(state.source, _removed(state))
    for item in _removed(state):
        state.source.replace(state.source.lines_of(item.node), _layers_at(state, made, item))
    _layers_before(state, made, inserted)
    _optimizer_statements(state)
    _blocks(state, {item.node for item in made.homes.values()})
    for offset, parts in inserted.items():
        state.source.replace((offset, offset), "".join(parts))
    functions = [summaries.ADD_SUMMARY] if summaries.written(state.names) else []
    functions += [collections_of_graph.PENALTIES[name] for name in sorted(state.translation.penalties)]
    functions += [savers.SAVER] if state.meanings.savers else []
    functions += recurrent.written(state.translation.recurrent)
    text = headed(state.source.result(), state.translation.imports, state.planner.classes.values(), functions)
    text = tidied(text)
    checks.require_native(text, state.source.tree, state.names)

    def place(node: ast.Call) -> str:
        """Returns where a call stands in the legacy program."""
        return f"{state.file(node.lineno)}:{state.line(node.lineno)}"

    return Native(
        text,
        tuple(sites.rows(plan, state.module, place, state.body)),
        tuple(sites.dropped(plan, place)),
        tuple(made.rows()),
        tuple(sorted(state.translation.files)),
        tuple((state.line(node.lineno), why) for node, why in sites.open_orders(plan, state.names)),
        tuple(sorted({state.file(number) for number in range(1, state.source.data.count(b"\n") + 2)})),
    )


def _removed(state: Rewriting) -> list[Item]:
    gone = [item for item in state.body.items if item.moves or (item.kind in GONE and not item.effects.runs)]
    return [item for item in gone if item.index not in state.made_optimizers]


def _name_optimizers(state: Rewriting) -> None:
    """Gives a name to optimizers that a training op makes in place."""
    for item in state.body.items:
        if item.kind is Kind.TRAIN and item.index in state.planner.classes:
            place = next(iter(item.writes), "")
            wished = place if "optim" in place.lower() or place == "opt" else "optimizer"
            if wished in state.planner.taken and wished != place:
                wished = state.planner.free(f"{place.removeprefix('self.')}_optimizer")
            state.planner.taken.add(wished)
            state.made_optimizers[item.index] = wished


def _collections(state: Rewriting, made: LayerObjects) -> dict[int, str]:
    """Writes the calls that collect variables. Returns what statements collect of a scope."""
    scoped: dict[int, str] = {}
    for call in collected_calls(state.meanings):
        text = variables_of(call, made, state.body, state.meanings)
        state.source.replace(state.source.span(call), text)
        if text != "tape.watched_variables()":
            holders = (item for item in state.body.items if any(below is call for below in ast.walk(item.node)))
            scoped |= {item.index: scoped.get(item.index, "") + text for item in holders}
    return scoped


def _layers_at(state: Rewriting, made: LayerObjects, item: Item) -> str:
    """Returns the statements that make the layers of a statement."""
    _, indent = _anchor(state, item, before=False)
    names = [name for name, home in made.homes.items() if home is item]
    return "".join(f"{indent}{name} = {state.translation.layer_texts[name]}\n" for name in names)


def _layers_before(state: Rewriting, made: LayerObjects, inserted: dict[int, list[str]]) -> None:
    """Puts the layers of functions before them."""
    for item in state.body.items:
        if isinstance(item.node, ast.FunctionDef):
            text = _layers_at(state, made, item)
            if text:
                inserted.setdefault(_anchor(state, item, before=True)[0], []).insert(0, f"{text}\n\n")


def _first_calls(state: Rewriting, functions: Sequence[Function], inserted: dict[int, list[str]]) -> None:
    """Traces functions before the first run, where something needs the variables that they make by then."""
    first_run = _first_run(state)
    if functions and first_run is not None:
        offset, indent = _anchor(state, first_run, before=True)
        of = sites.owner_at(state.body, first_run.node)
        lines = [f"{indent}{of}{function.name}.get_concrete_function()\n" for function in functions]
        text = f"{indent}# makes all variables\n{''.join(lines)}\n"
        inserted.setdefault(offset, []).append(text)


def _training(state: Rewriting) -> None:
    """Writes the constructors of optimizers, and the calls that take gradients."""
    for index, chosen in state.planner.classes.items():
        for call in machinery.optimizer_calls(state.body.items[index].node, state.names):
            state.source.replace(state.source.span(call.func), chosen)
    for steps in state.planner.steps.values():
        for step in steps:
            _gradients(state, step)


def _gradients(state: Rewriting, step: Step) -> None:
    text = state.source.text_of
    of_what = step.differentiated
    if step.method in ("compute_gradients", "gradients") and (of_what is None or place_of(of_what) is None):
        raise NotNativeError(step.call, "NAT008", "give what the gradients are of a name, in a statement of its own")
    if step.method == "compute_gradients":
        loss, chosen = step.given["loss"], step.given.get("var_list")
        variables = text(chosen) if chosen is not None else "tape.watched_variables()"
        new = f"list(zip(tape.gradient({text(loss)}, {variables}), {variables}))"
        state.source.replace(state.source.span(step.call), new)
    elif step.method == "gradients":
        loss, of = step.given["ys"], step.given["xs"]
        kind = state.meanings.kind(of)
        if kind is Kind.VARIABLE:
            new = f"[tape.gradient({text(loss)}, {text(of)})]"
        elif kind in (Kind.VARIABLES, Kind.COLLECTED):
            new = f"tape.gradient({text(loss)}, {text(of)})"
        else:
            raise NotNativeError(step.call, "NAT008", "gradients of tensors that are not variables are not supported")
        state.source.replace(state.source.span(step.call), new)


def _optimizer_statements(state: Rewriting) -> None:
    """Leaves the optimizer of `train_op = Adam(rate).minimize(loss)` where it was made."""
    for index, name in state.made_optimizers.items():
        node = state.body.items[index].node
        call = machinery.optimizer_calls(node, state.names)[0]
        state.source.replace(state.source.span(node), f"{name} = {_constructed(state, index, call)}")
    for item in state.body.items:
        if item.kind is Kind.OPTIMIZER:
            for call in machinery.optimizer_calls(item.node, state.names):
                state.source.replace(state.source.span(call), _constructed(state, item.index, call))


def _constructed(state: Rewriting, index: int, call: ast.Call) -> str:
    """Returns the call that makes an optimizer; a learning rate that is a tensor comes with each step instead."""
    rate = state.planner.rates.get(index)
    if rate is not None:
        state.source.replace(state.source.span(rate), "None")
    return state.source.text_of(call)


def _insertions(state: Rewriting, writer: Writer, users: Sequence[object]) -> dict[int, list[str]]:
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
        item = state.body.items[last] if last is not None else first_run
        assert item is not None
        offset, indent = _anchor(state, item, before=not behind)
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


def _last(state: Rewriting, function: Function, limit: int) -> int | None:
    """Returns the number of the statement behind which a function stands: the last that it takes or is fed by.

    It is None for a function with statements behind the first run, which stands before that.
    """
    definitions = (state.body.definition(place, function.at) for place in function.feeds)
    late = max((item.index for item in definitions if item is not None), default=0)
    last = max(function.slice.items, default=limit)
    return max(last, late) if last < limit or late >= limit else None


def _anchor(state: Rewriting, item: Item, before: bool) -> tuple[int, str]:
    """Returns the offset behind, or before, a statement and the blocks round it, and the indentation there."""
    scope = next((b for b in item.blocks if isinstance(b, ast.With) and not vanishes(b, state)), None)
    node: ast.stmt = scope if scope is not None else item.node
    blocks = item.blocks[: item.blocks.index(scope)] if scope is not None else item.blocks
    while before and blocks and isinstance(blocks[-1], ast.With):
        node, blocks = blocks[-1], blocks[:-1]
    start, end = state.source.lines_of(node)
    line = state.source.positions.line_start(state.source.span(node)[0])
    indent = state.source.indent_of(node)[state.source.shifted(line) :]
    return (start if before else end), indent


def _blocks(state: Rewriting, layered: Set[ast.stmt]) -> None:
    """Removes the headers of blocks that vanish, and blocks that are empty: with no layers in place of statements."""
    removed = {item.node for item in _removed(state)} - layered
    for block in reversed(state.body.blocks):
        if not isinstance(block, ast.With):
            continue
        if all(statement in removed for statement in block.body):
            state.source.delete(state.source.lines_of(block))
            removed.add(block)
        elif vanishes(block, state):
            start = state.source.positions.line_start(state.source.span(block)[0])
            state.source.delete((start, state.source.lines_of(block.body[0])[0]))
