"""The attributes of a written trainer: variables of the model, and those that only training has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import Weight
from tf2bridge.decompile.ir import Node, Spec
from tf2bridge.decompile.model_attributes import Contents, as_code, new_variable
from tf2bridge.decompile.names import Names, identifier
from tf2bridge.decompile.refusals import UnwritableOpError
from tf2bridge.decompile.structure.chains import Chain

_TAKEN = ("model", "load", "from_checkpoint", "train_step", "name", "variables", "trainable_variables", "submodules")


class TrainerAttributes:
    """A `Store` of the block of a training step.

    Attributes:
        made: The statements that make the attributes.
        contents: What is filled into the variables, by their paths from the trainer.
    """

    def __init__(self, values: Mapping[str, Any], model: Mapping[str, Weight], in_keras: bool) -> None:
        """Starts with no attribute.

        Args:
            values: The old name of each variable -> its value.
            model: The path of each variable of the model -> what it holds.
            in_keras: The model is one of Keras, whose variables hold those of TensorFlow.
        """
        self.made: list[str] = []
        self.contents = Contents()
        self._values = values
        ending = ".value" if in_keras else ""
        self._of_model = {
            weight.variables[0]: f"self.model{as_code(path)}{ending}"
            for path, weight in model.items()
            if weight.is_a_variable
        }
        self._names = Names()
        for name in _TAKEN:
            self._names.new(name)
        self._own: dict[str, str] = {}
        self._lists: dict[tuple[str, ...], str] = {}

    def variable(self, node: Node) -> str:
        old = node.attributes["variable"]
        if old in self._of_model:
            return self._of_model[old]
        if old not in self._own:
            path = self._names.new(old)
            self._own[old] = path
            self._hold(path, old)
            self.made.append(f"self.{path} = {self._new(old, node.outputs[0])}")
        return f"self.{self._own[old]}"

    def variables(self, nodes: Sequence[Node], name: str) -> str:
        """Returns the attribute that is a list of variables, and makes it if there is none.

        Args:
            nodes: The variables.
            name: What the attribute is called if it is new.
        """
        key = tuple(node.attributes["variable"] for node in nodes)
        if key not in self._lists:
            name = self._names.new(name)
            self._lists[key] = f"self.{name}"
            texts = []
            for place, (node, old) in enumerate(zip(nodes, key, strict=True)):
                if old in self._of_model or old in self._own:
                    texts.append(self.variable(node))
                else:
                    texts.append(self._new(old, node.outputs[0]))
                    self._own[old] = f"{name}[{place}]"
                    self._hold(f"{name}.{place}", old)
            self.made.append(f"self.{name} = {self._part(key) or self._repeated(nodes, texts) or _listed(texts)}")
        return self._lists[key]

    def _part(self, names: Sequence[str]) -> str | None:
        """Returns the expression of variables that stand one after the other in a list, or None."""
        for known, attribute in self._lists.items():
            for start in range(len(known) - len(names) + 1) if known != names and len(names) > 1 else ():
                if known[start : start + len(names)] == names:
                    end = start + len(names)
                    return f"{attribute}[{start or ''}:{end if end < len(known) else ''}]"
        return None

    def _repeated(self, nodes: Sequence[Node], texts: Sequence[str]) -> str | None:
        """Returns an expression for new variables that have the shapes and types of those in a list."""
        if not all(text.startswith("tf.Variable(") for text in texts):
            return None
        for known, attribute in self._lists.items():
            if len(known) == len(nodes) and all(
                self._values[old].shape == self._values[node.attributes["variable"]].shape
                and self._values[old].dtype == self._values[node.attributes["variable"]].dtype
                for old, node in zip(known, nodes, strict=True)
            ):
                return f"weights.new_like({attribute})"
        return None

    def _new(self, old: str, spec: Spec) -> str:
        value = self._values[old]
        if value.shape or value.dtype.kind not in "fi":
            return new_variable(value, spec, old, False)
        dtype = "" if spec.dtype in (tf.float32, tf.int32) else f", dtype={literal(spec.dtype)}"
        return f"tf.Variable({'0.0' if value.dtype.kind == 'f' else '0'}, trainable=False{dtype})"

    def _hold(self, path: str, old: str) -> None:
        self.contents.weights[path] = self._values[old]
        self.contents.names[path] = Weight((old,))

    def handle(self, expression: str) -> str:
        return f"{expression}.handle"

    def read(self, expression: str) -> str:
        return f"{expression}.read_value()"

    def constant(self, _node: Node) -> None:
        return None

    def table(self, node: Node) -> str:
        raise UnwritableOpError(node.name, "lookup table", "a training step holds no tables")

    def python_function(self, node: Node) -> str:
        raise UnwritableOpError(node.name, node.op, "a training step calls no Python functions")

    def seed(self) -> str:
        raise AssertionError("a training step is not written in functions of Keras")

    def layer(self, node: Node) -> str:
        raise UnwritableOpError(node.name, node.op, "a training step has no layers")

    def block(self, node: Node) -> str:
        raise UnwritableOpError(node.name, node.op, "a training step has no blocks")

    def chain(self, chain: Chain) -> str:
        return self.block(chain.blocks[0])


def list_name(role: str, nodes: Sequence[Node]) -> str:
    """Returns a name for a list of variables: what optimizers call it, or the end of their names if it is the same.

    Args:
        role: The name of the input of an operation that takes a variable.
        nodes: The variables.
    """
    if role not in ("", "resource", "ref"):
        return "trained" if role == "var" else identifier(role)
    ends = {node.attributes["variable"].rpartition("/")[2] for node in nodes}
    return identifier(ends.pop()) if len(ends) == 1 else "updated"


def _listed(texts: Sequence[str]) -> str:
    return f"[{', '.join(texts)}]"
