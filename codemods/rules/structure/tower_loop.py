"""Reads a loop that builds a tower on each device, and what the program does with the gradients."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from codemods.calls import bound
from codemods.context import Context
from codemods.names import in_v1

_COMPUTE = ("loss", "var_list", "gate_gradients", "aggregation_method", "grad_loss", "colocate_gradients_with_ops")
_KEPT_ARGUMENTS = {"loss", "var_list", "colocate_gradients_with_ops"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)

_CHANGED = (
    "the gradients of each tower are changed before they are averaged; give towers a clip= function, with "
    'clip_when="before", instead'
)


class LeftAloneError(Exception):
    """A tower loop cannot be rewritten; the text says why."""


@dataclass(frozen=True)
class TowerLoop:
    """A loop over towers, and the statements that belong to it.

    Attributes:
        enclosing: the function or module around the loop.
        outer: the loop, or the with block around it that keeps the reuse of variables inside.
        loop: the loop.
        withs: the with blocks in the loop, from the outside.
        device: the device of a tower.
        scope: the name scope of a tower.
        optimizer: the object whose compute_gradients is called.
        computed: the arguments of compute_gradients, by parameter.
        gradients: the statements that compute and keep the gradients.
        empty_list: the assignment of the list that keeps them.
        averaging: the assignment of the average.
        applying: the statement that applies the average.
        apply: the call of apply_gradients in it.
    """

    enclosing: ast.AST
    outer: ast.stmt
    loop: ast.For
    withs: tuple[ast.With, ...]
    device: ast.expr
    scope: ast.withitem
    optimizer: ast.expr
    computed: dict[str, ast.expr]
    gradients: tuple[ast.stmt, ...]
    empty_list: ast.Assign
    averaging: ast.Assign
    applying: ast.stmt
    apply: ast.Call

    @property
    def number(self) -> str:
        """The name of the loop's variable."""
        assert isinstance(self.loop.target, ast.Name)
        return self.loop.target.id

    @property
    def count(self) -> ast.expr:
        """The number of towers."""
        assert isinstance(self.loop.iter, ast.Call)
        return self.loop.iter.args[0]

    @property
    def body(self) -> list[ast.stmt]:
        """The statements of one tower."""
        return self.withs[-1].body

    @property
    def average(self) -> ast.expr:
        """The function that averages the gradients."""
        assert isinstance(self.averaging.value, ast.Call)
        return self.averaging.value.func

    @property
    def averaged(self) -> str:
        """The name of the averaged gradients."""
        assert isinstance(self.averaging.targets[0], ast.Name)
        return self.averaging.targets[0].id


def read(call: ast.Call, context: Context) -> TowerLoop | None:
    """Returns the tower loop around a call of `optimizer.compute_gradients`; None if there is no loop over devices.

    Raises:
        LeftAloneError: a part of the tower loop differs from the tutorials.
    """
    inside = context.statement(call)
    above = list(_above(inside, context))
    loop = next((node for node in above if isinstance(node, ast.For)), None)
    between = above[: above.index(loop)] if loop is not None else []
    withs = tuple(node for node in reversed(between) if isinstance(node, ast.With))
    items = {name_of(item.context_expr, context): item for block in withs for item in block.items}
    if loop is None or not _is_counted(loop) or "device" not in items:
        return None
    if len(withs) != len(between) or items.keys() != {"device", "name_scope"} or _items(withs) != len(items):
        raise LeftAloneError(
            "each tower needs a device and a name scope around it, and nothing else; leave just these two there, and "
            "put the rest inside both"
        )
    if any(len(body) != 1 for body in (loop.body, *(block.body for block in withs[:-1]))) or loop.orelse:
        raise LeftAloneError(
            "there are statements between the loop, its device and its name scope; move them inside both"
        )
    assert isinstance(call.func, ast.Attribute)
    computed = bound(call, _COMPUTE)
    if computed is None or not {"loss"} <= computed.keys() <= _KEPT_ARGUMENTS:
        raise LeftAloneError(f"{context.source(call)} has arguments that train.towers does not take")
    device = items["device"].context_expr
    assert isinstance(device, ast.Call)
    if len(device.args) != 1 or device.keywords:
        raise LeftAloneError(f"{context.source(device)} names no device")
    gradients, kept = _kept(call, inside, withs[-1].body)
    outer = _outer(loop, context)
    enclosing = next(node for node in _above(outer, context) if isinstance(node, _FUNCTIONS))
    after = _after(outer, context)
    averaging = _averaging(kept, after)
    empty_list = _empty_list(kept, averaging, enclosing, outer)
    applying, apply = _applying(call.func.value, averaging, after, enclosing)
    return TowerLoop(
        enclosing,
        outer,
        loop,
        withs,
        device.args[0],
        items["name_scope"],
        call.func.value,
        computed,
        gradients,
        empty_list,
        averaging,
        applying,
        apply,
    )


def name_of(call: ast.AST, context: Context) -> str:
    """Returns the name in 1.x of the TensorFlow function that is called, or ""."""
    name = (context.qualified(call.func) if isinstance(call, ast.Call) else None) or ""
    if name.startswith("tf2bridge.v1."):
        return name.removeprefix("tf2bridge.v1.")
    return in_v1(name) if name.startswith("tensorflow.") else ""


def is_method(call: ast.AST, name: str) -> bool:
    """Returns whether the node is a call `x.name(...)`."""
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == name


def names_in(node: ast.AST, name: str) -> list[ast.Name]:
    """Returns the nodes within a node that have this name."""
    return [part for part in ast.walk(node) if isinstance(part, ast.Name) and part.id == name]


def _above(node: ast.AST, context: Context) -> Iterator[ast.AST]:
    parent = context.parent(node)
    while parent is not None:
        yield parent
        parent = context.parent(parent)
    yield context.tree


def _is_counted(loop: ast.For) -> bool:
    """Returns whether the loop is `for i in range(n)`."""
    made = loop.iter
    if not isinstance(loop.target, ast.Name) or not isinstance(made, ast.Call):
        return False
    called = made.func.attr if isinstance(made.func, ast.Attribute) else getattr(made.func, "id", "")
    return called in ("range", "xrange") and len(made.args) == 1 and not made.keywords


def _items(withs: Sequence[ast.With]) -> int:
    return sum(len(block.items) for block in withs)


def _kept(call: ast.Call, inside: ast.stmt, body: list[ast.stmt]) -> tuple[tuple[ast.stmt, ...], str]:
    """Returns the statements that compute and keep a tower's gradients, and the name of the list that keeps them."""
    statements: list[ast.stmt] = [inside]
    value: ast.expr = call
    if isinstance(inside, ast.Assign) and inside.value is call and isinstance(inside.targets[0], ast.Name):
        value = inside.targets[0]
        uses = [use for statement in body for use in names_in(statement, value.id)]
        keeping = [
            statement
            for statement in body
            if isinstance(statement, ast.Expr) and any(use in ast.walk(statement) for use in uses)
        ]
        if len(inside.targets) != 1 or len(uses) != 2 or len(keeping) != 1:
            raise LeftAloneError(_CHANGED)
        statements += keeping
    append = statements[-1].value if isinstance(statements[-1], ast.Expr) else None
    if not isinstance(append, ast.Call) or not is_method(append, "append") or len(append.args) != 1:
        raise LeftAloneError("the gradients of each tower are not appended to a list unchanged")
    assert isinstance(append.func, ast.Attribute)
    given = append.args[0]
    same = given is call or (isinstance(given, ast.Name) and isinstance(value, ast.Name) and given.id == value.id)
    if not same or not isinstance(append.func.value, ast.Name):
        raise LeftAloneError(_CHANGED)
    return tuple(statements), append.func.value.id


def _outer(loop: ast.For, context: Context) -> ast.stmt:
    """Returns the loop, or the `with tf.variable_scope(tf.get_variable_scope()):` that contains only the loop."""
    block = context.parent(loop)
    if not isinstance(block, ast.With) or len(block.body) + len(block.items) != 2:
        return loop
    made, given = block.items[0].context_expr, block.items[0].optional_vars
    if not isinstance(made, ast.Call) or name_of(made, context) != "variable_scope" or given is not None:
        return loop
    alone = len(made.args) == 1 and not made.keywords and name_of(made.args[0], context) == "get_variable_scope"
    return block if alone else loop


def _after(outer: ast.stmt, context: Context) -> list[ast.stmt]:
    """Returns the statements that follow in the same block."""
    parent = context.parent(outer) or context.tree
    blocks: list[list[ast.stmt]] = [getattr(parent, name, None) or [] for name in ("body", "orelse", "finalbody")]
    block = next((body for body in blocks if outer in body), [])
    return block[block.index(outer) + 1 :] if block else []


def _averaging(kept: str, after: list[ast.stmt]) -> ast.Assign:
    for statement in after:
        made = statement.value if isinstance(statement, ast.Assign) else None
        if (
            isinstance(statement, ast.Assign)
            and isinstance(made, ast.Call)
            and len(made.args) == 1
            and not made.keywords
        ):
            given = made.args[0]
            if isinstance(given, ast.Name) and given.id == kept and isinstance(statement.targets[0], ast.Name):
                return statement
    raise LeftAloneError(f"no statement after the loop averages {kept}, as grads = average_gradients({kept}) does")


def _empty_list(kept: str, averaging: ast.Assign, enclosing: ast.AST, outer: ast.stmt) -> ast.Assign:
    """Returns the assignment `kept = []`; the average may have the same name."""
    uses = [use for use in names_in(enclosing, kept) if use.lineno <= averaging.lineno and use not in averaging.targets]
    empty = [
        node
        for node in ast.walk(enclosing)
        if isinstance(node, ast.Assign) and node.targets[0] in uses and ast.unparse(node.value) == "[]"
    ]
    if len(uses) == 3 and len(empty) == 1 and len(empty[0].targets) == 1 and empty[0].lineno < outer.lineno:
        return empty[0]
    raise LeftAloneError(f"{kept} is used for more than the average of the gradients")


def _applying(
    optimizer: ast.expr, averaging: ast.Assign, after: list[ast.stmt], enclosing: ast.AST
) -> tuple[ast.stmt, ast.Call]:
    """Returns the statement `train_op = optimizer.apply_gradients(averaged, ...)` and its call."""
    assert isinstance(averaging.targets[0], ast.Name)
    calls = [node for node in ast.walk(enclosing) if isinstance(node, ast.Call) and is_method(node, "apply_gradients")]
    if len(calls) != 1:
        raise LeftAloneError("apply_gradients is not called exactly once")
    given = bound(calls[0], ("grads_and_vars", "global_step", "name")) or {}
    pairs = given.get("grads_and_vars")
    assert isinstance(calls[0].func, ast.Attribute)
    if ast.unparse(calls[0].func.value) != ast.unparse(optimizer) or "name" in given:
        raise LeftAloneError(
            "apply_gradients is called with a name, or on another optimizer than the one that computed them"
        )
    if not isinstance(pairs, ast.Name) or pairs.id != averaging.targets[0].id:
        raise LeftAloneError("apply_gradients is given something other than the averaged gradients")
    for statement in after[after.index(averaging) :]:
        if isinstance(statement, ast.Assign | ast.Expr) and statement.value is calls[0]:
            return statement, calls[0]
    raise LeftAloneError("apply_gradients is in another block than the loop, or inside a larger expression")
