"""Where a hostile graph hides what it should not do: each place of a graph from which something may run.

Every graph has the input "x", the output "safe", which needs nothing hostile, and "y", which mostly does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from tests.hostile.graph_effects import Effect
from tests.hostile.graph_nodes import FLOAT, INT32, OF_FLOATS, SCALAR, STRING, Number, const, node
from tf2bridge.formats.graphs.nodes import by_name
from tf2bridge.graph.passes.function_gradients import GRADIENT
from tf2bridge.graph.passes.function_library import Library
from tf2bridge.graph.passes.strip import GRADIENT_FUNCTION

v1 = tf.compat.v1


@dataclass
class Hidden:
    """A metagraph while it is made; `effect` gives the hostile nodes, that do something at `path`."""

    effect: Effect
    path: bytes
    meta: Any = field(default_factory=v1.MetaGraphDef)

    def __post_init__(self) -> None:
        self.graph.versions.producer = tf.version.GRAPH_DEF_VERSION
        self.add(node("x", "Placeholder", dtype=FLOAT, shape=SCALAR))
        self.variable("w", [const("w/initial_value", 2.0)])
        self.add(node("safe", "AddV2", ("x", "w/read"), T=FLOAT))

    @property
    def graph(self) -> Any:
        """The GraphDef."""
        return self.meta.graph_def

    def add(self, *nodes: Any) -> None:
        """Adds nodes to the main graph."""
        self.graph.node.extend(nodes)

    def variable(self, name: str, initial: list[Any]) -> None:
        """Adds a variable, which is initialized with what the last of the nodes gives."""
        self.add(node(name, "VariableV2", dtype=FLOAT, shape=SCALAR), *initial)
        self.add(node(f"{name}/Assign", "Assign", (name, initial[-1].name), T=FLOAT))
        self.add(node(f"{name}/read", "Identity", (name,), T=FLOAT))

    def bad(self, name: str = "bad") -> list[Any]:
        """The hostile nodes; the last of them, of this name, is a float."""
        made = self.effect.nodes(name, self.path)
        return [*made[:-1], _named(made[-1], name)]

    def output(self, *sources: str) -> None:
        """Adds the output, of these."""
        self.add(node("y", "AddN", ("x", *sources), T=FLOAT, N=Number(1 + len(sources))))

    def function(self, name: str, nodes: list[Any], arguments: int = 0, results: tuple[str, ...] = ("bad:0",)) -> Any:
        """Adds a function of floats to the library, whose nodes read "argument_0" and so on; returns it."""
        library = Library({item.signature.name: item for item in self.graph.library.function})
        names = {f"argument_{place}:0": f"argument_{place}" for place in range(arguments)}
        made = library.add(name, by_name(nodes), names, dict.fromkeys(names.values(), FLOAT), results)
        library.functions[made].signature.name = name
        self.graph.library.function.append(library.functions[made])
        return self.graph.library.function[-1]

    def bad_function(self, name: str = "Bad") -> Any:
        """Adds a function without arguments that does it."""
        return self.function(name, self.bad())


def _named(last: Any, name: str) -> Any:
    last.name = name
    return last


def named(name: str, **attributes: Any) -> Any:
    """A function as the value of an attribute, given other functions."""
    result = v1.NameAttrList(name=name)
    for key, value in attributes.items():
        result.attr[key].func.CopyFrom(value)
    return result


def main(hidden: Hidden) -> None:
    hidden.add(*hidden.bad())
    hidden.output("bad")


def control(hidden: Hidden) -> None:
    hidden.add(*hidden.bad())
    hidden.output("x", "^bad")
    hidden.graph.node[-1].attr["N"].i = 2


def shape(hidden: Hidden) -> None:
    """TensorFlow computes the sizes of a shape while it imports a graph."""
    hidden.add(*hidden.bad(), node("size", "Cast", ("bad",), SrcT=FLOAT, DstT=INT32))
    hidden.add(const("axis", 0), node("sizes", "ExpandDims", ("size", "axis"), T=INT32, Tdim=INT32))
    hidden.add(node("y", "Fill", ("sizes", "x"), T=FLOAT, index_type=INT32))


def frames(hidden: Hidden) -> None:
    hidden.add(*hidden.bad(), node("in", "Enter", ("bad",), T=FLOAT, frame_name=b"loop"))
    hidden.add(node("out", "Exit", ("in",), T=FLOAT))
    hidden.output("out")


def switch(hidden: Hidden) -> None:
    hidden.add(*hidden.bad(), const("yes", True), node("choice", "Switch", ("bad", "yes"), T=FLOAT))
    hidden.add(node("merged", "Merge", ("choice", "choice:1"), T=FLOAT, N=Number(2)))
    hidden.output("merged")


def called(hidden: Hidden) -> None:
    hidden.bad_function()
    hidden.add(node("call", "Bad"))
    hidden.output("call")


def partitioned(hidden: Hidden) -> None:
    hidden.bad_function()
    hidden.add(node("call", "StatefulPartitionedCall", f=named("Bad"), Tin=[], Tout=[FLOAT]))
    hidden.output("call")


def branch(hidden: Hidden) -> None:
    hidden.bad_function()
    hidden.add(const("yes", True))
    hidden.add(
        node("if", "If", ("yes",), Tcond=tf.bool.as_datatype_enum, Tin=[], Tout=[FLOAT], then_branch=named("Bad"),
             else_branch=named("Bad"))
    )  # fmt: skip
    hidden.output("if")


def case(hidden: Hidden) -> None:
    hidden.bad_function()
    hidden.add(const("first", 0))
    hidden.add(node("case", "Case", ("first",), Tin=[], Tout=[FLOAT], branches=[named("Bad"), named("Bad")]))
    hidden.output("case")


def body(hidden: Hidden) -> None:
    below = [const("one", 1.0), node("less", "Less", ("argument_0", "one"), T=FLOAT)]
    hidden.function("Below", below, 1, ("less:0",))
    hidden.function("Body", [*hidden.bad(), node("sum", "AddV2", ("argument_0", "bad"), T=FLOAT)], 1, ("sum:0",))
    hidden.add(const("zero", 0.0))
    hidden.add(node("loop", "While", ("zero",), T=[FLOAT], cond=named("Below"), body=named("Body")))
    hidden.output("loop")


def given(hidden: Hidden) -> None:
    """A function that calls the one it is given."""
    hidden.bad_function()
    outer = _calling_what_it_is_given(hidden)
    outer.signature.attr.add(name="g", type="func")
    hidden.add(node("call", "StatefulPartitionedCall", f=named("Outer", g=named("Bad")), Tin=[], Tout=[FLOAT]))
    hidden.output("call")


def default(hidden: Hidden) -> None:
    """A function that calls the one that it says itself, as nobody gives it another."""
    hidden.bad_function()
    outer = _calling_what_it_is_given(hidden)
    attr = outer.signature.attr.add(name="g", type="func")
    attr.default_value.func.name = "Bad"
    hidden.add(node("call", "Outer"))
    hidden.output("call")


def _calling_what_it_is_given(hidden: Hidden) -> Any:
    made = node("bad", "StatefulPartitionedCall", Tin=[], Tout=[FLOAT])
    outer = hidden.function("Outer", [made])
    outer.node_def[0].attr["f"].placeholder = "g"
    return outer


def gradient(hidden: Hidden) -> None:
    """The gradient that the library says a function has."""
    hidden.function("Good", [node("same", "Identity", ("argument_0",), T=FLOAT)], 1, ("same:0",))
    _gradient_of(hidden, "Good")
    hidden.add(node("slope", "SymbolicGradient", ("x", "x"), f=named("Good"), Tin=[FLOAT, FLOAT], Tout=[FLOAT]))
    hidden.output("slope")


def gradient_of_operation(hidden: Hidden) -> None:
    """The gradient that the library says an operation has."""
    _gradient_of(hidden, "Sin")
    sine = v1.NameAttrList(name="Sin")
    sine.attr["T"].type = FLOAT
    hidden.add(node("slope", "SymbolicGradient", ("x", "x"), f=sine, Tin=[FLOAT, FLOAT], Tout=[FLOAT]))
    hidden.output("slope")


def _gradient_of(hidden: Hidden, name: str) -> None:
    hidden.function("Back", [*hidden.bad(), node("both", "Mul", ("argument_1", "bad"), T=FLOAT)], 2, ("both:0",))
    hidden.graph.library.gradient.add(function_name=name, gradient_func="Back")


def differentiated(hidden: Hidden) -> None:
    """A function whose gradient is asked for."""
    product = [*hidden.bad(), node("both", "Mul", ("argument_0", "bad"), T=FLOAT)]
    hidden.function("Bad", product, 1, ("both:0",))
    hidden.add(node("slope", "SymbolicGradient", ("x", "x"), f=named("Bad"), Tin=[FLOAT, FLOAT], Tout=[FLOAT]))
    hidden.output("slope")


def forged(hidden: Hidden) -> None:
    """The marks that the bridge itself gives calls of functions whose gradients are their own."""
    hidden.bad_function()
    hidden.function("Good", [node("same", "Identity", ("argument_0",), T=FLOAT)], 1, ("same:0",))
    marks = {"_gradient_op_type": GRADIENT.encode(), GRADIENT_FUNCTION: b"Bad"}
    hidden.add(node("call", "PartitionedCall", ("x",), f=named("Good"), Tin=[FLOAT], Tout=[FLOAT], **marks))
    hidden.output("call")


def swapped(hidden: Hidden) -> None:
    """A function that TensorFlow's optimizer may put in the place of another one."""
    hidden.function("Plain", [const("bad", 1.0)])
    hidden.bad_function()
    for function, device in zip(hidden.graph.library.function, (b"GPU", b"CPU"), strict=True):
        function.attr["api_implements"].s = b"the same"
        function.attr["api_preferred_device"].s = device
    hidden.add(node("call", "StatefulPartitionedCall", f=named("Plain"), Tin=[], Tout=[FLOAT]))
    hidden.output("call")


def twice(hidden: Hidden) -> None:
    """A function that is defined twice."""
    hidden.bad_function("Plain")
    hidden.function("Plain", [const("bad", 1.0)])
    hidden.add(node("call", "Plain"))
    hidden.output("call")


def shadow(hidden: Hidden) -> None:
    """A function of the name of an operation."""
    hidden.function("Neg", [*hidden.bad(), node("both", "Mul", ("argument_0", "bad"), T=FLOAT)], 1, ("both:0",))
    hidden.add(node("call", "Neg", ("x",), T=FLOAT))
    hidden.output("call")


def initializer(hidden: Hidden) -> None:
    hidden.variable("v", hidden.bad())
    hidden.output("v/read")


def saver(hidden: Hidden) -> None:
    """A variable that a Saver computes from what it restores, and stores as what it computes of it."""
    _computed_by_a_saver(hidden, "save/Const", hidden.bad())


def saver_name(hidden: Hidden) -> None:
    """The name of a Saver's file."""
    hidden.add(*hidden.bad(), node("name", "AsString", ("bad",), T=FLOAT))
    _computed_by_a_saver(hidden, "name", [const("bad_too", 1.0)])


def _computed_by_a_saver(hidden: Hidden, prefix: str, factor: list[Any]) -> None:
    hidden.variable("v", [const("v/initial_value", 1.0)])
    hidden.add(const("save/Const", b"model"), const("save/names", [b"stored"]), const("save/slices", [b""]), *factor)
    names = (prefix, "save/names", "save/slices")
    hidden.add(node("save/restore", "RestoreV2", names, dtypes=[FLOAT]))
    hidden.add(node("save/made", "Mul", ("save/restore", factor[-1].name), T=FLOAT))
    hidden.add(node("save/Assign", "Assign", ("v", "save/made"), T=FLOAT))
    hidden.add(node("save/kept", "Mul", ("v/read", factor[-1].name), T=FLOAT))
    hidden.add(node("save/save", "SaveV2", (*names, "save/kept"), dtypes=[FLOAT]))
    hidden.add(node("save/all", "NoOp", ("^save/Assign",)))
    hidden.meta.saver_def.filename_tensor_name = f"{prefix}:0"
    hidden.meta.saver_def.restore_op_name = "save/all"
    hidden.meta.saver_def.save_tensor_name = "save/save:0"
    hidden.meta.collection_def["savers"].bytes_list.value.append(hidden.meta.saver_def.SerializeToString())
    hidden.output("v/read")


def table_keys(hidden: Hidden) -> None:
    hidden.add(*hidden.bad(), node("key", "AsString", ("bad",), T=FLOAT), const("place", 0))
    hidden.add(node("keys", "ExpandDims", ("key", "place"), T=STRING, Tdim=INT32), const("values", [1.0]))
    _table(hidden, node("fill", "InitializeTableV2", ("table", "keys", "values"), Tkey=STRING, Tval=FLOAT))


def table_file(hidden: Hidden) -> None:
    hidden.add(*hidden.bad(), node("name", "AsString", ("bad",), T=FLOAT))
    lines = {"key_index": Number(-2), "value_index": Number(-1)}
    _table(hidden, node("fill", "InitializeTableFromTextFileV2", ("table", "name"), **lines))


def _table(hidden: Hidden, fill: Any) -> None:
    hidden.add(node("table", "HashTableV2", key_dtype=STRING, value_dtype=FLOAT), fill)
    hidden.add(const("wanted", b"a"), const("else", 0.0))
    hidden.add(node("found", "LookupTableFindV2", ("table", "wanted", "else"), Tin=STRING, Tout=FLOAT))
    hidden.meta.collection_def["table_initializer"].node_list.value.append("fill")
    hidden.output("found")


def collections(hidden: Hidden) -> None:
    """What a program of TensorFlow 1.x runs because a collection names it."""
    hidden.add(*hidden.bad(), node("init", "NoOp", ("^bad",)))
    for name in ("legacy_init_op", "saved_model_main_op", "init_op", "local_init_op", "table_initializer", "ready_op"):
        hidden.meta.collection_def[name].node_list.value.append("init")
    hidden.output("safe")


def data_set(hidden: Hidden) -> None:
    """A function that makes a data set, the function of which does it."""
    hidden.function("Each", [*hidden.bad(), node("sum", "AddV2", ("argument_0", "bad"), T=FLOAT)], 1, ("sum:0",))
    one = [const("one", 1.0), node("ones", "TensorDataset", ("one",), Toutput_types=[FLOAT], output_shapes=[SCALAR])]
    mapped = node("mapped", "MapDataset", ("ones",), f=named("Each"), Targuments=[], **OF_FLOATS)
    hidden.function("Make", [*one, mapped], 0, ("mapped:0",))
    hidden.add(node("iterator", "OneShotIterator", dataset_factory=named("Make"), **OF_FLOATS))
    hidden.add(node("next", "IteratorGetNext", ("iterator",), **OF_FLOATS))
    hidden.add(*one, node("every", "MapDataset", ("ones",), f=named("Each"), Targuments=[], **OF_FLOATS))
    hidden.add(node("first", "DatasetToSingleElement", ("every",), **OF_FLOATS))
    hidden.output("first")


PLACES: tuple[Callable[[Hidden], None], ...] = (
    main, control, shape, frames, switch, called, partitioned, branch, case, body, given, default, gradient,
    gradient_of_operation, differentiated, forged, swapped, twice, shadow, initializer, saver, saver_name, table_keys,
    table_file, collections, data_set,
)  # fmt: skip
"""Everywhere."""


def write(place: Callable[[Hidden], None], effect: Effect, target: bytes, folder: Path) -> Path:
    """Writes the graph into a folder, with a checkpoint of what its Saver stores; returns its .meta."""
    hidden = Hidden(effect, target)
    place(hidden)
    stored = {"w": np.float32(2), "stored": np.float32(3)}
    tf.raw_ops.SaveV2(
        prefix=str(folder / "model"),
        tensor_names=list(stored),
        shape_and_slices=[""] * len(stored),
        tensors=list(stored.values()),
    )
    path = folder / "model.meta"
    path.write_bytes(hidden.meta.SerializeToString())
    return path
