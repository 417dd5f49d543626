"""Rewrites one text with sessions into one with functions, as it is."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codemods import scopes
from codemods.native import (
    batch_norm,
    cells,
    checks,
    collections_of_graph,
    formulas,
    idiomatic,
    iterators,
    keras_saver,
    metrics,
    moving_averages,
    optimizers,
    parsed_flags,
    recurrent,
    savers,
    site_calls,
    site_rows,
    sites,
    summaries,
    update_ops,
)
from codemods.native.emission import Writer
from codemods.native.finishing import headed, tidied
from codemods.native.functions import Planner
from codemods.native.graph_names import graph_names, write_graph_names
from codemods.native.items import Body, read_body
from codemods.native.keras_seed import with_seed_of_keras
from codemods.native.kinds import Kind
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
from codemods.native.moved_statements import keep_draws, move_containers
from codemods.native.observed import Observed
from codemods.native.observed_runs import ObservingReader, spec_names
from codemods.native.own_names import unself
from codemods.native.placing import (
    function_texts,
    layers_at,
    put_first_calls,
    put_layers_before,
    remove_blocks,
    removed,
)
from codemods.native.recorded_names import Named, with_names
from codemods.native.recorded_tags import with_tags
from codemods.native.reused_variables import require_no_reuse
from codemods.native.rewritten import Native, Program
from codemods.native.runs import Reader
from codemods.native.scope_blocks import dedent, prefixes
from codemods.native.source_text import SourceText
from codemods.native.special_calls import translate
from codemods.native.state import Rewriting
from codemods.native.stated_names import with_stated_names
from codemods.native.stored_order import traced_for_store
from codemods.native.taken_names import free_name, taken_names
from codemods.native.training_calls import name_optimizers, write_optimizers, write_training
from codemods.native.translations import Translation
from codemods.native.variable_store import store_text
from codemods.tree import walk


def rewritten(text: str, program: Program) -> Native:
    """Returns a text without sessions.

    Args:
        text: The text.
        program: What is known of the program.

    Raises:
        NotNativeError: The text cannot become native as it is.
    """
    text = with_stated_names(text)
    facts, line, file = program.facts, program.line, program.file
    named = with_names(text, facts, line, file) if facts is not None else Named(text)
    text = with_tags(named.text, facts, line, file) if facts is not None else named.text
    return _of_names(text, program, named.decided)


def _of_names(text: str, program: Program, decided: Sequence[tuple[int, str, str]]) -> Native:
    """Rewrites a text whose names a trace has decided, after its scopes and variables have the names that they got."""
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    require_no_reuse(tree, names)
    meanings = Meanings(names)
    main = main_of(tree, names, program.scoped)
    functions = (
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node not in (main.function, *main.drivers)
    )
    meanings.functions.update((node.name, node) for node in functions)
    methods = [] if main.owner is None else [n for n in main.owner.body if isinstance(n, ast.FunctionDef)]
    others = (node for node in methods if node not in (main.function, *main.built))
    meanings.functions.update((f"self.{node.name}", node) for node in others)
    body = read_body(tree.body, names, meanings, main)
    move_containers(body)
    keep_draws(body)
    source = SourceText(text, tree)
    numbered = graph_names(body, names, meanings.functions)
    write_graph_names(source, numbered, names)
    if (written := source.result()) != text:
        return _of_names(written, program, decided)
    savers.require_known_names(numbered.unsure, names)
    place = free_name("summaries", tree)
    summaries.link(body, names, place)
    summaries.keep_writers(body, tree, names)
    lists = collections_of_graph.link(body, names, {node.id for node in walk(tree) if isinstance(node, ast.Name)})
    savers.keep_savers(body)
    data = iterators.link(body, meanings)
    normalizing = update_ops.link(body, meanings)
    store = free_name("store", tree)
    has_list = not any(item.effects.normalizes for item in body.items)
    updates = free_name("updates", tree) if has_list else f"{store}.updates"
    taken = taken_names(tree, body)
    fed = {place: item.kind for item in body.items if item.kind is Kind.PLACEHOLDER for place in item.writes}
    fed = {place: kind for place, kind in fed.items() if len(body.definitions(place)) == 1}  # those of a function too
    state = Rewriting(
        source,
        names,
        program.module,
        program.line,
        meanings,
        body,
        Planner(body, meanings, data, taken, lists=frozenset(lists.values()), updates=updates, normalizing=normalizing),
        Translation(source, names, meanings.places | fed, updates=updates, store=store),
        program.file,
        place,
        lists,
        is_idiomatic=program.is_idiomatic,
        unbound=program.unbound,
        of_several=program.of_several,
    )
    observed = _observed(program, body, decided)
    return _rewritten(state, observed)


def _observed(program: Program, body: Body, decided: Sequence[tuple[int, str, str]]) -> Observed | None:
    """Returns what a trace saw of a program; None without a trace."""
    if program.facts is None:
        return None
    return Observed(program.facts, body, program.line, program.file, decided, program.has_hooks)


def _rewritten(state: Rewriting, observed: Observed | None) -> Native:
    reader: Reader = Reader(state.meanings, state.source.tree)
    if observed is not None:
        reader = ObservingReader(state.meanings, state.source.tree, observed)
        reader.prepare(state.meanings.sites)
        if reader.specs:
            state.translation.spec_names = spec_names(state.body)
    state.planner.read_steps()
    idiomatic.choose(state)
    plan = sites.plan(state.body, state.meanings, reader, state.planner)
    state.planner.name_all()
    gone = [*plan.calls, *summaries.made_writers(state.names), *savers.sessions(state.meanings.savers)]
    checks.require_tensors_inside(state.body, gone)
    dedent(state)
    unself(state)
    name_optimizers(state)
    made = layer_objects(state.body, state.meanings, state.planner)
    made.of_several = state.of_several
    if observed is not None:
        made.has_slots = lambda scope: observed.has_slots(scope, state.body)
        state.translation.release = observed.facts.release
    state.translation.layers, state.translation.renamed = made.objects, made.renamed
    state.translation.legacy = made.legacy
    state.translation.prefixes = prefixes(state)
    translate(state.translation)
    parsed_flags.parse_flags(state.translation)
    summaries.write_calls(state.translation, state.body, state.summaries)
    formulas.write_calls(state.translation)
    collections_of_graph.write_calls(state.translation, state.lists)
    cells.write_calls(state.translation, state.meanings.scopes.prefixes)
    iterators.write_calls(state.planner.iterators, state.translation)
    require_no_names(made, state.body, state.meanings)
    savers.write_calls(state, made)
    scoped = _collections(state, made)
    write_training(state)
    state.source.keep_alignment(state.names)
    writer = Writer(state.source, state.planner, state.translation.tf, state.made_optimizers, state.source.indent_step)
    writer.summaries, writer.store = state.summaries, state.translation.store
    writer.read_fetches()
    site_calls.write(plan, state.source)
    users, items = state.planner.shared()
    if users:
        writer.plan_core(items)
    inserted = function_texts(state, writer, users)
    traced = first_calls(made, state.planner.functions, scoped)
    traced += traced_for_store(state.planner.functions, state.body, state.meanings)
    if state.meanings.savers:
        traced = list(dict.fromkeys([*traced, *savers.making(state.planner.functions)]))
    put_first_calls(state, traced, inserted)
    checks.require_alone(state.source, removed(state))
    for item in removed(state):
        state.source.replace(state.source.lines_of(item.node), layers_at(state, made, item))
    put_layers_before(state, made, inserted)
    write_optimizers(state)
    remove_blocks(state, {item.node for item in made.homes.values()})
    for offset, parts in inserted.items():
        state.source.replace((offset, offset), "".join(parts))
    functions = summaries.function_that_writes(state.translation)
    functions += formulas.written(state.translation.formulas)
    functions += metrics.written(state.names)
    functions += moving_averages.written(state.names)
    functions += [batch_norm.CLASS] if state.translation.normalizes else []
    functions += [savers.class_for(state.source.result())] if savers.is_made(state.source.result()) else []
    functions += [keras_saver.CLASS] if state.keras_savers else []
    functions += recurrent.written(state.translation.recurrent)
    functions += store_text(state.translation.stored, state.translation.store)
    exact = state.planner.exact_classes.values()
    checks.require_other_names([*functions, optimizers.written(exact)], state.source.tree)
    text = headed(state.source.result(), state.translation.imports, exact, functions)
    text = with_seed_of_keras(tidied(text))
    checks.require_native(text, state.source.tree, state.names, state.unbound)

    def place(node: ast.Call) -> str:
        """Returns where a call stands in the legacy program."""
        return f"{state.file(node.lineno)}:{state.line(node.lineno)}"

    calls = site_rows.rows(plan, state.module, place, state.body)
    variables = list(made.rows())
    if observed is not None:
        calls = observed.rows(calls, plan.functions)
        variables += observed.slots(variables)
    return Native(
        text,
        tuple(calls),
        tuple(site_rows.dropped(plan, place)),
        tuple(variables),
        tuple(sorted(state.translation.files)),
        tuple((state.line(node.lineno), why) for node, why in site_rows.open_orders(plan, state.body, state.names)),
        tuple(sorted({state.file(number) for number in range(1, state.source.data.count(b"\n") + 2)})),
        tuple(observed.decided) if observed is not None else (),
        tuple(observed.unproven(plan.functions)) if observed is not None else (),
        choices=tuple(state.choices),
    )


def _collections(state: Rewriting, made: LayerObjects) -> dict[int, str]:
    """Writes the calls that collect variables. Returns what statements collect of a scope."""
    scoped: dict[int, str] = {}
    for call in collected_calls(state.meanings):
        text = variables_of(call, made, state.body, state.meanings, state.translation.store)
        state.source.replace(state.source.span(call), text)
        if text != "tape.watched_variables()":
            holders = (item for item in state.body.items if any(below is call for below in walk(item.node)))
            scoped |= {item.index: scoped.get(item.index, "") + text for item in holders}
    return scoped
