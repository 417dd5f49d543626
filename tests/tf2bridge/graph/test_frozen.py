"""Frozen graphs of what looks at a variable without reading it: gathers, shapes, calls and loops."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tf2bridge.graph.refusals import UnsupportedOpsError

v1 = tf.compat.v1
ROWS = np.float32([[1, 2, 3], [4, 5, 6], [7, 8, 9], [0, 1, 0]])


def saved(folder: Path, build: Callable[[Any, Any], Any]) -> Path:
    """A checkpoint with its .meta of what `build` makes of a resource variable and a placeholder."""
    with tf.Graph().as_default(), v1.Session() as session:
        rows = v1.get_variable("rows", initializer=ROWS, use_resource=True)
        tf.identity(build(rows, v1.placeholder(tf.int32, [None], name="ids")), name="y")
        session.run(v1.global_variables_initializer())
        v1.train.Saver().save(session, str(folder / "model.ckpt"))
    return folder / "model.ckpt"


def called(rows: Any, ids: Any) -> Any:
    @tf.function
    def inner(at: Any) -> Any:
        return tf.gather(rows.read_value(), at) * 2.0

    return inner(ids)


@pytest.mark.parametrize(
    ("build", "wanted"),
    [
        pytest.param(tf.nn.embedding_lookup, ROWS[[2, 0]], id="gather"),
        pytest.param(lambda rows, ids: rows.gather_nd(ids[:, None]), ROWS[[2, 0]], id="gather_nd"),
        pytest.param(
            lambda rows, ids: tf.raw_ops.VariableShape(input=rows.handle, out_type=tf.int64) + tf.cast(ids, tf.int64),
            [6, 3],
            id="shape",
        ),
        pytest.param(called, 2 * ROWS[[2, 0]], id="call"),
    ],
)
def test_values_are_those_of_the_live_graph(tmp_path: Path, build: Callable[[Any, Any], Any], wanted: Any) -> None:
    module = tf2bridge.load(saved(tmp_path, build), outputs=["y"])
    ids = np.int32([2, 0])
    np.testing.assert_array_equal(module(ids), wanted)
    module.export(tmp_path / "frozen.pb", "frozen")
    frozen = tf2bridge.load(tmp_path / "frozen.pb", outputs=["y"])
    assert not frozen.variables
    np.testing.assert_array_equal(frozen(ids), wanted)
    with tf.Graph().as_default() as graph, v1.Session() as session:  # and of any other reader
        tf.graph_util.import_graph_def(frozen.graph.graph_def, name="")
        np.testing.assert_array_equal(session.run("y:0", {graph.get_tensor_by_name("ids:0"): ids}), wanted)


def test_what_needs_a_variable_is_refused(tmp_path: Path) -> None:
    def changed(rows: Any, ids: Any) -> Any:
        with tf.control_dependencies([rows.scatter_add(tf.IndexedSlices(tf.ones([2, 3]), ids))]):
            return rows.read_value()

    module = tf2bridge.load(saved(tmp_path, changed), outputs=["y"])
    with pytest.raises(UnsupportedOpsError, match=r"ScatterAdd.* takes rows, which would be a constant"):
        module.export(tmp_path / "frozen.pb", "frozen")
    assert not (tmp_path / "frozen.pb").exists()
