"""What one step of a recurrent loop computes: cells, with dropout and sums around them.

`tf.nn.rnn_cell.DropoutWrapper` and `ResidualWrapper` of TensorFlow 1.x do this in each step. It is the same for all
steps at once: each number of a sequence is dropped or kept by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tf2bridge.decompile.idioms.cells import Cell, cell_of
from tf2bridge.decompile.idioms.rule import Context, shape_of
from tf2bridge.decompile.ir import Function, Kind, Node, Spec, Value

_DROPOUT = "tf.nn.dropout(_0, "
_FIXED = ("Const", "Sub", "Identity", "Cast")
"""What the rate of dropout is computed with, as 1 - keep_prob."""


@dataclass(frozen=True)
class Step:
    """A value of a step.

    Attributes:
        value: The value.
        parts: What it is computed from: of a cell, its input; of a sum, both terms; nothing for the item that is read.
        cell: The cell that gives it, if one does.
    """

    value: Value
    parts: tuple[Step, ...] = ()
    cell: Cell | None = None

    @property
    def first(self) -> Value:
        """The item of the sequence that the step reads."""
        return self.parts[0].first if self.parts else self.value

    @property
    def is_zero_where_invalid(self) -> bool:
        """True if it is zeros wherever a step is not valid, as what a layer gives there is."""
        return bool(self.parts) and (self.cell is not None or all(part.is_zero_where_invalid for part in self.parts))


def step_of(
    value: Value, body: Function, context: Context, known: dict[Value, Step | None] | None = None
) -> Step | None:
    """Returns how a value of a loop's body is computed, or None if it is no step over one item.

    Args:
        value: The value.
        body: The body of the loop.
        context: The graph.
        known: The steps that are known already: a residual cell and the sum after it take the same one.
    """
    known = {} if known is None else known
    if value not in known:
        known[value] = _step_of(value, body, context, known)
    return known[value]


def _step_of(value: Value, body: Function, context: Context, known: dict[Value, Step | None]) -> Step | None:
    if value.node.op == "TensorListGetItem":
        return Step(value)
    cell = cell_of(value, context)
    part = step_of(cell.x, body, context, known) if cell else None
    if part is not None:
        return Step(value, (part,), cell)
    if value.node.op not in ("Add", "AddV2") and not _is_dropout(value.node, body):
        return None
    parts: list[Step] = []
    for given in value.node.inputs[: 1 if value.node.op == Kind.EXPRESSION else 2]:
        part = step_of(given, body, context, known)
        if part is None or not _has_size_of(given, value) or (parts and part.first != parts[0].first):
            return None
        parts.append(part)
    return Step(value, tuple(parts))


def _has_size_of(part: Value, value: Value) -> bool:
    """Returns True if both are matrices with the same number of columns: nothing is broadcast."""
    sizes = [shape_of(matrix) or () for matrix in (part, value)]
    return sizes[0][1:] == sizes[1][1:] and len(sizes[0]) == 2 and sizes[0][1] is not None


def _is_dropout(node: Node, body: Function) -> bool:
    """Returns True for dropout at a rate that is the same in all steps."""
    if node.op != Kind.EXPRESSION or not node.attributes["template"].startswith(_DROPOUT):
        return False
    is_plain = "noise_shape" not in node.attributes["template"]
    return is_plain and all(_is_fixed(rate, body) for rate in node.inputs[1:])


def _is_fixed(value: Value, body: Function) -> bool:
    """Returns True if a value is from outside a loop, or computed from such values and constants alone."""
    node = value.node
    if node.owner is not body:
        return True
    return node.op in _FIXED and all(_is_fixed(given, body) for given in node.inputs)


def _outside(value: Value, body: Function, owner: Function) -> Value:
    """Returns a value that is the same in all steps as one of the function around the loop."""
    node = value.node
    if node.owner is not body:
        return value
    inputs = [_outside(given, body, owner) for given in node.inputs]
    return Value(Node(node.name, node.op, inputs, dict(node.attributes), list(node.outputs), owner), value.port)


def cells_in(step: Step, seen: set[Value] | None = None) -> tuple[Cell, ...]:
    """Returns the cells of a step, each one after those whose results it takes.

    Args:
        step: The step.
        seen: The values that were looked at.
    """
    seen = set() if seen is None else seen
    if step.value in seen:
        return ()
    seen.add(step.value)
    cells = tuple(cell for part in step.parts for cell in cells_in(part, seen))
    return cells if step.cell is None else (*cells, step.cell)


def over_sequence(
    step: Step, x: Value, called: Callable[[Cell, Value], Value], known: dict[Value, Value] | None = None
) -> Value:
    """Returns the sequence of what a step gives at each item of a sequence.

    Args:
        step: The step.
        x: The sequence, with rows as the first axis.
        called: Returns the sequence that the layer of a cell gives for a sequence.
        known: Values of the step -> their sequences. What is dropped once stays dropped wherever it is taken.
    """
    known = {} if known is None else known
    if step.value not in known:
        known[step.value] = _over_sequence(step, x, called, known)
    return known[step.value]


def _over_sequence(step: Step, x: Value, called: Callable[[Cell, Value], Value], known: dict[Value, Value]) -> Value:
    if not step.parts:
        return x
    parts = [over_sequence(part, x, called, known) for part in step.parts]
    if step.cell is not None:
        return called(step.cell, parts[0])
    node, owner = step.value.node, x.node.owner
    spec = Spec(step.value.spec.dtype, (*(shape_of(parts[0]) or (None, None))[:2], *(shape_of(step.value) or ())[1:]))
    inputs = [*parts, *(_outside(rate, node.owner, owner) for rate in node.inputs[len(parts) :])]
    return Value(Node(node.name, node.op, inputs, dict(node.attributes), [spec], owner), 0)
