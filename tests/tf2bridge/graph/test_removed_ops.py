"""Graphs of the first formats: each operation that was removed since gives what genuine TensorFlow 1.4.1 gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tests import forked, oracles
from tf2bridge.graph.passes.removed_ops import REMOVED, UNKNOWN

MATRIX = [[[4.0, 1.0], [1.0, 3.0]], [[2.0, 0.5], [0.5, 1.0]]]
RIGHT = [[[1.0], [2.0]], [[3.0], [4.0]]]
CUBE = np.arange(1, 9, dtype=float).reshape(1, 2, 2, 2, 1).tolist()
KERNEL = [[[[[0.5]]]]]

CASES: dict[str, tuple[list[Any], dict[str, Any], list[str]]] = {
    "BatchCholesky": ([MATRIX], {}, []),
    "BatchCholeskyGrad": ([[[[2.0, 0.0], [0.5, 1.5]]], [[[1.0, 0.0], [1.0, 1.0]]]], {}, []),
    "BatchMatrixBandPart": ([MATRIX, 0, 1], {}, ["DT_FLOAT", "DT_INT64", "DT_INT64"]),
    "BatchMatrixDeterminant": ([MATRIX], {}, []),
    "BatchMatrixDiag": ([[[1.0, 2.0], [3.0, 4.0]]], {}, []),
    "BatchMatrixDiagPart": ([MATRIX], {}, []),
    "BatchMatrixInverse": ([MATRIX], {"adjoint": True}, []),
    "BatchMatrixSetDiag": ([MATRIX, [[7.0, 8.0], [9.0, 6.0]]], {}, []),
    "BatchMatrixSolve": ([MATRIX, RIGHT], {"adjoint": False}, []),
    "BatchMatrixSolveLs": ([MATRIX, RIGHT, 0.5], {"fast": True}, ["DT_FLOAT", "DT_FLOAT", "DT_DOUBLE"]),
    "BatchMatrixTriangularSolve": ([MATRIX, RIGHT], {"lower": True, "adjoint": True}, []),
    "BatchNormWithGlobalNormalization": (
        [np.arange(8.0).reshape(1, 2, 2, 2).tolist(), [0.1, 0.2], [1.0, 2.0], [0.0, 1.0], [1.5, 0.5]],
        {"variance_epsilon": 0.01, "scale_after_normalization": True},
        [],
    ),
    "BatchNormWithGlobalNormalizationGrad": (
        [
            np.arange(8.0).reshape(1, 2, 2, 2).tolist(),
            *([0.1, 0.2], [1.0, 2.0], [1.5, 0.5]),
            np.linspace(-1, 2, 8).reshape(1, 2, 2, 2).tolist(),
        ],
        {"variance_epsilon": 0.01, "scale_after_normalization": True},
        [],
    ),
    "BatchSelfAdjointEig": ([MATRIX], {}, []),
    "BatchSelfAdjointEigV2": ([MATRIX], {"compute_v": True}, []),
    "BatchSvd": ([MATRIX], {"compute_uv": True, "full_matrices": False}, []),
    "CompareAndBitpack": ([[[0.5, -1.0, 2.0, 3.0, 0.0, 1.0, 1.5, -2.0] * 2, [1.0] * 16], 0.75], {}, []),
    "Conv3DBackpropFilter": ([CUBE, KERNEL, CUBE], {"strides": [1, 1, 1, 1, 1], "padding": "SAME"}, []),
    "Conv3DBackpropInput": ([CUBE, KERNEL, CUBE], {"strides": [1, 1, 1, 1, 1], "padding": "SAME"}, []),
    "GatherTree": (
        [
            np.arange(12).reshape(3, 2, 2).tolist(),
            [[[0, 0], [0, 0]], [[1, 0], [0, 1]], [[1, 1], [0, 1]]],
            [[3, 2], [1, 3]],
        ],
        {},
        ["DT_INT32"] * 3,
    ),
    "QuantizeAndDequantize": (
        [[0.1, -0.7, 0.33]],
        {"signed_input": True, "num_bits": 4, "range_given": True, "input_min": -1.0, "input_max": 1.0},
        [],
    ),
    "SelfAdjointEig": ([MATRIX[0]], {}, []),
    "TileGrad": ([[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]], [1, 2]], {}, ["DT_FLOAT", "DT_INT32"]),
    "TopK": ([[[3.0, 1.0, 2.0], [0.0, 5.0, 4.0]]], {"k": 2, "sorted": True}, []),
}
"""Operation -> (inputs, attributes, their types where not all are float32)."""

WITHOUT_KERNEL = {"BatchFFT", "BatchFFT2D", "BatchFFT3D", "BatchIFFT", "BatchIFFT2D", "BatchIFFT3D"}
"""Genuine releases that have these operations have no kernel of them."""

GRAPHS = """
import json, os
import numpy as np
import tensorflow as tf
from tensorflow.core.framework import graph_pb2, types_pb2
from tensorflow.python.framework import tensor_util
OUTPUTS = {"BatchNormWithGlobalNormalizationGrad": 5, "BatchSelfAdjointEigV2": 2, "BatchSvd": 3, "TopK": 2}
def written(op, inputs, attributes, types):
    graph = graph_pb2.GraphDef()
    graph.versions.producer = 1
    node = graph.node.add(name="y", op=op)
    for number, value in enumerate(inputs):
        kind = getattr(types_pb2, types[number]) if types else types_pb2.DT_FLOAT
        array = np.asarray(value, tf.as_dtype(kind).as_numpy_dtype)
        made = graph.node.add(name="x%d" % number, op="Const")
        made.attr["dtype"].type = kind
        made.attr["value"].tensor.CopyFrom(tensor_util.make_tensor_proto(array))
        node.input.append(made.name)
    node.attr["T"].type = getattr(types_pb2, types[0]) if types else types_pb2.DT_FLOAT
    for name, value in attributes.items():
        slot = node.attr[name]
        if isinstance(value, bool):
            slot.b = value
        elif isinstance(value, int):
            slot.i = value
        elif isinstance(value, float):
            slot.f = value
        elif isinstance(value, list):
            slot.list.i.extend(value)
        else:
            slot.s = value.encode()
    return graph
def told(op, values):
    arrays = [np.round(np.abs(np.asarray(value, np.float64)), 4) for value in values]
    print(json.dumps([op, [[array.shape, array.ravel().tolist()] for array in arrays]]))
CASES = json.loads(TEXT)
"""

THERE = """
from tensorflow.contrib import seq2seq  # the library of GatherTree
for op, (inputs, attributes, types) in sorted(CASES.items()):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(written(op, inputs, attributes, types), name="")
        told(op, [session.run("y:%d" % number) for number in range(OUTPUTS.get(op, 1))])
"""

HERE = """
import tempfile, tf2bridge
for op, (inputs, attributes, types) in sorted(CASES.items()):
    path = os.path.join(tempfile.mkdtemp(), "graph.pb")
    with open(path, "wb") as file:
        file.write(written(op, inputs, attributes, types).SerializeToString())
    names = ["y:%d" % number for number in range(OUTPUTS.get(op, 1))]
    module = tf2bridge.load(path, outputs=names)
    found = module.function(feeds=[], fetches=names)()
    told(op, [np.asarray(value) for value in (found if isinstance(found, (list, tuple)) else [found])])
"""


def told(text: str) -> dict[str, Any]:
    return dict(json.loads(line) for line in text.splitlines() if line.startswith('["'))


def test_every_removed_operation_has_a_case() -> None:
    assert REMOVED.keys() | UNKNOWN.keys() == CASES.keys() | WITHOUT_KERNEL


@pytest.mark.oracle
def test_removed_operations_compute_what_they_did() -> None:
    text = f"TEXT = {json.dumps(CASES)!r}\n" + GRAPHS
    theirs, ours = oracles.run("1.4.1", text + THERE), forked.run(text + HERE)
    assert theirs.returncode == 0, theirs.stderr[-2000:]
    assert ours.returncode == 0, ours.stderr[-2000:]
    lines, expected = told(ours.stdout), told(theirs.stdout)
    assert lines.keys() == expected.keys() == CASES.keys()
    for op, values in expected.items():
        for (shape, numbers), (their_shape, their_numbers) in zip(lines[op], values, strict=True):
            assert shape == their_shape, op
            assert numbers == pytest.approx(their_numbers, abs=2e-4), op


def test_the_normalization_of_the_first_graphs() -> None:
    """1.4.1 gave these numbers for the same graph."""
    text = f"TEXT = {json.dumps({'BatchNormWithGlobalNormalization': CASES['BatchNormWithGlobalNormalization']})!r}\n"
    done = forked.run(text + GRAPHS + HERE)
    assert done.returncode == 0, done.stderr[-2000:]
    [[shape, numbers]] = told(done.stdout)["BatchNormWithGlobalNormalization"]
    assert shape == [1, 2, 2, 2]
    assert numbers == pytest.approx([0.1493, 1.2821, 2.8359, 1.9875, 5.821, 2.6929, 8.8062, 3.3982], abs=2e-4)


def test_beams_that_end_at_a_symbol(tmp_path: Path) -> None:
    """The numbers are those of TensorFlow 1.12's own test (contrib/seq2seq/python/kernel_tests)."""
    steps = [[[1, 2, 3]], [[4, 5, 6]], [[7, 8, 9]], [[-1, -1, -1]]]
    parents = [[[0, 0, 0]], [[0, 1, 1]], [[2, 1, 2]], [[-1, -1, -1]]]
    graph = tf.Graph()
    with graph.as_default():
        for name, value in (("steps", steps), ("parents", parents), ("lengths", [3]), ("end", 10)):
            tf.constant(value, tf.int32, name=name)
    made = graph.as_graph_def()
    made.node.add(name="y", op="GatherTree", input=["steps", "parents", "lengths", "end"]).attr["T"].type = 3
    (tmp_path / "graph.pb").write_bytes(made.SerializeToString())
    (beams,) = tf2bridge.load(tmp_path / "graph.pb", ["y"], []).function([], ["y"])()
    assert np.asarray(beams)[:, 0].tolist() == [[2, 2, 2], [6, 5, 6], [7, 8, 9], [10, 10, 10]]
