"""What a rule is, and what it sees of a graph."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from tf2bridge.decompile.idioms.layer import Weight
from tf2bridge.decompile.ir import Function, Kind, Node, Value, all_nodes, uses


@dataclass(frozen=True)
class Example:
    """TensorFlow 1.x code, and a line that the model has for it.

    Attributes:
        before: Statements that build a graph. They find `tf` and placeholders: `images` [None, 8, 8, 3], `rows`
            [None, 4], `numbers` [None, 5] int32. The last one sets `y`.
        after: Text that `model.py` contains. Empty if the rule must leave the graph as it is.
    """

    before: str
    after: str


@dataclass(frozen=True)
class Rule:
    """A rule: which nodes it begins at, and what it puts in their place.

    Attributes:
        ops: The types of nodes that it is tried at.
        apply: Returns the node that computes the first output of the given node; or each value that is replaced -> its
            replacement; or None.
        examples: Examples, each of which a test runs.
        is_first: It is tried alone at first: other rules would take parts of the idiom.
        is_second: It is tried where none of these applies any more: what it takes may be a part of what they take.
        is_last: It is tried where no other rule applies any more: what it takes may be a part of a larger idiom.
    """

    ops: Collection[str]
    apply: Callable[[Node, Context], Node | Mapping[Value, Value] | None]
    examples: tuple[Example, ...]
    is_first: bool = False
    is_second: bool = False
    is_last: bool = False


class Context:
    """What surrounds a node: who uses a value, and which values are variables.

    Attributes:
        function: The whole graph.
    """

    def __init__(self, function: Function, assigned: frozenset[str], whole: Collection[str] = ()) -> None:
        """Reads a graph.

        Args:
            function: The graph.
            assigned: The variables that the graph changes. No layer holds one of these.
            whole: The variables that no layer may hold in parts.
        """
        self.function = function
        self._uses = uses(function)
        self._assigned = assigned
        self._whole = whole
        self._branches = _within_conditions(function)
        self._given_back: dict[Value, list[Value]] | None = None

    def is_in_condition(self, node: Node) -> bool:
        """Returns True for a node of a branch, also within a loop there."""
        return node.owner in self._branches

    def is_only_used_once(self, value: Value) -> bool:
        """Returns True if one node takes the value, as one input."""
        return len(self._uses.get(value, ())) == 1

    def is_used(self, value: Value) -> bool:
        """Returns True if a node or a result takes the value."""
        return value in self._uses

    def users(self, value: Value) -> Sequence[Node | None]:
        """Returns the nodes that take the value; None stands for a result of a function."""
        return self._uses.get(value, ())

    def given_by_conditions(self, value: Value) -> Sequence[Value]:
        """Returns the outputs of conditions that are the value if one of the branches is taken."""
        if self._given_back is None:
            self._given_back = {}
            for node in all_nodes(self.function):
                for body in node.bodies if node.op == Kind.COND else ():
                    for port, result in enumerate(body.results):
                        self._given_back.setdefault(result, []).append(Value(node, port))
        return self._given_back.get(value, ())

    def variable(self, value: Value) -> str | None:
        """Returns the old name of the variable that a value is, if nothing changes the variable; else None."""
        node = value.node
        if node.op == "ReadVariableOp":
            node = node.inputs[0].node
        name: str | None = node.attributes.get("variable")
        return name if name not in self._assigned else None

    def are_whole(self, *names: str) -> bool:
        """Returns True if a layer must hold one of these variables as it is: a training step takes it, or the graph."""
        return any(name in self._whole for name in names)

    def weight(self, value: Value) -> Weight | None:
        """Returns the weight of a layer that a value is: a variable that nothing changes, also in another shape."""
        name = self.variable(value)
        if name is not None:
            return Weight((name,))
        node, shape = value.node, known_shape(value)
        if node.op not in ("Reshape", "Squeeze", "ExpandDims") or shape is None:
            return None
        weight = self.weight(node.inputs[0])
        return weight.then(f"shape {' '.join(map(str, shape))}") if weight and shape else None


def _within_conditions(function: Function, is_within: bool = False) -> set[Function]:
    """Returns the branches of a function and all bodies in them."""
    functions = {function} if is_within else set()
    for node in function.nodes():
        for body in node.bodies:
            functions |= _within_conditions(body, is_within or node.op == Kind.COND)
    return functions


def shape_of(value: Value) -> tuple[int | None, ...] | None:
    """Returns the static shape of a value, or None if its rank is unknown."""
    return value.spec.shape


def known_shape(value: Value) -> tuple[int, ...] | None:
    """Returns the static shape of a value if all sizes are known, else None."""
    shape = shape_of(value)
    if shape is None:
        return None
    sizes = tuple(size for size in shape if size is not None)
    return sizes if len(sizes) == len(shape) else None
