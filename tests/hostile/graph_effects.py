"""What a hostile graph may try: operations by what they do, each with a way to tell that it was done.

A file that is read is a FIFO: who opens it waits for a writer, and the watcher sees that. A file that is written is not
there before. Python is a function of this process that notes its call.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tensorflow as tf
from tensorflow.python.ops import script_ops

from tests.hostile.graph_nodes import (
    FLOAT,
    INT64,
    OF_FLOATS,
    OF_TEXTS,
    SCALAR,
    STRING,
    VARIANT,
    Nodes,
    Number,
    node,
)

v1 = tf.compat.v1


@dataclass(frozen=True)
class Effect:
    """Something that a graph may not do: nodes of this name that do it at `path`, the last of them a float, [].

    Its operation is `op`.
    """

    name: str
    op: str
    nodes: Callable[[str, bytes], list[Any]]
    reads: bool = False


def _reading(name: str, path: bytes) -> list[Any]:
    return Nodes(name).const("path", path).node("read", "ReadFile", "path").of_text()


def _writing(name: str, path: bytes) -> list[Any]:
    return Nodes(name).const("path", path).const("text", b"x").node("write", "WriteFile", "path", "text").waiting()


def _mapped(name: str, path: bytes) -> list[Any]:
    return [node(name, "ImmutableConst", dtype=FLOAT, shape=SCALAR, memory_region_name=path)]


def _vocabulary(name: str, path: bytes) -> list[Any]:
    sizes = {"new_vocab_offset": Number(0), "num_new_vocab": Number(1)}
    return Nodes(name).const("path", path).node("remap", "GenerateVocabRemapping", "path", "path", **sizes).waiting()


def _sampled(name: str, path: bytes) -> list[Any]:
    numbers = {"num_true": Number(1), "num_sampled": Number(1), "range_max": Number(2)}
    made = Nodes(name).const("true", [[0]], tf.int64)
    return made.node(
        "drawn", "FixedUnigramCandidateSampler", "true", unique=False, vocab_file=path, **numbers
    ).waiting()


def _data(name: str, value: Any, dtype: int) -> Nodes:
    """A data set of one element."""
    made = Nodes(name).const("element", value)
    return made.node("data", "TensorDataset", "element", Toutput_types=[dtype], output_shapes=[SCALAR])


def _records(name: str, path: bytes) -> list[Any]:
    made = _data(name, b"x", STRING).const("path", path).const("none", b"")
    return made.node("write", "DatasetToTFRecord", "data", "path", "none").waiting()


def _lines(name: str, path: bytes) -> list[Any]:
    made = Nodes(name).const("path", path).const("none", b"").const("size", 1024, tf.int64)
    made.node("data", "TextLineDataset", "path", "none", "size")
    return made.node("line", "DatasetToSingleElement", "data", **OF_TEXTS).of_text()


def _cached(name: str, path: bytes) -> list[Any]:
    made = _data(name, 1.0, FLOAT).const("path", path).node("kept", "CacheDataset", "data", "path", **OF_FLOATS)
    return made.node("first", "DatasetToSingleElement", "kept", **OF_FLOATS).passed_on()


def _debugged(name: str, path: bytes) -> list[Any]:
    seen = {"T": FLOAT, "tensor_name": b"t:0", "debug_urls": [b"file://" + path]}
    return Nodes(name).const("one", 1.0).node("seen", "DebugIdentity", "one", **seen).passed_on()


def _debug_count(name: str, path: bytes) -> list[Any]:
    seen = {"T": FLOAT, "tensor_name": b"t:0", "debug_urls": [b"file://" + path]}
    return Nodes(name).const("one", 1.0).node("seen", "DebugNanCount", "one", **seen).waiting()


def _dumped(name: str, path: bytes) -> list[Any]:
    names = {"tensor_name": b"t", "file_name": b"f", "node_name": b"n", "func_name": b"g"}
    made = Nodes(name).const("one", 1.0)
    made.node("dump", "DumpTensor", "one", T=FLOAT, log_dir_path=path, enabled=True, arg_size=Number(1), **names)
    return made.waiting()


def _printed(name: str, path: bytes) -> list[Any]:
    made = Nodes(name).const("text", b"x")
    return made.node("print", "PrintV2", "text", output_stream=b"file://" + path).waiting()


def _saved(name: str, path: bytes) -> list[Any]:
    made = Nodes(name).const("path", path).const("names", [b"v"]).const("slices", [b""]).const("one", 1.0)
    return made.node("save", "SaveV2", "path", "names", "slices", "one", dtypes=[FLOAT]).waiting()


def _summaries(name: str, path: bytes) -> list[Any]:
    made = Nodes(name).const("path", path).const("number", 1)
    made.node("writer", "SummaryWriter", shared_name=name.encode())
    return made.node("made", "CreateSummaryFileWriter", "writer", "path", "number", "number", "path").waiting()


def _calibration(name: str, path: bytes) -> list[Any]:
    kept = {"ids": [b"a"], "calibration_methods": v1.AttrValue(list=v1.AttrValue.ListValue(i=[1]))}
    made = Nodes(name).const("one", [1.0]).const("count", [1], tf.int64)
    inputs = ("one", "one", "count")
    made.node("saver", "CalibrationStatisticsSaver", *inputs, Tin=[FLOAT, FLOAT, INT64], output_file_path=path, **kept)
    return made.waiting()


def _hidden(name: str, path: bytes) -> list[Any]:
    """A data set of a graph that is the text of a constant."""
    inner = v1.GraphDef()
    inner.versions.producer = tf.version.GRAPH_DEF_VERSION
    read = Nodes("inner").const("path", path).node("read", "ReadFile", "path")
    read.node("data", "TensorDataset", "read", Toutput_types=[STRING], output_shapes=[SCALAR])
    inner.node.extend(read.node("result", "_Retval", "data", T=VARIANT, index=Number(0)).made)
    made = Nodes(name).const("graph", inner.SerializeToString()).node("data", "DatasetFromGraph", "graph")
    return made.node("line", "DatasetToSingleElement", "data", **OF_TEXTS).of_text()


def _ending(name: str, _path: bytes) -> list[Any]:
    return Nodes(name).node("end", "Abort", exit_without_error=True).waiting()


def _python(op: str) -> Callable[[str, bytes], list[Any]]:
    def made(name: str, _path: bytes) -> list[Any]:
        return [node(name, op, token=_token(), Tin=[], Tout=[FLOAT])]

    return made


def _host(name: str, _path: bytes) -> list[Any]:
    """A call of a function of the process, which the graph's library does not have."""
    function = v1.NameAttrList(name=_host_function().name)
    return [node(name, "StatefulPartitionedCall", f=function, Tin=[], Tout=[FLOAT])]


CALLS: list[str] = []
"""A note for each call of this process' Python."""
_KEPT: dict[str, Any] = {}


def _note() -> Any:
    CALLS.append("Python was called")
    return tf.constant(1.0).numpy()


def _token() -> bytes:
    if "token" not in _KEPT:
        _KEPT["token"] = script_ops._py_funcs.insert(_note).encode()
    return bytes(_KEPT["token"])


def _host_function() -> Any:
    if "host" not in _KEPT:
        called = tf.function(lambda: tf.ensure_shape(tf.numpy_function(_note, [], tf.float32), []))
        _KEPT["host"] = called.get_concrete_function()
    return _KEPT["host"]


EFFECTS = (
    Effect("read", "ReadFile", _reading, reads=True),
    Effect("written", "WriteFile", _writing),
    Effect("mapped", "ImmutableConst", _mapped, reads=True),
    Effect("vocabulary", "GenerateVocabRemapping", _vocabulary, reads=True),
    Effect("sampled", "FixedUnigramCandidateSampler", _sampled, reads=True),
    Effect("lines", "TextLineDataset", _lines, reads=True),
    Effect("hidden", "DatasetFromGraph", _hidden, reads=True),
    Effect("records", "DatasetToTFRecord", _records),
    Effect("cached", "CacheDataset", _cached),
    Effect("debugged", "DebugIdentity", _debugged),
    Effect("debug_count", "DebugNanCount", _debug_count),
    Effect("dumped", "DumpTensor", _dumped),
    Effect("printed", "PrintV2", _printed),
    Effect("saved", "SaveV2", _saved),
    Effect("summaries", "CreateSummaryFileWriter", _summaries),
    Effect("calibration", "CalibrationStatisticsSaver", _calibration),
    Effect("python", "PyFunc", _python("PyFunc")),
    Effect("python_stateless", "PyFuncStateless", _python("PyFuncStateless")),
    Effect("python_eager", "EagerPyFunc", _python("EagerPyFunc")),
    Effect("host", "StatefulPartitionedCall", _host),
    Effect("ended", "Abort", _ending),
)


@contextmanager
def watched(effect: Effect, path: Path) -> Iterator[Callable[[], bool]]:
    """Gives what tells whether the effect was had at `path`; lets go on who waits there."""
    seen = threading.Event()
    ended = threading.Event()
    before = len(CALLS)
    if effect.reads:
        os.mkfifo(path)
    watcher = threading.Thread(target=_watch, args=(path, seen, ended), daemon=True)
    if effect.reads:
        watcher.start()
    try:
        yield lambda: seen.is_set() or len(CALLS) > before or (not effect.reads and bool(list(path.parent.iterdir())))
    finally:
        ended.set()
        if effect.reads:
            watcher.join()


def _watch(path: Path, seen: threading.Event, ended: threading.Event) -> None:
    while not ended.is_set():
        with suppress(OSError):  # nobody has it open to read
            writer = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
            seen.set()
            with suppress(OSError):
                os.write(writer, b"7\n")
            os.close(writer)
        time.sleep(0.002)
