"""The constructor and the call of one class: of the model, or of a block of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tf2bridge.decompile.blocks import Block
from tf2bridge.decompile.idioms.layer import Layer
from tf2bridge.decompile.ir import Function, Kind, Node
from tf2bridge.decompile.lines import Line
from tf2bridge.decompile.model_attributes import Attributes, Contents
from tf2bridge.decompile.names import Names
from tf2bridge.decompile.nesting import nestable
from tf2bridge.decompile.reused_names import with_reused_names
from tf2bridge.decompile.structure.chains import chains

_INPUTS = ("x", "y", "z")


class ClassWriter:
    """Writes functions as classes."""

    def __init__(
        self, values: dict[str, Any], assigned: frozenset[str], public: bool, in_keras: bool, keras_ops: bool = False
    ) -> None:
        """Keeps what all classes of a model share.

        Args:
            values: The old name of each variable -> its value.
            assigned: The variables that the model changes.
            public: Write public functions, not `tf.raw_ops` alone.
            in_keras: The classes are layers and a model of Keras.
            keras_ops: Write functions of `keras.ops` where there are any.
        """
        self._values = values
        self._assigned = assigned
        self._public = public
        self._in_keras = in_keras
        self._keras_ops = keras_ops

    def write(
        self,
        function: Function,
        blocks: Mapping[Node, tuple[str, Contents]],
        scope: str = "",
        with_numbers: bool = True,
    ) -> tuple[Attributes, list[str], list[Line]]:
        """Returns the attributes of a class, the names of the inputs of its call, and the statements of its call.

        Args:
            function: What the class computes.
            blocks: Block in the function -> the expression that makes it, and what is filled into it.
            scope: The name scope that the class is for; empty for the model.
            with_numbers: Names have the numbers at the ends of the old names.
        """
        inner = {node: blocks[node] for node in function.nodes() if node.op == Kind.BLOCK}
        outer = f"{scope}/" if scope else ""
        rows = chains(function)
        store = Attributes(self._values, _layers(function), outer, inner, self._in_keras, with_numbers, rows)
        names = Names()
        inputs = {
            parameter: names.new(_input_name(number) if scope else parameter.name)
            for number, parameter in enumerate(function.parameters)
        }
        nested = nestable(function).difference(rows) if self._public else frozenset()
        block = Block(
            store, names, inputs, self._assigned, nested, self._public, rows, with_numbers, keras_ops=self._keras_ops
        )
        block.finish(function, "return {}" if len(function.results) == 1 else "return [{}]")
        lines = with_reused_names(block.lines, list(inputs.values())) if self._public else block.lines
        return store, list(inputs.values()), spaced(lines)


def _input_name(number: int) -> str:
    return _INPUTS[number] if number < len(_INPUTS) else f"x_{number + 1}"


def _layers(function: Function) -> list[Layer]:
    """Returns the layers of a function, without those of blocks in it."""
    layers = []
    for node in function.nodes():
        if node.op == Kind.LAYER:
            layers.append(node.attributes["layer"])
        elif node.op != Kind.BLOCK:
            layers += [layer for body in node.bodies for layer in _layers(body)]
    return layers


def spaced(lines: Sequence[Line]) -> list[Line]:
    """Returns lines without an empty one at the beginning or after another empty one."""
    pairs = zip([Line(""), *lines], lines, strict=False)
    return [line for before, line in pairs if line or before]
