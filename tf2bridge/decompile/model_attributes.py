"""The attributes of a written model: variables, layers, tables, large constants, and how they are made and filled."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.blocks import old_names
from tf2bridge.decompile.constant_text import constant_text, range_of, shape_text, triangle_of
from tf2bridge.decompile.emitted.weights import transformed
from tf2bridge.decompile.expressions import filled
from tf2bridge.decompile.idioms.layer import BUILT_FOR, Layer, Weight
from tf2bridge.decompile.idioms.tables import MADE_AS
from tf2bridge.decompile.idioms.tables import contents as table_contents
from tf2bridge.decompile.ir import Kind, Node
from tf2bridge.decompile.lines import Line
from tf2bridge.decompile.names import Names
from tf2bridge.decompile.structure.chains import Chain, unnumbered

LONGEST_NAME = 40
"""Columns of the name of an attribute, if it has outer scopes that can be left out."""
LARGEST_LITERAL = 64
"""Elements of a constant that stands in the source; a larger one is an array in the weights file."""
LARGEST_LITERAL_OF_FRACTIONS = 16
"""The same for numbers that are not whole: as literals they have up to ten digits each, and say nothing."""
_OF_KERAS = ("call", "build", "name", "weights", "variables", "dtype", "input", "output", "layers", "losses", "metrics")
_OF_KERAS_TOO = ("compile", "fit", "loss", "path", "optimizer", "built", "inputs", "outputs", "load", "save", "summary")


@dataclass
class Contents:
    """What the files beside `model.py` hold.

    Attributes:
        weights: The path of an attribute of the model -> the array to load into it.
        names: The path -> the variables of the old graph that it holds, for variables.
        tables: The path -> keys and values of a lookup table.
        layers: The path of a layer of Keras -> its class.
        python_functions: The old names of Python functions that a user has to give.
        built_for: The path of a layer -> the shape that it is built for.
        needs_trace: A layer cannot be built for its shape, which has unknown sizes: it is built where it is called.
    """

    weights: dict[str, Any] = field(default_factory=dict)
    names: dict[str, Weight] = field(default_factory=dict)
    tables: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    layers: dict[str, str] = field(default_factory=dict)
    python_functions: list[str] = field(default_factory=list)
    built_for: dict[str, Any] = field(default_factory=dict)
    needs_trace: bool = False

    @property
    def own_modules(self) -> list[str]:
        """The files of `emitted` that have classes of its layers."""
        return sorted({kind.rpartition(".")[0] for kind in self.layers.values()} - {"keras.layers"})


class Attributes:
    """A `Store` of a block that also collects how the attributes are made and filled.

    Attributes:
        in_keras: The model is a `keras.Model`, not a `tf.Module`.
        made: The statements that make the attributes.
        contents: What is filled into them.
    """

    def __init__(
        self,
        values: dict[str, Any],
        layers: Sequence[Layer],
        scope: str,
        blocks: Mapping[Node, tuple[str, Contents]],
        in_keras: bool,
        with_numbers: bool = True,
        chains: Mapping[Node, Chain] | None = None,
        stored: str = "",
    ) -> None:
        """Starts with no attribute.

        Args:
            values: The old name of each variable -> its value.
            layers: The layers of the class, without those of its blocks.
            scope: The name scope of the class, with a slash at its end; the model has none.
            blocks: Block -> the expression that makes it, and what is filled into it.
            in_keras: The class is a layer or model of Keras.
            with_numbers: Names have the numbers at the ends of the old names.
            chains: Block -> the chain that it belongs to.
            stored: The name of the arrays that variables are made of; without it they are zeros, to be filled.
        """
        self.made: list[Line] = []
        self.contents = Contents()
        self._values = values
        scopes = [*(layer.scope for layer in layers), *(block.attributes["scope"] for block in blocks)]
        self._outer = _without_calls(scope) or _common_scope([_without_calls(name) for name in scopes])
        self._blocks = blocks
        self._with_numbers = with_numbers
        self._chains = chains or {}
        self._stored = stored
        self._owners = {
            variable: (layer, attribute)
            for layer in layers
            for attribute, weight in layer.held
            for variable in weight.variables
        }
        self._in_blocks = {
            variable: (block, path)
            for block, (_, contents) in blocks.items()
            for path, weight in contents.names.items()
            for variable in weight.variables
        }
        self.in_keras = in_keras
        self._names = Names()
        for name in (*_OF_KERAS, *_OF_KERAS_TOO):
            self._names.new(name)
        self._known: dict[Any, str] = {}

    def take_name(self, name: str) -> None:
        """Takes a name, such as that of a method, which no attribute gets then."""
        self._names.new(name)

    def variable(self, node: Node) -> str:
        old = node.attributes["variable"]
        if old in self._owners:
            layer, attribute = self._owners[old]
            return f"self.{self._layer_path(layer)}.{attribute}"
        if old in self._in_blocks:
            block, path = self._in_blocks[old]
            return f"{self.block(block)}{as_code(path)}"
        path, is_new = self._path((Kind.VARIABLE, old), self._within(old))
        if is_new:
            self.contents.names[path] = Weight((old,))
            self._add(path, self._values[old], node, old, node.attributes["trainable"] is not False)
        return f"self.{path}"

    def handle(self, expression: str) -> str:
        return f"{expression}.value.handle" if self.in_keras else f"{expression}.handle"

    def read(self, expression: str) -> str:
        return f"{expression}.value.read_value()" if self.in_keras else f"{expression}.read_value()"

    def layer(self, node: Node) -> str:
        layer = node.attributes["layer"]
        path = self._layer_path(layer)
        shapes = node.attributes.get(BUILT_FOR)
        shape = shapes[0] if shapes else node.inputs[0].spec.shape
        self.contents.built_for[path] = shapes or shape
        self.contents.needs_trace |= bool(layer.held) and not _is_enough(shape, layer)
        return f"self.{path}"

    def _layer_path(self, layer: Layer) -> str:
        kind = layer.kind.rpartition(".")[2].lower()
        path, is_new = self._path(layer, self._within(layer.scope) or kind)
        if is_new:
            arguments = [_argument(value) for value in layer.positional]
            arguments += [f"{name}={_argument(value)}" for name, value in layer.keywords]
            self.made.append(Line(f"self.{path} = {layer.kind}({', '.join(arguments)})", layer.variables))
            self.contents.layers[path] = layer.kind
            for attribute, weight in layer.held:
                arrays = [self._values[old] for old in weight.variables]
                self.contents.names[f"{path}.{attribute}"] = weight
                self.contents.weights[f"{path}.{attribute}"] = transformed(arrays, weight.transform)
        return path

    def block(self, node: Node) -> str:
        if node in self._chains:
            chain = self._chains[node]
            return f"{self.chain(chain)}[{chain.blocks.index(node)}]"
        scope = node.attributes["scope"]
        path, is_new = self._path(node, self._within(scope) or scope.rpartition("/")[2])
        if is_new:
            self.made.append(Line(f"self.{path} = {self._blocks[node][0]}", old_names(node)))
            self._take_in(node, path)
        return f"self.{path}"

    def chain(self, chain: Chain) -> str:
        scopes = [self._within(block.attributes["scope"]) for block in chain.blocks]
        name = _common_scope(scopes) + unnumbered(scopes[0].rpartition("/")[2])
        path, is_new = self._path(chain, name)
        if is_new:
            calls = [self._blocks[node][0] for node in chain.blocks]
            alike = f"{calls[0]} for _ in range({len(calls)})" if len(set(calls)) == 1 else ", ".join(calls)
            self.made.append(
                Line(f"self.{path} = [{alike}]", [name for node in chain.blocks for name in old_names(node)])
            )
            for number, node in enumerate(chain.blocks):
                self._take_in(node, f"{path}.{number}")
        return f"self.{path}"

    def _take_in(self, block: Node, path: str) -> None:
        """Adds what is filled into a block, which is at a path of attributes and of places in lists."""
        _, contents = self._blocks[block]
        self.contents.names |= {f"{path}.{inner}": old for inner, old in contents.names.items()}
        self.contents.weights |= {f"{path}.{inner}": value for inner, value in contents.weights.items()}
        self.contents.layers |= {f"{path}.{inner}": kind for inner, kind in contents.layers.items()}
        self.contents.built_for |= {f"{path}.{inner}": shape for inner, shape in contents.built_for.items()}
        self.contents.built_for[path] = block.inputs[0].spec.shape if block.inputs else ()
        self.contents.needs_trace |= contents.needs_trace
        self.contents.python_functions += contents.python_functions

    def _within(self, name: str) -> str:
        """Returns a name without the scope of the class. TensorFlow may have entered that scope twice."""
        last = f"{self._outer[:-1].rpartition('/')[2]}/"
        name = f"{_without_calls(name)}/".removeprefix(self._outer).removeprefix(last)[:-1]
        return name if self._with_numbers else unnumbered(name)

    def constant(self, node: Node) -> str | None:
        value = node.attributes["value"]
        is_short = value.size <= _largest_literal(value) or (value == value.flat[0]).all()
        if value.dtype.kind not in "fiub" or is_short or range_of(value) or triangle_of(value):
            return None
        path, is_new = self._path(("Const", node.name), self._within(node.name))
        if is_new:
            self._add(path, value, node, node.name, False)
        return f"self.{path}"

    def table(self, node: Node) -> str:
        template = node.attributes.get(MADE_AS, "")
        path, is_new = self._path((Kind.TABLE, node.attributes["table"], template), node.attributes["table"])
        if is_new:
            self.contents.tables[path] = table_contents(node)
            given = {"_contents": f"weights.table({path!r})", "_words": f"weights.vocabulary({path!r})"}
            text = filled(template, given) if template else _mutable_table(node)
            self.made.append(Line(f"self.{path} = {text}", [node.name]))
        return f"self.{path}"

    def python_function(self, node: Node) -> str:
        if node.name not in self.contents.python_functions:
            self.contents.python_functions.append(node.name)
        return f"self.python_functions[{node.name!r}]"

    def seed(self) -> str:
        path, is_new = self._path("seed", "seed_generator")
        if is_new:
            self.made.append(Line(f"self.{path} = keras.random.SeedGenerator()"))
        return f"self.{path}"

    def _path(self, key: Any, name: str) -> tuple[str, bool]:
        """Returns the attribute for what has this key, and whether it is a new one."""
        is_new = key not in self._known
        if is_new:
            self._known[key] = self._names.new(_brief(name))
        return self._known[key], is_new

    def _add(self, path: str, value: Any, node: Node, name: str, trainable: bool) -> None:
        self.contents.weights[path] = value
        if self._stored:
            text = variable_of(f"{self._stored}[{path!r}]", node.outputs[0], name, trainable)
        else:
            make = _keras_variable if self.in_keras else new_variable
            text = make(value, node.outputs[0], name, trainable)
        self.made.append(Line(f"self.{path} = {text}", [name]))


def _is_enough(shape: Sequence[int | None] | None, layer: Layer) -> bool:
    """Returns True if a layer can be built for a shape: most layers ask for the size of the last axis alone."""
    if not shape:
        return layer.kind == "keras.layers.Embedding"
    asks_for_more = layer.kind == "keras.layers.PReLU" or not {"axis", "data_format"}.isdisjoint(dict(layer.keywords))
    return None not in (shape[1:] if asks_for_more else shape[-1:])


def _brief(name: str) -> str:
    """Returns a name without scopes that say nothing, and without outer ones if it is too long for an attribute."""
    parts = [part for part, _ in itertools.groupby(name.split("/")) if part not in ("while", "cond")]
    while len(parts) > 1 and len("_".join(parts)) > LONGEST_NAME:
        del parts[0]
    return "/".join(parts)


def _without_calls(name: str) -> str:
    """Returns a name without the names of the calls of functions around it, which TensorFlow 2 made up."""
    return re.sub(r"^((Stateful)?PartitionedCall(_\d+)?/)+", "", name)


def _common_scope(scopes: Sequence[str]) -> str:
    """Returns the scope, with its slash, that all scopes begin with and that is none of them."""
    levels = zip(*(scope.split("/")[:-1] for scope in scopes), strict=False)
    return "".join(f"{level[0]}/" for level in itertools.takewhile(lambda level: len(set(level)) == 1, levels))


def as_code(path: str) -> str:
    """Returns a path of attributes and of places in lists, such as "units.0.kernel", as it is written after a name."""
    return "".join(f"[{part}]" if part.isdigit() else f".{part}" for part in path.split("."))


def _largest_literal(value: Any) -> int:
    """Returns how many elements an array may have that stands in the source."""
    are_whole = value.dtype.kind != "f" or bool(np.all(value == np.round(value)))
    return LARGEST_LITERAL if are_whole else LARGEST_LITERAL_OF_FRACTIONS


def _argument(value: Any) -> str:
    return repr(value) if isinstance(value, tuple) else literal(value)


def _mutable_table(node: Node) -> str:
    """Returns the expression that makes a table that the graph may change, without its contents."""
    live, special = node.attributes["live"], node.attributes["special keys"]
    default = node.attributes.get("default", _default(live.export()[1].numpy()))
    arguments = [literal(live.key_dtype), literal(live.value_dtype), literal(default)]
    arguments += [constant_text(key, tf.as_dtype(key.dtype)) for key in special]
    kind = "DenseHashTable" if special else "MutableHashTable"
    return f"tf.lookup.experimental.{kind}({', '.join(arguments)})"


def _default(values: Any) -> Any:
    """The default of a table whose lookups name their own; it has the shape of one value."""
    shape = values.shape[1:]
    return np.full(shape, b"", object) if values.dtype == object else np.zeros(shape, values.dtype)


def new_variable(value: Any, spec: Any, name: str, trainable: bool) -> str:
    """Returns the expression that makes a `tf.Variable` of zeros for a value."""
    return variable_of(f"tf.zeros({list(np.shape(value))}, {literal(spec.dtype)})", spec, name, trainable)


def variable_of(start: str, spec: Any, name: str, trainable: bool) -> str:
    """Returns the expression that makes a `tf.Variable` of a value."""
    shape = f", shape={shape_text(spec)}" if spec.shape is None or None in spec.shape else ""
    return f"tf.Variable({start}, trainable={trainable}, name={name!r}{shape})"


def _keras_variable(value: Any, spec: Any, _name: str, trainable: bool) -> str:
    dtype = "" if spec.dtype == tf.float32 else f", dtype={spec.dtype.name!r}"
    start = "" if spec.dtype == tf.float32 else ", initializer='zeros'"
    return f"self.add_weight({list(np.shape(value))}{start}{dtype}{'' if trainable else ', trainable=False'})"
