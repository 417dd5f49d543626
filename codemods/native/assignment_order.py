"""Whether the assignments of one call of a session have one result, in whatever order TensorFlow 1 ran them.

They do if each operation that reads an assigned variable comes before its assignment in the graph: the new value is
computed from it. `w.assign(w - d_w)` waits for `d_w`, and so for the product with `w` that `d_w` is computed from.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from codemods.names import Names
from codemods.native.items import Body, Item
from codemods.native.kinds import ASSIGNING, Kind, v1_name
from codemods.native.places import named_arguments, place_of, uses
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


@dataclass(frozen=True)
class _Assignment:
    variable: str
    value: ast.expr


def _is_certain(run: Run, needed: Slice, body: Body, names: Names, fed: Container[str]) -> bool:
    """Returns whether all that a call gives and changes is the same in each order of its assignments.

    Args:
        run: The call of a session.
        needed: The statements behind its fetches.
        body: All statements.
        names: The meanings of names.
        fed: The tensors that it feeds.
    """
    made = _assignments(run, needed, names)
    variables = [assignment.variable for assignment in made or ()]
    if made is None or len({*variables}) != len(variables):
        return False
    if any(item.kind not in (Kind.TENSOR, Kind.ASSIGN) for item in needed.ordered):
        return False
    for fetch in run.fetches:
        if fetch.place is None and fetch.kind is not Kind.ASSIGN and places_in([fetch.node]) & {*variables}:
            return False
    return all(_is_after_reads(assignment, made, needed, body, names, fed) for assignment in made)


def is_certain(run: Run, needed: Slice, body: Body, names: Names, fed: Container[str]) -> bool:
    """Returns `_is_certain` for several fetches, or one whose assignments read one another; else True.

    The source need not say the assignments of a list, as it does not in `[t.assign(e) for t, e in pairs]`.
    """
    if len(run.fetches) == 1:
        made = _assignments(run, needed, names) or []
        variables = {assignment.variable for assignment in made}
        last = max(needed.items, default=0) + 1
        for assignment in made:
            read = slice_of(body, places_in([assignment.value]), last, fed=fed).variables
            if (read | places_in([assignment.value])) & (variables - {assignment.variable}):
                return _is_certain(run, needed, body, names, fed)
        return True
    return _is_certain(run, needed, body, names, fed)


def _is_after_reads(
    assignment: _Assignment,
    others: Sequence[_Assignment],
    needed: Slice,
    body: Body,
    names: Names,
    fed: Container[str],
) -> bool:
    """Returns whether all reads of a variable come before its assignment."""
    place = assignment.variable
    if any(place in places_in([other.value]) for other in others if other is not assignment):
        return False
    before = slice_of(body, places_in([assignment.value]), max(needed.items, default=0) + 1, fed=fed).items
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


def _assignments(run: Run, needed: Slice, names: Names) -> list[_Assignment] | None:
    """Returns the assignments of a call; None if the source does not say all of them."""
    known = {place for item in needed.ordered if item.kind is Kind.ASSIGN for place in item.writes}
    nodes: list[ast.expr] = []
    for item in (item for item in needed.ordered if item.kind is Kind.ASSIGN):
        if not isinstance(item.node, ast.Assign):
            return None
        nodes.append(item.node.value)
    nodes += [fetch.node for fetch in run.fetches if fetch.kind is Kind.ASSIGN and fetch.place is None]
    made: list[_Assignment] = []
    for node in _parts(nodes, names):
        if place_of(node) in known:
            continue
        assignment = _assignment(node, names)
        if assignment is None:
            return None
        made.append(assignment)
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


def _assignment(node: ast.expr, names: Names) -> _Assignment | None:
    if not isinstance(node, ast.Call):
        return None
    name = v1_name(names, node.func)
    if name in ASSIGNING:
        given = named_arguments(node, ("ref", "value"))
        target, value = given.get("ref"), given.get("value")
    elif name is None and isinstance(node.func, ast.Attribute) and node.func.attr in ASSIGNING:
        target, value = node.func.value, node.args[0] if node.args else None
    else:
        return None
    place = place_of(target) if target is not None else None
    return _Assignment(place, value) if place is not None and value is not None else None
