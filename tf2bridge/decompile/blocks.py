"""The statements of a function: one for each node, in an order in which every value is there before it is used."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.constant_text import LONGEST_INLINE, constant_text, shape_text
from tf2bridge.decompile.expressions import filled, names_in
from tf2bridge.decompile.idioms.layer import SEED
from tf2bridge.decompile.ir import Function, Kind, Node, Spec, Value, all_nodes, array_of
from tf2bridge.decompile.keras_calls import NEEDS_TENSORFLOW, keras_call, keras_constant, runs_everywhere
from tf2bridge.decompile.lines import Line, RawCall, function_lines, indented, shortened
from tf2bridge.decompile.names import Names
from tf2bridge.decompile.public_calls import public_call, whole_list, why_not_public
from tf2bridge.decompile.raw_calls import place_of_output, raw_call
from tf2bridge.decompile.slices import keras_slice_text, slice_text
from tf2bridge.decompile.structure.chains import Chain, unnumbered

LONGEST_NESTED = 60
"""Columns of an operation that stands within another one."""
_ASSIGNMENTS = {
    "AssignVariableOp": "assign",
    "AssignAddVariableOp": "assign_add",
    "AssignSubVariableOp": "assign_sub",
}
"""Type of an operation -> the method of a variable that does the same."""


class Store(Protocol):
    """What a model keeps in attributes: gives the expression for each, and how a variable is read at a place."""

    def variable(self, node: Node) -> str: ...

    def table(self, node: Node) -> str: ...

    def constant(self, node: Node) -> str | None: ...

    def python_function(self, node: Node) -> str: ...

    def seed(self) -> str: ...

    def layer(self, node: Node) -> str: ...

    def block(self, node: Node) -> str: ...

    def chain(self, chain: Chain) -> str: ...

    def handle(self, expression: str) -> str: ...

    def read(self, expression: str) -> str: ...


class Block:
    """Writes the body of one function.

    Attributes:
        lines: The statements so far.
    """

    def __init__(
        self,
        store: Store,
        names: Names,
        texts: Mapping[Node, str],
        assigned: frozenset[str],
        nested: Collection[Node] = (),
        public: bool = True,
        chains: Mapping[Node, Chain] | None = None,
        with_numbers: bool = True,
        keras_ops: bool = False,
    ) -> None:
        """Starts a block.

        Args:
            store: What the model keeps.
            names: The names that are taken.
            texts: The expression of each node that is there already; for several values, that of their sequence.
            assigned: The variables that the model changes: each read of them is a statement of its own.
            nested: Nodes that stand within the statement of the only node that takes them, if they are short.
            public: Write public functions and operators where there are any, not `tf.raw_ops` alone.
            chains: Block -> the chain that it belongs to.
            with_numbers: Names have the numbers at the ends of the old names, if these are parts of a word.
            keras_ops: Write functions of `keras.ops` where there are any, which run on every backend of Keras.
        """
        self.lines: list[Line] = []
        self._store = store
        self._names = names
        self._texts = dict(texts)
        self._assigned = assigned
        self._nested_nodes = nested
        self._public = public
        self._chains = chains or {}
        self._with_numbers = with_numbers
        self._keras_ops = keras_ops
        self._placed: set[Node] = set()
        self._raw_calls: dict[Node, RawCall] = {}

    def write(self, function: Function, last: Node | None = None) -> list[str]:
        """Writes all nodes of a function, but `last` if its expression can stand elsewhere; returns its results."""
        for node in function.nodes():
            if node.op != Kind.PARAMETER:
                self._write(node, node is last)
        return [self.text(value) for value in function.results]

    def finish(self, function: Function, template: str) -> None:
        """Writes all nodes of a function, and its last statement: the template with the results in it."""
        last = function.results[0].node if len(function.results) == 1 and template.endswith(" {}") else None
        results = ", ".join(self.write(function, last))
        self.lines.append(self._line(template.format(results), self._without_line(function.results)))

    def text(self, value: Value) -> str:
        """Returns the expression of a value."""
        node, port = value
        if node.op == "Const" and node not in self._texts:
            self._constant(node)
        if node.op in (Kind.BLOCK, Kind.LAYER, Kind.COND, Kind.EXPRESSION):
            place = f"[{port}]" if len(node.outputs) > 1 else ""
        elif node.op in (Kind.WHILE, Kind.CALL):
            place = f"[{port}]"
        else:
            place = "" if node.op in _ONE else place_of_output(node, port)
        return f"{self._texts[node]}{place}"

    def _without_line(self, values: Iterable[Value]) -> list[Node]:
        return [node for node, _ in values if node.op != Kind.PARAMETER and node not in self._placed]

    def _line(self, text: str, nodes: Iterable[Node]) -> Line:
        """Returns a line for nodes, and for those whose expressions stand within theirs."""
        inside: dict[Node, None] = {}
        pending = list(nodes)
        while pending:
            node = pending.pop()
            if node not in inside:
                inside[node] = None
                pending += self._without_line(node.inputs)
        raw_calls = [self._raw_calls[node] for node in inside if node in self._raw_calls]
        return Line(text, [name for node in inside for name in old_names(node)], raw_calls)

    def _write(self, node: Node, is_last: bool = False) -> None:
        text = self._expression(node)
        if text is None:
            return
        if not node.outputs:
            self.lines.append(self._line(text, [node]))
            return
        if (node in self._nested_nodes and (is_last or len(text) <= LONGEST_NESTED)) or _is_a_size(node, text):
            self._texts[node] = text
            return
        name = short_name(node)
        name = self._names.new(name if self._with_numbers else unnumbered(name))
        self._texts[node] = name
        self.lines.append(self._line(f"{name} = {text}", [node]))
        self._placed.add(node)

    def _expression(self, node: Node) -> str | None:
        """Returns the expression that computes a node, or None if the node needs no statement."""
        writers = {
            Kind.VARIABLE: self._variable,
            Kind.TABLE: self._table,
            Kind.WHILE: self._loop,
            Kind.COND: self._condition,
            Kind.CALL: self._call_with_gradient,
            Kind.LAYER: self._layer,
            Kind.BLOCK: self._block,
            Kind.EXPRESSION: self._template,
            "ReadVariableOp": self._read,
            **dict.fromkeys(_ASSIGNMENTS if self._public else (), self._assign),
            **dict.fromkeys(("Const", "NoOp"), lambda _node: None),  # a constant is written where it is used
            **dict.fromkeys(("PyFunc", "PyFuncStateless", "EagerPyFunc"), self._python_call),
        }
        if node.op in writers:
            return writers[node.op](node)
        return self._public_expression(node) or self._raw_call(node)

    def _public_expression(self, node: Node) -> str | None:
        """Returns the expression of a node with public functions and operators, or None."""
        text = None
        if self._keras_ops:
            by_form = keras_slice_text if node.op in ("StridedSlice", "Slice") else keras_call
            text = by_form(node, self.text)
        if self._public and text is None:
            by_form = slice_text if node.op == "StridedSlice" else public_call
            text = by_form(node, self._input_text)
        return text

    def _raw_call(self, node: Node) -> str:
        self._raw_calls[node] = RawCall(node.op, why_not_public(node) if self._public else "level ops", node.name)
        return raw_call(node, self._input_text)

    def _variable(self, node: Node) -> None:
        self._texts[node] = self._store.variable(node)

    def _table(self, node: Node) -> None:
        self._texts[node] = self._store.table(node)

    def _read(self, node: Node) -> str | None:
        handle = node.inputs[0].node
        if handle.op != Kind.VARIABLE:
            return self._raw_call(node)
        if handle.attributes["variable"] in self._assigned:
            text = self._texts[handle]
            return f"keras.ops.copy({text})" if self._keras_ops else self._store.read(text)
        self._texts[node] = self._texts[handle]
        return None

    def _assign(self, node: Node) -> str:
        handle, value = node.inputs
        if handle.node.op != Kind.VARIABLE:
            return raw_call(node, self._input_text)
        return f"{self._texts[handle.node]}.{_ASSIGNMENTS[node.op]}({self._number(value)})"

    def _number(self, value: Value) -> str:
        """Returns a constant of one element as a number of Python, or the expression of another value."""
        array = array_of(value)
        return self.text(value) if array is None or array.shape or array.dtype.kind not in "fi" else literal(array)

    def _layer(self, node: Node) -> str:
        return self._template(node, _layer=self._store.layer(node))

    def _block(self, node: Node) -> str | None:
        if node in self._chains:
            if node is self._chains[node].blocks[0]:
                self._loop_over(self._chains[node])
            return None
        arguments = [self.text(value) for value in node.inputs]
        whole = whole_list(node.inputs, arguments)
        return f"{self._store.block(node)}({', '.join(arguments) if whole is None else f'*{whole}'})"

    def _loop_over(self, chain: Chain) -> None:
        """Writes the calls of all blocks of a chain."""
        arguments = [self.text(value) for value in chain.blocks[0].inputs]
        name = unnumbered(chain.blocks[0].attributes["scope"].rpartition("/")[2])
        result, block = self._names.new("x"), self._names.new(name)
        taken = self._without_line(chain.blocks[0].inputs)
        self.lines.append(self._line(f"{result} = {arguments[chain.place]}", taken))
        self._placed.update(taken)
        arguments[chain.place] = result
        self.lines.append(Line(f"for {block} in {self._store.chain(chain)}:"))
        call = f"{result} = {block}({', '.join(arguments)})"
        self.lines += indented([self._line(call, chain.blocks)])
        self._placed.update(chain.blocks)
        self._texts[chain.blocks[-1]] = result

    def _template(self, node: Node, **further: str) -> str:
        inputs = {f"_{number}": self.text(value) for number, value in enumerate(node.inputs)}
        in_keras = self._keras_ops and not node.attributes.get(NEEDS_TENSORFLOW)
        template = (in_keras and node.attributes.get("keras template")) or node.attributes["template"]
        if SEED in names_in(template):
            further[SEED] = self._store.seed()
        return filled(template, {**inputs, **further})

    def _python_call(self, node: Node) -> str:
        arguments = ", ".join(map(self.text, node.inputs))
        types = literal(node.attributes["Tout"])
        function = "tf.py_function" if node.op == "EagerPyFunc" else "tf.numpy_function"
        return f"{function}({self._store.python_function(node)}, [{arguments}], {types})"

    def _input_text(self, value: Value) -> str:
        """As `text`, but handles are what a raw operation takes for variables and tables."""
        if value.node.op == Kind.VARIABLE:
            return self._store.handle(self._texts[value.node])
        if value.node.op == Kind.TABLE:
            return f"{self._texts[value.node]}.resource_handle"
        return self.text(value)

    def _constant(self, node: Node) -> None:
        """Gives a constant an expression: its own if it is short, or a name."""
        value, dtype = node.attributes["value"], node.outputs[0].dtype
        text = self._store.constant(node) or (keras_constant(value, dtype) if self._keras_ops else None)
        text = text or constant_text(value, dtype)
        if len(text) > LONGEST_INLINE or not self._public:
            name = self._names.new(short_name(node))
            self.lines.append(self._line(f"{name} = {text}", [node]))
            self._placed.add(node)
            text = name
        self._texts[node] = text

    def _inner(self, parameters: Sequence[Node], names: Names, given: Mapping[Node, str]) -> tuple[Block, list[str]]:
        """Returns a block for a function inside this one, and the names of its parameters.

        Args:
            parameters: The parameters.
            names: The names that are taken inside.
            given: Further expressions that hold inside.
        """
        own = {parameter: names.new(parameter.name) for parameter in parameters}
        texts = {**self._texts, **given, **own}
        how = self._assigned, self._nested_nodes, self._public
        block = type(self)(self._store, names, texts, *how, keras_ops=self._keras_ops)
        block._placed, block._raw_calls = self._placed, self._raw_calls
        return block, list(own.values())

    def _nested(self, function: Function, name: str, results: str = "[{}]") -> str:
        """Writes a function inside this one. Returns its name."""
        name = self._names.new(name)
        inner, parameters = self._inner(function.parameters, Names(self._names), {})
        inner.finish(function, f"return {results}")
        self.lines += [Line(""), *function_lines(name, shortened(parameters, inner.lines), inner.lines), Line("")]
        return name

    def _loop(self, node: Node) -> str:
        condition, body = node.bodies
        scope = short_name(node)
        names = self._nested(condition, f"{scope}_condition", "{}"), self._nested(body, f"{scope}_body")
        start = ", ".join(map(self.text, node.inputs))
        if self._keras_ops and runs_everywhere(node) and not _shapes_change(node):
            return f"keras.ops.while_loop({names[0]}, {names[1]}, [{start}])"
        text = f"tf.while_loop({names[0]}, {names[1]}, [{start}]"
        kept = [
            _kept(parameter.outputs[0], result) for parameter, result in zip(body.parameters, body.results, strict=True)
        ]
        if any(spec.shape is None or None in spec.shape for spec in kept) or _shapes_change(node):
            text += f", shape_invariants=[{', '.join(map(shape_text, kept))}]"
        parallel = node.attributes.get("parallel_iterations", 10)
        return text + (")" if parallel == 10 else f", parallel_iterations={parallel})")

    def _condition(self, node: Node) -> str:
        then, otherwise = map(self._branch, node.bodies, ("then", "otherwise"))
        module = "keras.ops" if self._keras_ops and runs_everywhere(node) else "tf"
        return f"{module}.cond({self.text(node.inputs[0])}, {then}, {otherwise})"

    def _branch(self, function: Function, name: str) -> str:
        """Returns a lambda for a branch that is one expression; else writes a function, and returns its name."""
        inner, _ = self._inner([], Names(self._names), {})
        inner.finish(function, "return {}" if len(function.results) == 1 else "return [{}]")
        text = inner.lines[0].removeprefix("return ")
        if self._public and len(inner.lines) == 1 and len(text) <= LONGEST_NESTED:
            return f"lambda: {text}"
        name = self._names.new(name)
        self.lines += [Line(""), *function_lines(name, [], inner.lines), Line("")]
        return name

    def _call_with_gradient(self, node: Node) -> str:
        body, backward = node.bodies
        name, names = self._names.new(node.attributes["function"]), Names(self._names)
        inner, parameters = self._inner(body.parameters, names, {})
        results = ", ".join(inner.write(body))
        count = len(parameters)
        given = dict(zip(backward.parameters[:count], parameters, strict=True))
        gradient, upstream = self._inner(backward.parameters[count:], Names(names), given)
        gradient.finish(backward, "return [{}]")
        inner.lines += function_lines("gradient", upstream, gradient.lines)
        inner.lines.append(inner._line(f"return [{results}], gradient", inner._without_line(body.results)))
        self.lines += [Line(""), Line("@tf.custom_gradient"), *function_lines(name, parameters, inner.lines), Line("")]
        return f"{name}({', '.join(map(self.text, node.inputs))})"


def _is_a_size(node: Node, text: str) -> bool:
    """Returns True for a size such as `shape[0]`, which stands wherever it is used."""
    is_of_shape = node.op == "StridedSlice" and node.inputs[0].node.op == "Shape" and not node.after
    return is_of_shape and re.fullmatch(r"\w+\[-?\d+\]", text) is not None


def short_name(node: Node) -> str:
    """Returns the last part of a node's name, without the number that tells it from others.

    For a loop or a condition, it is the scope that the loop or condition is in.
    """
    parts = [re.sub(r"_\d+$", "", part) for part in node.name.split("/")]
    if node.op in (Kind.WHILE, Kind.COND):
        parts = [_FLOW[node.op], *(part for part in parts[:-1] if part and part not in _SCOPES_OF_FLOW)]
    return parts[-1]


def old_names(node: Node) -> list[str]:
    """Returns the name of a node, or those of all nodes in a block."""
    if node.op != Kind.BLOCK:
        return [node.name]
    return [inner.name for inner in all_nodes(node.bodies[0]) if inner.op not in (Kind.BLOCK, Kind.PARAMETER)]


_FLOW = {Kind.WHILE: "loop", Kind.COND: "chosen"}
"""The name of the results of a loop or a condition in no scope."""
_SCOPES_OF_FLOW = ("while", "cond", "while_context")
_ONE = (Kind.PARAMETER, Kind.VARIABLE, Kind.TABLE)


def _kept(given: Spec, result: Value) -> Spec:
    """Returns what holds of a loop variable in every iteration."""
    shape = result.spec.shape
    if given.shape is None or shape is None or len(shape) != len(given.shape):
        return Spec(given.dtype, None)
    sizes = (size if size == other else None for size, other in zip(given.shape, shape, strict=True))
    return Spec(given.dtype, tuple(sizes))


def _shapes_change(node: Node) -> bool:
    start = [value.spec.shape for value in node.inputs]
    return any(spec.shape != shape for spec, shape in zip(node.outputs, start, strict=True))
