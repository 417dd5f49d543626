"""Whether the assignments of one call of a session have one result, in whatever order TensorFlow 1 ran them.

The source may say their order: all wait for the training step, and no other value reads the result. Else they have one
result if each operation that reads an assigned variable comes before its assignment in the graph: the new value is
computed from it. `w.assign(w - d_w)` waits for `d_w`, and so for the product with `w` that `d_w` is computed from.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Sequence

from codemods.names import Names
from codemods.native.assignments import assigned_by, assignment_of
from codemods.native.items import Body, Item
from codemods.native.kinds import Kind, v1_name
from codemods.native.places import place_of, uses
from codemods.native.runs import Run
from codemods.native.slices import Slice, places_in, slice_of
from codemods.tree import walk

_COMPUTING = frozenset(
    (
        "matmul", "add", "multiply", "mul", "subtract", "sub", "divide", "div", "pow", "square", "tile", "exp", "log",
        "sigmoid", "tanh", "nn.sigmoid", "nn.tanh", "nn.relu", "nn.bias_add", "nn.xw_plus_b", "nn.conv2d",
        "nn.embedding_lookup", "squared_difference", "reduce_sum", "reduce_mean", "reduce_max", "reduce_min",
        "nn.l2_loss",
    )
)  # fmt: skip
"""Operations whose results have memory of their own. That of tf.reshape, or tf.identity, may be the variable's."""


def is_settled(run: Run, needed: Slice, body: Body, at: int, names: Names) -> bool:
    """Returns whether the source says the order of several fetches, of which some assign.

    Args:
        run: The call of a session.
        needed: The statements behind its fetches.
        body: All statements.
        at: The number of the statement that calls.
        names: The meanings of names.
    """
    if len(run.fetches) == 1 or not any(fetch.kind is Kind.ASSIGN for fetch in run.fetches):
        return False
    if any(not fetch.gives and fetch.kind is not Kind.ASSIGN for fetch in run.fetches):
        return False
    assigned = [item for item in needed.ordered if item.kind is Kind.ASSIGN]
    made = {place for item in assigned for place in item.writes}
    if any(fetch.kind is Kind.ASSIGN and fetch.place not in made for fetch in run.fetches):
        return False  # one of a list
    trains = [item for item in needed.ordered if item.kind is Kind.TRAIN]
    changed: set[str] = set()
    for item in assigned:
        behind = slice_of(body, item.reads, item.index).items
        if any(train.index not in behind for train in trains):
            return False
        places = assigned_by(item, names)
        if places is None or places & changed:
            return False
        changed |= places
    for fetch in run.values:
        read = slice_of(body, places_in([fetch.node]), at)
        if (read.variables | places_in([fetch.node])) & changed:
            return False
    return len(assigned) == 1 or not any(
        slice_of(body, item.reads, item.index).variables & changed - (assigned_by(item, names) or set())
        for item in assigned
    )


def is_certain(run: Run, needed: Slice, body: Body, names: Names, fed: Container[str]) -> bool:
    """Returns whether the assignments of a call give the same in each order.

    Args:
        run: The call of a session.
        needed: The statements behind its fetches.
        body: All statements.
        names: The meanings of names.
        fed: The tensors that it feeds.
    """
    if len(run.fetches) == 1 and not _read_one_another(run, needed, body, names, fed):
        return True
    return _come_after_reads(run, needed, body, names, fed)


def _read_one_another(run: Run, needed: Slice, body: Body, names: Names, fed: Container[str]) -> bool:
    """Returns whether an assignment of a call reads a variable that another one assigns.

    The source need not say the assignments of a list, as it does not in `[t.assign(e) for t, e in pairs]`.
    """
    made = _assignments(run, needed, names) or []
    variables = {variable for variable, _ in made}
    last = max(needed.items, default=0) + 1
    for variable, value in made:
        read = slice_of(body, places_in([value]), last, fed=fed).variables
        if (read | places_in([value])) & (variables - {variable}):
            return True
    return False


def _come_after_reads(run: Run, needed: Slice, body: Body, names: Names, fed: Container[str]) -> bool:
    """Returns whether each reader of an assigned variable comes before its assignment."""
    made = _assignments(run, needed, names)
    variables = [variable for variable, _ in made or ()]
    if made is None or len({*variables}) != len(variables):
        return False
    if any(item.kind not in (Kind.TENSOR, Kind.ASSIGN) for item in needed.ordered):
        return False
    for fetch in run.fetches:
        if fetch.place is None and fetch.kind is not Kind.ASSIGN and places_in([fetch.node]) & {*variables}:
            return False
    return all(_is_after_reads(assignment, made, needed, body, names, fed) for assignment in made)


def _is_after_reads(
    assignment: tuple[str, ast.expr],
    others: Sequence[tuple[str, ast.expr]],
    needed: Slice,
    body: Body,
    names: Names,
    fed: Container[str],
) -> bool:
    """Returns whether all reads of a variable come before its assignment."""
    place, value = assignment
    if any(place in places_in([other]) for variable, other in others if variable != place):
        return False
    before = slice_of(body, places_in([value]), max(needed.items, default=0) + 1, fed=fed).items
    readers = [item for item in needed.ordered if item.kind is Kind.TENSOR and place in item.reads]
    return all(item.index in before and _computes(item, place, names) for item in readers)


def _computes(item: Item, place: str, names: Names) -> bool:
    """Returns whether a statement computes one value, and each use of a variable in it has memory of its own."""
    target = item.node.targets[0] if isinstance(item.node, ast.Assign) and len(item.node.targets) == 1 else None
    reads = [node for name, node in uses(item.node) if name == place]
    if place_of(target or item.node) is None or not reads or item.mutated:
        return False
    parents = {id(child): node for node in walk(item.node) for child in ast.iter_child_nodes(node)}
    for node in reads:
        parent = parents.get(id(node))
        is_operation = isinstance(parent, ast.Call) and v1_name(names, parent.func) in _COMPUTING
        if not is_operation and not isinstance(parent, (ast.BinOp, ast.UnaryOp)):
            return False
    return True


def _assignments(run: Run, needed: Slice, names: Names) -> list[tuple[str, ast.expr]] | None:
    """Returns the variables and the new values of a call; None if the source does not say all of them."""
    known = {place for item in needed.ordered if item.kind is Kind.ASSIGN for place in item.writes}
    nodes: list[ast.expr] = []
    for item in (item for item in needed.ordered if item.kind is Kind.ASSIGN):
        if not isinstance(item.node, ast.Assign):
            return None
        nodes.append(item.node.value)
    nodes += [fetch.node for fetch in run.fetches if fetch.kind is Kind.ASSIGN and fetch.place is None]
    made: list[tuple[str, ast.expr]] = []
    for node in _parts(nodes, names):
        if place_of(node) in known:
            continue
        assignment = assignment_of(node, names)
        if assignment is None or assignment.variable is None or assignment.value is None:
            return None
        made.append((assignment.variable, assignment.value))
    return made


def _parts(nodes: Iterable[ast.expr], names: Names) -> list[ast.expr]:
    """Returns what lists and groups have."""
    parts: list[ast.expr] = []
    for node in nodes:
        if isinstance(node, (ast.List, ast.Tuple)):
            parts += _parts(node.elts, names)
        elif isinstance(node, ast.Call) and v1_name(names, node.func) == "group":
            parts += _parts(node.args, names)
        else:
            parts.append(node)
    return parts
