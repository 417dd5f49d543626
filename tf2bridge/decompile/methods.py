"""The text of a model with several functions on the same variables: one method for each call that a program made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import tensorflow as tf

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.blocks import Block
from tf2bridge.decompile.class_text import spaced
from tf2bridge.decompile.ir import Function, Kind, Node, Value, all_nodes
from tf2bridge.decompile.lines import INDENT, Line, docstring, indented, within_columns
from tf2bridge.decompile.model_attributes import Attributes, Contents
from tf2bridge.decompile.model_text import as_functions, spec_text
from tf2bridge.decompile.names import Names
from tf2bridge.decompile.nesting import nestable
from tf2bridge.decompile.reused_names import with_reused_names
from tf2bridge.decompile.simplify import assigned_variables


class Method(NamedTuple):
    """A function of the model.

    Attributes:
        name: Its name.
        function: What it computes. Its parameters have the names that its arguments get.
        about: What stands in its docstring.
        result: What it returns, with `{0}`, `{1}` for the results of the function; empty for a tuple of them.
    """

    name: str
    function: Function
    about: str
    result: str = ""


class Methods(NamedTuple):
    """The source of a model.

    Attributes:
        source: The text of `model.py`.
        contents: What the files beside it hold.
    """

    source: str
    contents: Contents


def with_methods(
    methods: Sequence[Method], values: Mapping[str, object], about: str, saved: Sequence[Node] = ()
) -> Methods:
    """Returns the source of a `tf.Module` with these methods, each a `tf.function`.

    Args:
        methods: The methods. Their functions are changed.
        values: The old name of each variable -> its value.
        about: The docstring of the file.
        saved: Nodes of type `Kind.VARIABLE` that the model has in any case; with any, it has a method `saved`.
    """
    store = Attributes(dict(values), [], "", {}, in_keras=False, stored="stored")
    for method in methods:
        store.take_name(method.name)
    bodies = [line for method in methods for line in ("", *_lines(method, store))]
    for node in saved:
        store.variable(node)
    lines = [
        docstring(about),
        "",
        "import tensorflow as tf",
        "",
        "from . import weights",
        "",
        "",
        "class Model(tf.Module):",
        *indented([f"saved_names = {literal([node.name for node in saved])}", ""] if saved else []),
        *indented(["def __init__(self):", *indented([*_BEGINNING, *store.made])]),
        "",
        *indented(_loading(bool(store.contents.tables))),
        *indented(_SAVED if saved else []),
        *bodies,
    ]
    source = "".join(f"{shorter}\n" for line in lines for shorter in within_columns(line))
    return Methods(source, store.contents)


_POPPING = ("StackPop", "StackPopV2")
_BEGINNING = ("super().__init__()", "stored = weights.stored()")


_SAVED = (
    "",
    "def saved(self, *names):",
    '    """Returns (old name, variable) of these variables; without names, of all that the old graph saved."""',
    "    paths = {old: path for path, ((old,), _) in weights.names().items()}",
    "    names = names or self.saved_names",
    "    return [(name, weights.attribute(self, paths[name])) for name in names]",
)


def _loading(has_tables: bool) -> list[str]:
    """Returns the lines of the methods that make a model with values."""
    made = ["model = cls()", "weights.fill(model)", "return model"] if has_tables else ["return cls()"]
    restored = ["model = cls.load()", "weights.restore(model, checkpoint)", "return model"]
    return [
        "@classmethod",
        "def load(cls):",
        *indented(made),
        "",
        "@classmethod",
        "def from_checkpoint(cls, checkpoint):",
        *indented(restored),
    ]


def _lines(method: Method, store: Attributes) -> list[Line]:
    """Returns the lines of a method."""
    assigned = assigned_variables(method.function)
    function = as_functions(method.function, assigned)
    _keep_shapes(function)
    names = Names()
    inputs = {parameter: names.new(parameter.name) for parameter in function.parameters}
    block = _WithNamedDraws(store, names, inputs, assigned, nestable(function))
    results = block.write(function)
    returned = method.result.format(*results) or _tuple(results)
    body = [*block.lines, *([Line(f"return {returned}")] if returned else [])]
    body = spaced(with_reused_names(body, list(inputs.values()))) or [Line("pass")]
    return indented(
        [
            f"@tf.function({_signature(function.parameters)}autograph=False)",
            Line(f"def {method.name}(self{''.join(f', {name}' for name in inputs.values())}):"),
            INDENT + docstring(method.about),
            *indented(body),
        ]
    )


def _keep_shapes(function: Function) -> None:
    """Has the loops of gradients state the shapes of their variables, which values from stacks do not tell."""
    for loop in [node for node in all_nodes(function) if node.op == Kind.WHILE]:
        body = loop.bodies[1]
        if any(node.op in _POPPING for node in body.nodes()):
            body.results = [_shaped(value, place, body) for place, value in enumerate(body.results)]


def _shaped(value: Value, place: int, body: Function) -> Value:
    dtype, shape = value.spec
    if not shape or dtype in (tf.resource, tf.variant) or value.node.op in (Kind.PARAMETER, "Const"):
        return value
    attributes = {"T": dtype, "shape": list(shape)}
    return Value(Node(f"{value.node.name}/shape_{place}", "EnsureShape", [value], attributes, [value.spec], body), 0)


class _WithNamedDraws(Block):
    """Writes operations that draw numbers with their old names, which tell one from another without a seed."""

    def _public_expression(self, node: Node) -> str | None:
        return None if "seed2" in node.attributes else super()._public_expression(node)

    def _raw_call(self, node: Node) -> str:
        text = super()._raw_call(node)
        return f"{text.removesuffix(')')}, name={literal(node.name)})" if "seed2" in node.attributes else text


def _tuple(results: Sequence[str]) -> str:
    return results[0] if len(results) == 1 else ", ".join(results)


def _signature(parameters: Sequence[Node]) -> str:
    specs = ", ".join(spec_text(parameter.outputs[0]) for parameter in parameters)
    return f"input_signature=[{specs}], " if parameters else ""
