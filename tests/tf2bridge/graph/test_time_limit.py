"""What a graph computes while it is loaded ends in time: an initializer that waits or loops for ever is an error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

import tf2bridge
from tf2bridge.graph import time_limit
from tf2bridge.graph.refusals import EndlessError

v1 = tf.compat.v1


@pytest.fixture(autouse=True)
def one_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limit, "_FIRST", 1.0)


def looped() -> Any:
    return tf.while_loop(lambda i: i >= 0.0, lambda i: i * 0.0 + 1.0, [tf.constant(1.0)])


def waited() -> Any:
    queue = v1.FIFOQueue(1, [tf.float32], shapes=[[]])
    return queue.dequeue()


def exported(path: Path, value: Callable[[], Any]) -> Path:
    with tf.Graph().as_default(), v1.variable_scope("", use_resource=False):
        variable = v1.get_variable("v", initializer=value)
        tf.identity(variable, name="y")
        v1.train.export_meta_graph(str(path))
    return path


@pytest.mark.parametrize("value", [looped, waited])
def test_an_initializer_without_end_is_an_error(value: Callable[[], Any], tmp_path: Path) -> None:
    path = exported(tmp_path / "a.meta", value)
    with pytest.raises(EndlessError, match=r"v/Assign when it is loaded, and did not come to an end .* within 1 s"):
        tf2bridge.load(path, outputs=["y"])


@pytest.mark.usefixtures("old_control_flow")
def test_so_is_a_loop_of_1_x(tmp_path: Path) -> None:
    path = exported(tmp_path / "a.meta", looped)
    with pytest.raises(EndlessError, match="v/Assign"):
        tf2bridge.load(path, outputs=["y"])


def test_so_is_what_fills_a_table(tmp_path: Path) -> None:
    with tf.Graph().as_default():
        keys = tf.reshape(tf.cast(looped(), tf.int64), [1])
        table = v1.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, keys), -1)
        tf.identity(table.lookup(tf.constant([1], tf.int64)), name="y")
        v1.train.export_meta_graph(str(tmp_path / "a.meta"))
    with pytest.raises(EndlessError, match="within 1 s"):
        tf2bridge.load(tmp_path / "a.meta", outputs=["y"])()


def test_large_variables_are_given_more_time() -> None:
    node = v1.NodeDef(name="v", op="VariableV2")
    node.attr["dtype"].type = tf.float32.as_datatype_enum
    node.attr["shape"].shape.CopyFrom(tf.TensorShape([1000, 50_000]).as_proto())
    assert time_limit.bytes_of([node]) == 200_000_000
    assert time_limit.Limit(time_limit.bytes_of([node])).seconds == 21.0
    assert time_limit.Limit(1 << 60).seconds == 600.0
