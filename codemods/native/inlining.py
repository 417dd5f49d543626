"""Puts the statements of functions and methods that build parts of a graph where they are called.

`logits, keep_prob = net(x)` makes placeholders, variables and tensors at once. Its statements, in place of the call,
are statements of the body like all others. Names that would clash become `net_NAME`. A function that is called a few
times, with other scopes or sizes, stands there as often: each time it makes other variables.
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Sequence
from dataclasses import dataclass, replace

from codemods import scopes
from codemods.names import Names
from codemods.native import metrics
from codemods.native.arg_scopes import with_scoped_options
from codemods.native.branches_apart import with_branches_apart
from codemods.native.branches_in_place import with_branches_in_place
from codemods.native.builder_names import (
    arguments_of_call,
    can_rename,
    fresh,
    names_in,
    own_names,
    parameters_as,
    results_as,
    statement_after,
)
from codemods.native.builders import (
    BuilderCall,
    arguments_of,
    inner_functions,
    is_builder,
    is_plain,
    last_statement,
    makes_session,
    next_call,
    reads_graph,
    runs_part,
    sets_tensors,
    stored,
)
from codemods.native.call_order import runs_again
from codemods.native.chains import split_chains
from codemods.native.contrib_calls import with_plain_calls
from codemods.native.counters import with_read_counters
from codemods.native.default_feeds import with_default_feeds
from codemods.native.fetch_lists import with_fetches
from codemods.native.generations import part_attributes, split_names
from codemods.native.grouped_assignments import with_named_assignments
from codemods.native.loops_apart import with_variables_apart
from codemods.native.moving_averages import with_averages
from codemods.native.nested_calls import with_separate_calls
from codemods.native.normalizers import with_normalizers_outside
from codemods.native.ops_of_methods import with_ops_of_methods
from codemods.native.optimized_losses import with_optimizers
from codemods.native.placeholder_attributes import with_placeholder_attributes
from codemods.native.queues import with_datasets
from codemods.native.records import has_records, with_functions
from codemods.native.regularizers import with_penalties
from codemods.native.repeated_layers import with_single_layers
from codemods.native.reused_variables import with_shared_variables
from codemods.native.savers_of_objects import with_savers_inside
from codemods.native.session_arguments import without_sessions
from codemods.native.sessions_of_objects import without_given_sessions
from codemods.native.settled_branches import without_settled_branches
from codemods.native.single_returns import with_single_returns
from codemods.native.single_statements import with_single_statements
from codemods.native.source_text import SourceText, reindented
from codemods.native.sparse_placeholders import with_dense_placeholders
from codemods.native.static_shapes import with_static_shapes
from codemods.native.unscoped_variables import with_variables_outside
from codemods.native.unused_builders import without_unused_builders
from codemods.native.variable_collections import with_lists
from codemods.tree import walk


@dataclass(frozen=True)
class Inlined:
    """A text with statements in place of calls. `origins` has the old number of each line."""

    text: str
    origins: tuple[int, ...]

    def line(self, number: int) -> int:
        """Returns the number that a line had."""
        last = len(self.origins)  # the empty line behind the text may have no number
        return self.origins[min(number, last) - 1] if 0 < number <= last + 1 else number

    def then(self, made: tuple[str, tuple[int, ...]] | None) -> Inlined:
        """Returns a text that was made of this one, given with the number here of each line; this one for None."""
        return self if made is None else Inlined(made[0], tuple(self.line(number) for number in made[1]))


def unchanged(text: str) -> Inlined:
    """Returns a text as it is."""
    return Inlined(text, tuple(range(1, text.count("\n") + 2)))


def without_records(text: str) -> Inlined | None:
    """Returns a text with functions in place of classes that only build, and `prepared` then; None if it has none."""
    if not has_records(text):
        return None
    now = inline_builders(text, thorough=True) or unchanged(text)
    made = with_functions(now.text)
    if made is None:
        return None
    while made is not None:
        now = now.then(made)
        made = with_functions(now.text)
    later = prepared(now.text, thorough=True)
    return now if later is None else now.then((later.text, later.origins))


def prepared(text: str, thorough: bool = False) -> Inlined | None:
    """Returns a text whose builders stand where they are called, and whose variables have a name each.

    Args:
        text: The text.
        thorough: Whether calls inside expressions get statements first, and builders may stand at many calls.

    Returns:
        None if this changes nothing.
    """
    now = inline_builders(text, thorough)
    now = _with_plain_layers(now or unchanged(text), thorough)
    now = now.then(without_settled_branches(now.text, now.origins)) if now.text != text else now
    now = now.then(with_placeholder_attributes(now.text))
    now = now.then(with_ops_of_methods(now.text))
    now = now.then(with_savers_inside(now.text))
    now = _with_sizes(now)
    if "reuse" in now.text:  # a variable is shared by its name
        now = replace(now, text=split_names(now.text) or now.text)
    now = now.then(with_shared_variables(now.text))
    for lengthening in (
        with_branches_apart,
        with_variables_apart,
        with_variables_outside,
        with_penalties,
        with_datasets,
        metrics.with_objects,
        with_named_assignments,
        with_dense_placeholders,
        with_optimizers,
    ):
        now = now.then(lengthening(now.text))
    now = replace(now, text=with_read_counters(now.text) or now.text)
    for dropping in (without_given_sessions, without_sessions):
        now = now.then(dropping(now.text))
    for renaming in (split_names, part_attributes):
        now = replace(now, text=renaming(now.text) or now.text)
    now = now.then(with_lists(now.text))
    now = replace(now, text=with_fetches(now.text) or now.text)
    now = now.then(with_averages(now.text))
    return now if now.text != text else None


def _with_plain_layers(now: Inlined, thorough: bool) -> Inlined:
    """Returns a text whose layers have their options in their calls."""
    now = replace(now, text=with_plain_calls(now.text) or now.text)
    now = replace(now, text=with_default_feeds(now.text) or now.text)
    now = now.then(with_branches_in_place(now.text))
    now = now.then(with_single_layers(now.text))
    while (made := with_scoped_options(now.text)) is not None:
        now = now.then(made)
        more = inline_builders(now.text, thorough)  # functions that took options of scopes may move now
        now = now if more is None else now.then((more.text, more.origins))
    return replace(now, text=with_normalizers_outside(now.text) or now.text)


def _with_sizes(now: Inlined) -> Inlined:
    """Returns a text whose variables have sizes that the source says, without the branches that sizes settle."""
    while (made := with_static_shapes(now.text)) is not None:
        now = replace(now, text=made)
        now = now.then(without_settled_branches(now.text, now.origins))
    return now


def inline_builders(text: str, thorough: bool = False) -> Inlined | None:
    """Returns a text without functions that build parts of a graph; None if it has none, or they cannot be moved."""
    now = unchanged(text)
    now = now.then(with_single_statements(now.text))
    now = now.then(split_chains(now.text))
    if thorough:
        now = now.then(without_unused_builders(now.text))
        now = now.then(with_single_returns(now.text))
        now = now.then(with_separate_calls(now.text))
    while (step := _step(now.text, thorough)) is not None:
        now = now.then((step.text, step.origins))
    return now if now.text != text else None


def _step(text: str, thorough: bool) -> Inlined | None:
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    source = SourceText(text, tree)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    functions |= inner_functions(tree)
    for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        methods = (node for node in owner.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("__"))
        functions |= {f"self.{node.name}": node for node in methods}
    for name, builder in functions.items():
        builds = is_builder(builder, names, functions) or reads_graph(builder, tree, names)
        builds = builds or (name.startswith("self.") and sets_tensors(builder, names))
        runs = not name.startswith("self.") and makes_session(builder, names)
        if (builds or runs) and is_plain(builder):
            call = next_call(builder, name.startswith("self."), tree, names, source, thorough)
            restricted = not builds or runs_part(builder, tree, names)
            if call is not None and restricted and not _runs_once(call, thorough, tree, names):
                continue
            made = _inlined(call, text, source) if call is not None else None
            if made is not None:
                return made
    return None


def _runs_once(call: BuilderCall, thorough: bool, tree: ast.Module, names: Names) -> bool:
    """Returns whether a function with a session is called once, by the module.

    `thorough`: or by a function that is called once, and has no session itself.
    """
    if call.others or isinstance(call.caller, ast.Module):
        return not call.others and runs_part(call.builder, tree, names)
    uses = [node for node in walk(tree) if isinstance(node, ast.Name) and node.id == call.caller.name]
    outer = names.parents.get(uses[0]) if len(uses) == 1 else None
    is_called = isinstance(outer, ast.Call) and outer.func is uses[0] and not runs_again(outer, tree, names)
    return thorough and is_called and not makes_session(call.caller, names)


def _inlined(call: BuilderCall, text: str, source: SourceText) -> Inlined | None:
    given = arguments_of_call(call)
    if given is None:
        return None
    builder = call.builder
    own = own_names(call)
    outside = names_in(call.caller, builder)
    outside |= {n.id for value in given.values() for n in walk(value) if isinstance(n, ast.Name)}
    free = {node.id for node in walk(builder) if isinstance(node, ast.Name)} - own - {"self"}
    clashing = free & (stored(call.caller) | arguments_of(call.caller))
    is_inner = builder in call.caller.body  # it reads the names of the function round it anyway
    if isinstance(call.caller, ast.FunctionDef) and not is_inner and clashing - _thrown_away(builder, call.caller):
        return None
    renamed, before = parameters_as(call, given, own)
    end = last_statement(builder.body)
    returned = end.value if isinstance(end, ast.Return) else None
    results = results_as(call, returned, own - given.keys(), free | set(renamed.values()))
    if results is None:
        return None
    renamed |= results
    for name in sorted(own - renamed.keys()):
        if name in outside or name in renamed.values():
            renamed[name] = fresh(f"{builder.name.lstrip('_')}_{name}", outside | own | free | set(renamed.values()))
    places = [new for new in renamed.values() if new.replace(".", "_").isidentifier() and not keyword.iskeyword(new)]
    if len(set(places)) != len(places) or not can_rename(builder, renamed):
        return None
    for node in walk(builder):
        if isinstance(node, ast.Name) and node.id in renamed:
            source.replace(source.span(node), renamed[node.id])
    after = statement_after(call, returned, source)
    return _put(call, text, source, [f"{renamed.get(name, name)} = {value}" for name, value in before], after)


def _thrown_away(*functions: ast.AST) -> set[str]:
    """Returns the name `_`, if none of the functions reads it: `def main(_):`, and `_, row = reader.read(queue)`."""
    read = any(
        isinstance(node, ast.Name) and node.id == "_" and isinstance(node.ctx, ast.Load)
        for function in functions
        for node in walk(function)
    )
    return set() if read else {"_"}


def _put(call: BuilderCall, text: str, source: SourceText, before: Sequence[str], after: Sequence[str]) -> Inlined:
    """Returns the text with the statements of the builder at the call, and without the builder."""
    builder, statement = call.builder, call.statement
    lines = text.splitlines(keepends=True)
    body = list(builder.body)
    first = body[0].lineno
    while not lines[first - 2].strip() or lines[first - 2].lstrip().startswith("#"):
        first -= 1
    last = builder.end_lineno or first
    final, inner = last_statement(body), ""
    if isinstance(final, ast.Return):
        last = final.lineno - 1
        inner = source.indent_of(final)[len(source.indent_of(body[0])) :]
        blocks = [node for node in walk(builder) if isinstance(node, ast.With)]
        after = after or (["pass"] if any(block.body[0] is final for block in blocks) else [])
    indent = source.indent_of(statement)
    starts = source.positions.starts
    end = starts[last] if last < len(starts) else len(source.data)
    moved = source.rendered((starts[first - 1], end)) if first <= last else ""
    moved = reindented(_without_docstring(builder, moved, first), source.indent_of(body[0]), indent)
    new = (
        [f"{indent}{line}\n" for line in before]
        + moved.splitlines(keepends=True)
        + [f"{indent}{inner}{x}\n" for x in after]
    )
    origins = [statement.lineno] * len(before) + list(range(first, last + 1)) + [statement.lineno] * len(after)
    removed = source.lines_of(builder)
    end_of_builder = 0 if call.others else builder.end_lineno or 0
    gone = range(source.positions.line(removed[0]), end_of_builder + 1)
    kept: list[tuple[str, int]] = []
    for number, line in enumerate(lines, 1):
        if number == statement.lineno:
            kept += zip(new, origins, strict=True)
        elif number not in gone and not statement.lineno < number <= (statement.end_lineno or 0):
            kept.append((line, number))
    return Inlined("".join(line for line, _ in kept), tuple(number for _, number in kept))


def _without_docstring(builder: ast.FunctionDef, text: str, first: int) -> str:
    """Returns the lines of a body, with its docstring as comments."""
    head = builder.body[0]
    if not (isinstance(head, ast.Expr) and isinstance(head.value, ast.Constant) and isinstance(head.value.value, str)):
        return text
    lines = text.splitlines(keepends=True)
    start, end = head.lineno - first, (head.end_lineno or head.lineno) - first
    indent = lines[start][: len(lines[start]) - len(lines[start].lstrip())]
    for number in range(start, end + 1):
        words = lines[number].strip().strip("\"'").strip()
        lines[number] = f"{indent}# {words}".rstrip() + "\n" if words or number < end else "\n"
    return "".join(lines)
