"""Writes the sizes that variables take from tensors as numbers: `x.get_shape()[1].value` is 784.

A variable is made outside the functions, where no tensor says its shape. In TensorFlow 1 the tensor had a static shape
there: it follows from the shapes of placeholders and variables, through the ops between. Only what variables and
branches need is written so; functions keep reading shapes of their tensors.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.native.kinds import Kind, kind_of_call, v1_name
from codemods.native.layers import NAMES as LAYERS
from codemods.native.places import bound_pairs, place_of
from codemods.native.shape_flow import READS, Program, Step
from codemods.native.shape_rules import OF_SHAPE
from codemods.native.shapes_of_expressions import Evaluator, wrapped
from codemods.native.shapes_of_ops import Number, Sizes, Tensor, Value
from codemods.native.source_text import SourceText
from codemods.tree import walk


def with_static_shapes(text: str) -> str | None:
    """Returns a text whose variables have sizes that the source says; None if no size comes from a tensor."""
    if not any(word in text for word in READS):
        return None
    tree = ast.parse(text)
    source = SourceText(text, tree)
    Program(tree, lambda program, stable, steps: _Writer(program, source, stable, steps).write()).read()
    made = source.result()
    return made if made != text else None


class _Writer:
    """Writes the sizes that the variables of a block need."""

    def __init__(self, program: Program, source: SourceText, stable: frozenset[str], steps: list[Step]) -> None:
        self.program, self.source, self.stable, self.steps = program, source, stable, steps
        self.seen: set[int] = set()

    def write(self) -> None:
        """Writes what the calls of this block that make variables, and its branches, need."""
        for number, step in enumerate(self.steps):
            parts = [step.node.test] if isinstance(step.node, ast.If) else []
            if not parts and hasattr(step.node, "body"):
                continue
            for part in parts:
                self._need(part, number)
            for call in (node for node in walk(step.node) if isinstance(node, ast.Call) and not parts):
                for argument in self._sizing(call):
                    self._need(argument, number)

    def _sizing(self, call: ast.Call) -> Iterator[ast.expr]:
        """Yields the arguments of a call that makes variables, which may be their sizes."""
        name = v1_name(self.program.names, call.func)
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if name is None:
            yield from given if isinstance(call.func, ast.Name) and self._makes(call.func.id) else []
        elif name in LAYERS:
            yield from (part for part in given if part not in call.args[:1])
        elif kind_of_call(name) is Kind.VARIABLE:
            yield from given

    def _makes(self, name: str) -> bool:
        function = self.program.functions.get(name)
        calls = (node for node in walk(function) if isinstance(node, ast.Call)) if function is not None else ()
        known = (v1_name(self.program.names, call.func) for call in calls)
        return any(name is not None and kind_of_call(name) is Kind.VARIABLE for name in known)

    def _need(self, node: ast.expr, number: int) -> None:
        """Writes the sizes in an expression that tensors give."""
        if id(node) in self.seen:
            return
        self.seen.add(id(node))
        step = self.steps[number]
        evaluator = self.program.evaluator(self.stable, step.places)
        place = place_of(node)
        if place is not None:
            self._of_place(node, place, step, evaluator)
            return
        value = evaluator.value(node)
        if isinstance(value, Tensor) and not isinstance(node, ast.Call):
            return
        text = None if isinstance(node, (ast.BinOp, ast.List, ast.Tuple)) else _written(value)
        if text is not None:
            self._replace(node, text, value)
            return
        for child in ast.iter_child_nodes(node):
            inner = child.value if isinstance(child, ast.keyword) else child
            if isinstance(inner, ast.expr):
                self._need(inner, number)

    def _is_filled(self, value: ast.expr) -> bool:
        """Returns whether a tensor is made of sizes, as the first value of a variable is: `tf.zeros([rows, 10])`."""
        name = v1_name(self.program.names, value.func) if isinstance(value, ast.Call) else None
        return name == "constant" or name in OF_SHAPE

    def _of_place(self, node: ast.expr, place: str, step: Step, evaluator: Evaluator) -> None:
        value = evaluator.places.get(place)
        made = step.made.get(place)
        statement = self.steps[made].node if made is not None else None
        pairs = []
        if isinstance(statement, ast.Assign) and made is not None:
            pairs = [pair for target in statement.targets for pair in bound_pairs(target, statement.value)]
        for target, given in pairs:
            if place_of(target) == place and made is not None:
                if isinstance(value, Tensor) and not self._is_filled(given):
                    return
                self._need(given, made)
                return
        if isinstance(value, Number) and (text := _written(value)) is not None:
            self._replace(node, text, value)

    def _replace(self, node: ast.expr, text: str, value: Value) -> None:
        parent = self.program.names.parents.get(node)
        inside = isinstance(parent, (ast.BinOp, ast.UnaryOp, ast.Compare)) and isinstance(value, Number)
        text = wrapped(value.dim) if inside and isinstance(value, Number) else text
        self.source.replace(self.source.span(node), text)


def _written(value: Value) -> str | None:
    """Returns the text of sizes that a tensor gives and that are known."""
    if isinstance(value, Number) and value.of_tensor and value.dim is not None:
        return str(value.dim)
    if isinstance(value, Sizes) and value.of_tensor and None not in value.dims:
        return f"[{', '.join(map(str, value.dims))}]"
    return None
