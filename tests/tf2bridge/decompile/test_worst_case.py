"""Inputs that a search has found are examples of a package: a rule that is wrong there alone falls."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
import tf2bridge.v1
from tf2bridge.decompile import gate
from tf2bridge.decompile.emitted.test_model import LARGEST
from tf2bridge.decompile.idioms import raising
from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.rule import Rule
from tf2bridge.decompile.ir import Node

SPECS = {"x": tf.TensorSpec([None, 3])}
FEEDS = {"x": np.linspace(0.1, 1.0, 6, dtype=np.float32).reshape(2, 3)}


@pytest.fixture
def _wrong_rule(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A rule that is right below 1.83, where tanh is 0.95; the numbers of the first example are at most 1."""

    def apply(node: Node, _context: Any) -> Node | None:
        if node.name != "wrong":
            return None
        return expression_node(node, "tf.minimum(tf.tanh(_0), 0.95)", node.inputs[:1])

    rules = {**raising.all_rules(), "wrong": Rule(ops=("Tanh",), apply=apply, examples=())}
    raising._by_type.cache_clear()
    monkeypatch.setattr(raising, "all_rules", lambda: rules)
    yield
    raising._by_type.cache_clear()


@pytest.mark.usefixtures("_wrong_rule")
def test_a_rule_that_is_wrong_for_some_inputs_falls(tmp_path: Path) -> None:
    def build(x: Any) -> Any:
        return tf.tanh(tf.tanh(x, name="wrong") * tf.sigmoid(x), name="right")

    module = tf2bridge.wrap(build, inputs=SPECS)
    done = tf2bridge.decompile(module, tmp_path / "wrong", feeds=FEEDS)
    assert [(place.rule, place.node) for place in done.dropped] == [("wrong", "wrong")]
    assert done.worst is not None
    assert done.worst <= LARGEST
    without = tf2bridge.decompile(module, tmp_path / "not_searched", feeds=FEEDS, worst=0)
    assert without.dropped == ()


def test_both_sides_of_a_relu_are_compared(tmp_path: Path) -> None:
    def build(x: Any) -> Any:
        return tf.nn.relu(x)

    done = tf2bridge.decompile(tf2bridge.wrap(build, inputs=SPECS), tmp_path / "relu", feeds=FEEDS)
    with np.load(done.path / "recorded_2.npz") as recorded:
        assert (recorded["in x"] < 0).any()
        assert (recorded["in x"] > 1).any()
    model = done.path / "model.py"
    model.write_text(model.read_text("utf-8").replace("tf.nn.relu", "tf.nn.elu"), "utf-8")
    with gate.Gate() as processes:
        measured, _ = processes.measured(done.path)
    assert gate.unequal(measured, dict.fromkeys(measured, LARGEST)) == ["out 0 (example 2)"]


def test_rows_that_no_given_input_asks_for_are_compared(tmp_path: Path) -> None:
    """All rows are the same, so that only gradients tell them apart."""

    def build(ids: Any) -> Any:
        return tf.gather(tf2bridge.v1.get_variable("table", [4, 2], initializer=tf.ones_initializer()), ids)

    module = tf2bridge.wrap(build, inputs={"ids": tf.TensorSpec([None], tf.int32)})
    done = tf2bridge.decompile(module, tmp_path / "rows", feeds={"ids": np.array([0, 3, 0], np.int32)})
    with np.load(done.path / "recorded_2.npz") as recorded:
        assert {1, 2} <= set(recorded["in ids"].tolist())
    model = done.path / "model.py"
    model.write_text(model.read_text("utf-8").replace("self.table(ids)", "self.table(ids - ids % 3)"), "utf-8")
    with gate.Gate() as processes:
        measured, _ = processes.measured(done.path)
    assert gate.unequal(measured, dict.fromkeys(measured, LARGEST)) == ["gradient table.embeddings (example 2)"]
