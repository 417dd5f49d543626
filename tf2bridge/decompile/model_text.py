"""The text of `model.py`, and what the files beside it hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.blocks import INDENT, Block, constant_text, shape_text
from tf2bridge.decompile.expressions import wrapped
from tf2bridge.decompile.folding import folded
from tf2bridge.decompile.ir import Function, Kind, Node, all_nodes
from tf2bridge.decompile.names import Names
from tf2bridge.decompile.simplify import assigned_variables, simplified

OPS, FUNCTIONS = "ops", "functions"
LARGEST_LITERAL = 64
"""Elements of a constant that stands in the source; a larger one is an array in the weights file."""


@dataclass
class Written:
    """A model as source.

    Attributes:
        source: The text of `model.py`.
        weights: The path of an attribute of the model -> the array to load into it.
        names: The path -> the name of the variable in the old graph, for variables.
        tables: The path -> keys and values of a lookup table.
        python_functions: The old names of Python functions that a user has to give.
        nodes: How many nodes of the graph the source stands for.
    """

    source: str = ""
    weights: dict[str, Any] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    tables: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    python_functions: list[str] = field(default_factory=list)
    nodes: int = 0


class _Attributes:
    """The attributes of a model: a `Store` that also collects how they are made and filled."""

    def __init__(self, values: dict[str, Any], written: Written) -> None:
        self.made: list[str] = []
        self._values = values
        self._written = written
        self._names = Names()
        self._known: dict[tuple[str, str], str] = {}

    def variable(self, node: Node) -> str:
        old = node.attributes["variable"]
        path, is_new = self._path(Kind.VARIABLE, old)
        if is_new:
            self._written.names[path] = old
            self._add(path, self._values[old], node, old, node.attributes["trainable"])
        return f"self.{path}"

    def constant(self, node: Node) -> str | None:
        value = node.attributes["value"]
        if value.size <= LARGEST_LITERAL or value.dtype.kind not in "fiub":
            return None
        path, is_new = self._path("Const", node.name)
        if is_new:
            self._add(path, value, node, node.name, False)
        return f"self.{path}"

    def table(self, node: Node) -> str:
        path, is_new = self._path(Kind.TABLE, node.attributes["table"])
        if is_new:
            live, special = node.attributes["live"], node.attributes["special keys"]
            keys, values = (tensor.numpy() for tensor in live.export())
            self._written.tables[path] = keys, values
            arguments = [literal(live.key_dtype), literal(live.value_dtype), literal(_default(values))]
            arguments += [constant_text(key, tf.as_dtype(key.dtype)) for key in special]
            kind = "DenseHashTable" if special else "MutableHashTable"
            self.made.append(f"self.{path} = tf.lookup.experimental.{kind}({', '.join(arguments)})")
        return f"self.{path}"

    def _path(self, kind: str, old: str) -> tuple[str, bool]:
        """Returns the attribute for an old name, and whether it is a new one."""
        is_new = (kind, old) not in self._known
        if is_new:
            self._known[kind, old] = self._names.new(old)
        return self._known[kind, old], is_new

    def _add(self, path: str, value: Any, node: Node, name: str, trainable: bool) -> None:
        self._written.weights[path] = value
        self.made.append(f"self.{path} = {_variable(value, node.outputs[0], name, trainable)}")

    def python_function(self, node: Node) -> str:
        if node.name not in self._written.python_functions:
            self._written.python_functions.append(node.name)
        return f"self.python_functions[{node.name!r}]"


def _default(values: Any) -> Any:
    """The default of a table. No lookup uses it, since each names its own; it has the shape of one value."""
    shape = values.shape[1:]
    return np.full(shape, b"", object) if values.dtype == object else np.zeros(shape, values.dtype)


def _variable(value: Any, spec: Any, name: str, trainable: bool) -> str:
    start = f"tf.zeros({list(np.shape(value))}, {literal(spec.dtype)})"
    shape = f", shape={shape_text(spec)}" if spec.shape is None or None in spec.shape else ""
    return f"tf.Variable({start}, trainable={trainable}, name={name!r}{shape})"


def _spaced(lines: Sequence[str]) -> list[str]:
    """Returns lines without an empty one at the beginning or after another empty one."""
    pairs = zip(["", *lines], lines, strict=False)
    return [line for before, line in pairs if line or before]


def _within_columns(line: str) -> list[str]:
    indent = len(line) - len(line.lstrip())
    return [" " * indent + part for part in wrapped(line.strip(), indent)]


def written(
    function: Function, values: dict[str, Any], outputs: Sequence[str], about: str, level: str = FUNCTIONS
) -> Written:
    """Returns the graph as a `tf.Module`.

    Args:
        function: The graph.
        values: The name of each variable -> its value.
        outputs: A name for each result.
        about: What stands in the docstring of the file.
        level: `OPS` for one call of `tf.raw_ops` for each node, `FUNCTIONS` for public functions and operators.
    """
    assigned = assigned_variables(function)
    if level != OPS:
        folded(simplified(function, assigned))
    result = Written(nodes=sum(1 for _ in all_nodes(function)))
    store, names = _Attributes(values, result), Names()
    inputs = {parameter: names.new(parameter.name) for parameter in function.parameters}
    block = Block(store, names, inputs, assigned, level != OPS)
    results = block.write(function)
    start = ["super().__init__()", *store.made]
    if result.python_functions:
        start.append("self.python_functions = python_functions")
    returned = results[0] if len(results) == 1 else f"[{', '.join(results)}]"
    lines = [
        f'"""{about}"""',
        "",
        "import tensorflow as tf",
        "",
        "from . import weights",
        "",
        "",
        "class Model(tf.Module):",
        f"    legacy_inputs = {literal([parameter.name for parameter in function.parameters])}",
        f"    legacy_outputs = {literal(list(outputs))}",
        "",
        f"    def __init__(self{', python_functions' if result.python_functions else ''}):",
        *(INDENT * 2 + line for line in start),
        "",
        "    @classmethod",
        f"    def load(cls{', python_functions' if result.python_functions else ''}):",
        f"{INDENT * 2}model = cls({'python_functions' if result.python_functions else ''})",
        f"{INDENT * 2}weights.fill(model)",
        f"{INDENT * 2}return model",
        "",
        "    @classmethod",
        f"    def from_checkpoint(cls, checkpoint{', python_functions' if result.python_functions else ''}):",
        f"{INDENT * 2}model = cls.load({'python_functions' if result.python_functions else ''})",
        f"{INDENT * 2}weights.restore(model, checkpoint)",
        f"{INDENT * 2}return model",
        "",
        "    @tf.function(autograph=False)",
        f"    def __call__(self{''.join(f', {name}' for name in inputs.values())}):",
        *(INDENT * 2 + line if line else "" for line in _spaced([*block.lines, f"return {returned}"])),
    ]
    lines = [shorter for line in lines for shorter in _within_columns(line)]
    result.source = "\n".join(lines) + "\n"
    return result
