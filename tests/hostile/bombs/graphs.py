"""Graphs that ask for much memory or time."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.hostile.bombs.registry import bomb, file_in, proto, sparse_file_in
from tests.hostile.layouts import of_records
from tf2bridge.formats.messages import own


def _node(name: str, op: str = "Identity", inputs: Iterable[str] = ()) -> Any:
    node = own("NodeDef")(name=name, op=op, input=inputs)
    node.attr["T"].type = 1
    return node


def _graph(nodes: Iterable[Any]) -> bytes:
    return bytes(own("GraphDef")(node=nodes).SerializeToString())


@bomb
def empty_nodes(folder: Path) -> tuple[str, Path]:
    return file_in(folder, "a.pb", _graph([_node("a")]) + b"\x0a\x00" * 5_000_000)


@bomb
def the_same_node(folder: Path) -> tuple[str, Path]:
    return file_in(folder, "a.pb", proto(1, b"\x0a\x01a\x12\x01b") * 500_000)


@bomb
def a_long_chain(folder: Path) -> tuple[str, Path]:
    nodes = [_node("n0", "Placeholder"), *(_node(f"n{at}", inputs=[f"n{at - 1}"]) for at in range(1, 100_000))]
    return file_in(folder, "a.pb", _graph(nodes))


@bomb
def a_circle(folder: Path) -> tuple[str, Path]:
    return file_in(folder, "a.pb", _graph([_node("a", inputs=["b"]), _node("b", inputs=["a"])]))


@bomb
def deep_names(folder: Path) -> tuple[str, Path]:
    return file_in(
        folder, "a.pb", _graph([_node("a", "NoOp"), *(_node("a/" * 50_000 + str(at), "NoOp") for at in range(20))])
    )


@bomb
def functions_that_call_two_of_the_next(folder: Path) -> tuple[str, Path]:
    graph = own("GraphDef")(node=[_node("a", "f0")])
    for at in range(200):
        function = graph.library.function.add()
        function.signature.name = f"f{at}"
        function.node_def.extend([_node("one", f"f{at + 1}"), _node("two", f"f{at + 1}")])
    return file_in(folder, "a.pb", graph.SerializeToString())


@bomb
def attributes_within_one_another(folder: Path) -> tuple[str, Path]:
    value = b""
    for _ in range(2000):
        value = proto(10, proto(2, proto(1, b"k") + proto(2, value)))
    node = proto(1, b"a") + proto(2, b"NoOp") + proto(5, proto(1, b"k") + proto(2, value))
    return file_in(folder, "a.pb", proto(1, node))


@bomb
def a_constant_of_many_dimensions(folder: Path) -> tuple[str, Path]:
    node = _node("a", "Const")
    node.attr["dtype"].type = 1
    node.attr["value"].tensor.dtype = 1
    for _ in range(200_000):
        node.attr["value"].tensor.tensor_shape.dim.add(size=1 << 62)
    return file_in(folder, "a.pb", _graph([node]))


@bomb
def a_variable_of_many_dimensions(folder: Path) -> tuple[str, Path]:
    node = _node("a", "VariableV2")
    node.attr["dtype"].type = 1
    for _ in range(200_000):
        node.attr["shape"].shape.dim.add(size=1 << 62)
    return file_in(folder, "a.pb", _graph([node]))


@bomb
def a_deep_text(folder: Path) -> tuple[str, Path]:
    return file_in(folder, "a.pbtxt", b"node { attr { value { func { attr { value {" * 20_000)


@bomb
def many_comments(folder: Path) -> tuple[str, Path]:
    return file_in(folder, "a.pbtxt", b"#\n" * 5_000_000 + b"node {}")


@bomb
def a_sparse_graph(folder: Path) -> tuple[str, Path]:
    return sparse_file_in(folder, "a.pb", b"\x00")


@bomb
def a_text_without_end(folder: Path) -> tuple[str, Path]:
    return file_in(folder, "a.pbtxt", b'node { name: "' + b"a" * 30_000_000)


@bomb
def many_events(folder: Path) -> tuple[str, Path]:
    first = own("Event")(wall_time=1.0, file_version="brain.Event:2").SerializeToString()
    return file_in(folder, "events.out.tfevents.1", of_records.join([first, *[b""] * 200_000]))


@bomb
def an_event_of_a_lying_length(folder: Path) -> tuple[str, Path]:
    first = own("Event")(wall_time=1.0, file_version="brain.Event:2").SerializeToString()
    result = of_records.join([first])
    from tf2bridge.formats.graphs.event_writer import masked_crc

    length = (1 << 62).to_bytes(8, "little")
    return file_in(folder, "events.out.tfevents.1", result + length + masked_crc(length) + b"a")


@bomb
def many_meta_graphs(folder: Path) -> tuple[str, Path]:
    return file_in(folder, "saved_model.pb", b"\x08\x01" + b"\x12\x00" * 3_000_000)


@bomb
def many_signatures(folder: Path) -> tuple[str, Path]:
    meta = own("MetaGraphDef")(graph_def=own("GraphDef")(node=[_node("a", "Placeholder")]))
    meta.meta_info_def.tensorflow_version = "1"
    for at in range(3000):
        meta.signature_def[str(at)].outputs["a"].name = "a:0"
    return file_in(folder, "a.meta", meta.SerializeToString())
