"""Sound files of every kind that is read, small: what hostile ones are made of."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from google.protobuf import text_format

from tests.hostile.layouts import (
    Layout,
    of_archive,
    of_journal,
    of_json,
    of_records,
    of_safetensors,
    of_table,
    of_trace,
    raw,
)
from tests.tf2bridge.formats.checkpoints.every_form import unpacked_forms
from tests.tf2bridge.formats.checkpoints.keras_files import unpacked_keras
from tests.tf2bridge.proof.traces.damaging import unpacked
from tf2bridge.formats.checkpoints.checksums import extended, masked
from tf2bridge.formats.checkpoints.objects import OBJECT_GRAPH
from tf2bridge.formats.checkpoints.texts import stored_texts
from tf2bridge.formats.messages import own

FIXTURES = Path(__file__).parents[2] / "fixtures"
TRACE = FIXTURES / "mutations/1.12.3/hooked.trace"

PLAN = """\
version = 1
checkpoint = "old/model.ckpt-5"
target = "model:build"
notes = ["a note", "another"]

[[question]]
variable = "dense/bias"
why = "two tensors fit"
candidates = ["b", "c"]

[[move]]
target = "dense/kernel"
from = ["w_0", "w_1"]
steps = [{ kind = "concatenate", axis = 0 }, { kind = "transpose", order = [1, 0] }]
reason = "parts"
certain = false

[drop]
global_step = "not needed"

[keep]
"rate" = "stays"

[variables]
"dense/kernel" = "float32 [3, 4]"
"dense/bias" = "float32 [4]"
rate = "float32 []"

[tensors]
w_0 = "float32 [2, 3]"
w_1 = "float32 [2, 3]"
global_step = "int64 []"

[keys]
"dense/kernel" = "model/dense/kernel/.ATTRIBUTES/VARIABLE_VALUE"
"""


@dataclass(frozen=True)
class Seed:
    """Files that belong together, one of which is to be altered."""

    name: str
    reader: str
    """Which of `readers.READERS` reads it."""
    files: dict[str, bytes]
    opened: str
    """What the reader is given, below the folder of the files."""
    altered: str
    """Which of the files is altered."""
    layout: Layout = raw
    """How that file is made of parts, so that one may change and its checksums be right again."""
    completed: Callable[[bytes], dict[str, bytes]] | None = None
    """Of a part of several files, the files that it belongs to."""

    def written(self, content: bytes, folder: Path) -> Path:
        """Writes the files with other content of the altered one into an empty folder; returns what is to be read."""
        files = {**self.files, self.altered: content} if self.completed is None else self.completed(content)
        for name, file in files.items():
            (folder / name).write_bytes(file)
        return folder / self.opened


def all_seeds(folder: Path) -> list[Seed]:
    """Every seed; `folder` is a place for what is unpacked."""
    return [*_graphs(), *_checkpoints(folder), *_arrays(), *_traces(folder), *_texts()]


def graph_def() -> Any:
    """A graph with a variable, a constant, a function, a loop's frame and a signature's worth of nodes."""
    graph = own("GraphDef")()
    graph.versions.producer = 27
    for name, op, inputs in (
        ("x", "Placeholder", []),
        ("w", "VariableV2", []),
        ("c", "Const", []),
        ("w/read", "Identity", ["w"]),
        ("enter", "Enter", ["w/read"]),
        ("product", "MatMul", ["x", "w/read"]),
        ("sum", "Add", ["product", "c"]),
        ("called", "Doubled", ["sum"]),
        ("out", "Identity", ["called", "^enter"]),
    ):
        node = graph.node.add(name=name, op=op, input=inputs)
        node.attr["T"].type = 1
    for name, sizes in (("x", [-1, 3]), ("w", [3, 2])):
        node = next(node for node in graph.node if node.name == name)
        node.attr["dtype"].type = 1
        for size in sizes:
            node.attr["shape"].shape.dim.add(size=size)
    value = graph.node[2].attr["value"].tensor
    value.dtype = 1
    value.tensor_shape.dim.add(size=2)
    value.tensor_content = np.float32([1, 2]).tobytes()
    graph.node[2].attr["dtype"].type = 1
    graph.node[4].attr["frame_name"].s = b"frame"
    function = graph.library.function.add()
    function.signature.name = "Doubled"
    function.signature.input_arg.add(name="a", type=1)
    function.signature.output_arg.add(name="b", type=1)
    function.node_def.add(name="twice", op="Add", input=["a", "a"]).attr["T"].type = 1
    function.ret["b"] = "twice:z:0"
    return graph


def metagraph() -> Any:
    """A metagraph of it, with a Saver, collections, a signature and an asset."""
    meta = own("MetaGraphDef")(graph_def=graph_def())
    meta.meta_info_def.tensorflow_version = "1.15.5"
    meta.meta_info_def.tags.append("serve")
    meta.saver_def.save_tensor_name = "save/control_dependency:0"
    variable = own("VariableDef")(variable_name="w:0", initializer_name="w/Assign", snapshot_name="w/read:0")
    for name in ("variables", "trainable_variables"):
        meta.collection_def[name].bytes_list.value.append(variable.SerializeToString())
    meta.collection_def["losses"].node_list.value.append("sum:0")
    for name, source in (("x", "x:0"), ("y", "out:0")):
        ends = meta.signature_def["serving_default"].inputs if name == "x" else None
        info = ends[name] if ends is not None else meta.signature_def["serving_default"].outputs[name]
        info.name, info.dtype = source, 1
        info.tensor_shape.dim.add(size=-1)
    asset = meta.asset_file_def.add(filename="words.txt")
    asset.tensor_info.name = "c:0"
    return meta


def _graphs() -> list[Seed]:
    graph, meta = graph_def(), metagraph()
    model = own("SavedModel")(saved_model_schema_version=1, meta_graphs=[meta])
    event = own("Event")(wall_time=1.0, graph_def=graph.SerializeToString())
    first = own("Event")(wall_time=1.0, file_version="brain.Event:2")
    events = of_records.join([first.SerializeToString(), event.SerializeToString()])
    opened = {
        "frozen.pb": (graph.SerializeToString(), raw),
        "frozen.pbtxt": (text_format.MessageToString(graph).encode(), raw),
        "model.meta": (meta.SerializeToString(), raw),
        "model.pbtxt": (text_format.MessageToString(meta).encode(), raw),
        "saved_model.pb": (model.SerializeToString(), raw),
        "events.out.tfevents.1": (events, of_records),
    }
    return [Seed(name, "graph", {name: content}, name, name, layout) for name, (content, layout) in opened.items()]


def _checkpoints(folder: Path) -> list[Seed]:
    forms, keras = unpacked_forms("1.15.5", folder), unpacked_keras(folder)
    seeds = []
    for place, prefix, altered in (
        (forms, "v1", "v1"),
        (forms, "v1_sharded", "v1_sharded-00001-of-00002"),
        (forms, "v2", "v2.index"),
        (forms, "v2_sharded", "v2_sharded.index"),
        (keras, "weights", "weights.index"),
        (keras, "weights", "weights.data-00000-of-00002"),
    ):
        files = {path.name: path.read_bytes() for path in place.glob(f"{prefix}[.-]*")}
        files |= {prefix: (place / prefix).read_bytes()} if (place / prefix).is_file() else {}
        layout = of_table if "data" not in altered else raw
        for reader in ("checkpoint", "arrays"):
            seeds.append(Seed(altered, reader, files, prefix, altered, layout))
    for name in ("weights.h5", "model.h5"):
        for reader in ("checkpoint", "arrays"):
            seeds.append(Seed(name, reader, {name: (keras / name).read_bytes()}, name, name))
    archive = of_archive.join([("metadata.json", b"{}"), ("model.weights.h5", (keras / "weights.h5").read_bytes())])
    seeds.append(Seed("model.keras", "checkpoint", {"model.keras": archive}, "model.keras", "model.keras", of_archive))
    seeds += [_of_objects(reader) for reader in ("checkpoint", "arrays")]
    state = b'model_checkpoint_path: "v2"\nall_model_checkpoint_paths: "v1"\nall_model_checkpoint_paths: "v2"\n'
    files = {path.name: path.read_bytes() for path in forms.glob("v2.*")} | {"checkpoint": state}
    seeds.append(Seed("checkpoint", "checkpoint", files, "checkpoint", "checkpoint"))
    return seeds


def _of_objects(reader: str) -> Seed:
    """A checkpoint whose graph of objects is altered: the rest of its files is made to fit."""
    graph = own("TrackableObjectGraph")()
    for number, name in enumerate(("model", "layer", "optimizer", "m", "save_counter")):
        node = graph.nodes.add()
        node.children.add(node_id=(number + 1) % 5, local_name=name)
        node.attributes.add(name="VARIABLE_VALUE", full_name=f"{name}/kernel", checkpoint_key=f"key{number}")
    graph.nodes[2].slot_variables.add(original_variable_node_id=1, slot_name="m", slot_variable_node_id=3)
    return Seed("objects", reader, {"graph": graph.SerializeToString()}, "objects", "graph", raw, with_objects)


def with_objects(graph: bytes) -> dict[str, bytes]:
    """The files of an object-based checkpoint with this graph of objects, and a value for each of its keys."""
    stored, crc = stored_texts([graph])
    value = np.float32([1.0]).tobytes()
    entries = {OBJECT_GRAPH.encode(): own("BundleEntryProto")(dtype=7, size=len(stored), crc32c=masked(crc))}
    for number in range(5):
        entry = own("BundleEntryProto")(dtype=1, size=4, crc32c=masked(extended(0, value)))
        entry.offset = len(stored) + 4 * number
        entry.shape.dim.add(size=1)
        entries[b"key%d" % number] = entry
    header = own("BundleHeaderProto")(num_shards=1)
    header.version.producer = 1
    opened = {b"": header.SerializeToString(), **{key: entry.SerializeToString() for key, entry in entries.items()}}
    index = of_table.join([(key.decode(), content) for key, content in opened.items()])
    return {"objects.index": index, "objects.data-00000-of-00001": stored + 5 * value}


def _arrays() -> list[Seed]:
    values = {
        "kernel": np.arange(12, dtype=np.float32).reshape(3, 4),
        "step": np.int64(7),
        "texts": np.array([b"one", b"three"]),
        "fortran": np.asfortranarray(np.arange(6, dtype=">i4").reshape(2, 3)),
    }
    seeds = []
    for name, save in (("plain.npz", np.savez), ("packed.npz", np.savez_compressed)):
        result = io.BytesIO()
        partial(save, result)(**values)
        for reader in ("checkpoint", "arrays"):
            seeds.append(Seed(name, reader, {name: result.getvalue()}, name, name, of_archive))
    from safetensors.numpy import save

    content = save({name: np.ascontiguousarray(values[name]) for name in ("kernel",)} | {"step": np.int64([7])})
    name = "values.safetensors"
    seeds += [Seed(name, reader, {name: content}, name, name, of_safetensors) for reader in ("checkpoint", "arrays")]
    result = io.BytesIO()
    np.save(result, values["kernel"])
    seeds.append(Seed("kernel.npy", "arrays", {"kernel.npy": result.getvalue()}, ".", "kernel.npy"))
    return seeds


def _traces(folder: Path) -> list[Seed]:
    left = folder / "trace-folder"
    if not left.exists():
        unpacked(TRACE, left)
    files = {path.name: path.read_bytes() for path in left.iterdir()}
    return [
        Seed(
            "program.trace", "trace", {"program.trace": TRACE.read_bytes()}, "program.trace", "program.trace", of_trace
        ),
        Seed("members.bin", "trace", files, ".", "members.bin"),
        Seed("journal.jsonl", "trace", files, ".", "journal.jsonl", of_journal),
    ]


def _texts() -> list[Seed]:
    cells = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": 1,
         "source": ["import tensorflow as tf\n", "%matplotlib inline\n", "tf.log(1.)"]},
        {"cell_type": "markdown", "metadata": {}, "source": "# text"},
        {"cell_type": "code", "metadata": {}, "source": "!ls\nprint 1\n", "outputs": [], "execution_count": None},
    ]  # fmt: skip
    book = {"cells": cells, "metadata": {"kernelspec": {"language": "python"}}, "nbformat": 4, "nbformat_minor": 2}
    shapes = {"dense/kernel": [3, 4], "dense/bias": {"shape": [4], "dtype": "float32"}}
    opened: dict[str, tuple[str, bytes, Layout]] = {
        "plan.toml": ("plan", PLAN.encode(), raw),
        "shapes.json": ("shapes", json.dumps(shapes).encode(), of_json),
        "shapes.toml": ("shapes", b'"dense/kernel" = [3, 4]\nstep = []\n', raw),
        "book.ipynb": ("notebook", json.dumps(book, indent=1).encode(), of_json),
    }
    return [Seed(name, kind, {name: content}, name, name, layout) for name, (kind, content, layout) in opened.items()]
