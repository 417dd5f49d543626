"""What the fuzzer found: a function for each, which writes the file and says which reader was brought down by it."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.hostile.bombs.archives import npz_in
from tests.hostile.bombs.bundles import v1_in, whole_slice
from tests.hostile.bombs.registry import Bomb, file_in, proto
from tests.hostile.layouts import of_archive, of_trace
from tests.hostile.sound import TRACE
from tf2bridge.formats.messages import own

FINDS: dict[str, Bomb] = {}


def find(function: Bomb) -> Bomb:
    """Registers a find under the name of its function."""
    FINDS[function.__name__] = function
    return function


@find
def npy_header_that_ends_within_brackets(folder: Path) -> tuple[str, Path]:
    return npz_in(folder, {"a.npy": b"\x93NUMPY\x01\x00" + struct.pack("<H", 20) + b"{'shape': (3,".ljust(20)})


@find
def npy_header_that_ends_within_a_text(folder: Path) -> tuple[str, Path]:
    return npz_in(folder, {"a.npy": b"\x93NUMPY\x01\x00" + struct.pack("<H", 20) + b"'''shape".ljust(20)})


@find
def npy_in_a_trace_that_ends_within_brackets(folder: Path) -> tuple[str, Path]:
    def change(manifest: dict[str, Any], opened: dict[str, bytes]) -> None:
        member = manifest["values"][0]["member"]
        opened[member] = opened[member].replace(b")", b"(")

    return _of_trace(folder, change)


@find
def v1_field_of_an_unknown_kind(folder: Path) -> tuple[str, Path]:
    return v1_in(folder, [("t", [1], [whole_slice(1)])], {"t": b"\x0c\x00"}, kind=7)


@find
def v1_field_that_leads_out_of_its_message(folder: Path) -> tuple[str, Path]:
    return v1_in(folder, [("t", [1], [whole_slice(1)])], {"t": proto(2, proto(3, b"\x2a\x7f" + bytes(4)))}, kind=7)


@find
def v1_more_values_than_its_shape(folder: Path) -> tuple[str, Path]:
    values = proto(2, proto(3, proto(5, bytes(24)) + proto(5, bytes(24))))
    return v1_in(folder, [("t", [0], [whole_slice(1)])], {"t": values})


@find
def json_of_shapes_that_is_too_deep(folder: Path) -> tuple[str, Path]:
    return file_in(folder, "shapes.json", b'{"a": ' + b"[" * 3000, "shapes")


@find
def toml_of_shapes_that_is_too_deep(folder: Path) -> tuple[str, Path]:
    return file_in(folder, "shapes.toml", b"a = " + b"{a=" * 3000, "shapes")


@find
def text_of_a_graph_that_is_too_deep(folder: Path) -> tuple[str, Path]:
    return file_in(folder, "graph.pbtxt", b"node {" * 3000)


@find
def safetensors_whose_type_has_two_lines(folder: Path) -> tuple[str, Path]:
    header = json.dumps({"a": {"dtype": "\x1b[2J\n", "shape": [1], "data_offsets": [0, 4]}}).encode()
    return file_in(folder, "a.safetensors", struct.pack("<Q", len(header)) + header + bytes(4), "checkpoint")


@find
def trace_whose_sizes_are_lists(folder: Path) -> tuple[str, Path]:
    return _of_trace(folder, lambda manifest, _: manifest["members"][0].update(bytes=[1]), sound=False)


@find
def trace_whose_threads_are_lists(folder: Path) -> tuple[str, Path]:
    return _of_trace(folder, lambda manifest, _: manifest["calls"][0].update(via=[]))


@find
def trace_whose_words_are_numbers(folder: Path) -> tuple[str, Path]:
    return _of_trace(folder, lambda manifest, _: manifest.update(argv=[1], notes=[None]))


@find
def notebook_whose_language_has_two_lines(folder: Path) -> tuple[str, Path]:
    book = {"cells": [], "metadata": {"kernelspec": {"language": "a\nb"}}, "nbformat": 4}
    return file_in(folder, "a.ipynb", json.dumps(book).encode(), "notebook")


def _of_trace(
    folder: Path, change: Callable[[dict[str, Any], dict[str, bytes]], None], sound: bool = True
) -> tuple[str, Path]:
    """A trace with its manifest and members changed, and sealed again; with right sizes unless not `sound`."""
    from tests.tf2bridge.proof.traces.damaging import sealed

    content = dict(of_archive.split(TRACE.read_bytes()))
    manifest = json.loads(content["manifest.json"])
    change(manifest, content)
    content["manifest.json"] = sealed(manifest)
    layout = of_trace if sound else of_archive
    return file_in(folder, "a.trace", layout.join(list(content.items())), "trace")


@find
def saved_model_whose_tags_are_orders_to_a_terminal(folder: Path) -> tuple[str, Path]:
    model = own("SavedModel")(saved_model_schema_version=1)
    for tags in ([], ["\n\x1b]0;title\x07"]):
        meta = model.meta_graphs.add()
        meta.meta_info_def.tags.extend(tags)
        meta.graph_def.node.add(name="a", op="NoOp")
    return file_in(folder, "saved_model.pb", model.SerializeToString())
