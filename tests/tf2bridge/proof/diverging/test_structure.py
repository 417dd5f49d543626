"""What one call of a graph runs: points, what they follow from, and what has no value of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tensorflow.python.ops import control_flow_ops

from tf2bridge.formats.graphs.nodes import by_name
from tf2bridge.proof.diverging.structure import Structure

v1 = tf.compat.v1


def structure(build: Callable[[], list[str]], fed: tuple[str, ...] = ("x:0",)) -> Structure:
    """The structure of a call that fetches what `build` names, in a graph with loops and references of TF 1.x."""
    with tf.Graph().as_default() as graph:
        v1.placeholder(tf.float32, [3], "x")
        fetches = build()
    return Structure(by_name(graph.as_graph_def().node), graph, fetches, fed)


def tensor(name: str) -> Any:
    return v1.get_default_graph().get_tensor_by_name(name)


def test_what_is_made_of_constants_alone_is_constant() -> None:
    def build() -> list[str]:
        two = tf.add(tf.constant(1.0, name="one"), 1.0, name="two")
        return [tf.multiply(tensor("x:0"), two, name="y").name]

    call_structure = structure(build)
    assert call_structure.constant == {"one:0", "two/y:0", "two:0"}
    assert call_structure.sources("y:0") == ["x:0", "two:0"]
    assert [item for item in call_structure.fetchable() if item not in call_structure.constant] == ["y:0"]


def test_a_variable_is_its_value_before_the_call_and_an_update_the_one_after() -> None:
    def build() -> list[str]:
        w = v1.Variable([1.0, 2.0, 3.0], name="w", use_resource=False)
        loss = tf.reduce_sum(w * tensor("x:0"), name="loss")
        update = v1.assign_sub(w, tensor("x:0"), name="update")
        with tf.control_dependencies([update]):
            after = tf.multiply(w.read_value(), 2.0, name="after")
        return [loss.name, after.name]

    call_structure = structure(build)
    assert call_structure.updates == {"update": "w"}
    assert call_structure.sources("mul:0") == ["w:0", "x:0"]
    assert call_structure.sources("update:0") == ["w:0", "x:0"]
    assert "update:0" in call_structure.sources("after:0")
    assert call_structure.is_variable("w:0")
    assert not {"w:0", "update:0"} & set(call_structure.fetchable())


def test_of_several_updates_the_last_is_the_one() -> None:
    def build() -> list[str]:
        w = v1.Variable([1.0, 2.0, 3.0], name="w", use_resource=False)
        first = v1.assign(w, w * 0.5, name="first")
        return [v1.assign_add(first, tensor("x:0"), name="last").name]

    call_structure = structure(build)
    assert call_structure.updates == {"last": "w"}
    assert "x:0" in call_structure.sources("last:0")
    assert "mul:0" in call_structure.sources("last:0")


def test_a_branch_is_one_step() -> None:
    def build() -> list[str]:
        switch = v1.placeholder(tf.bool, [], "switch")
        no, yes = control_flow_ops.switch(tensor("x:0"), switch)
        both = control_flow_ops.merge([tf.negative(no, name="no"), tf.multiply(yes, 2.0, name="yes")], name="both")
        return [tf.identity(both.output, name="out").name]

    call_structure = structure(build, ("x:0", "switch:0"))
    assert not {"no:0", "yes:0"} & set(call_structure.points)
    assert set(call_structure.sources("both:0")) >= {"x:0", "switch:0"}
    assert {"no", "yes"} <= set(call_structure.inner("both:0"))


def test_a_fed_tensor_is_a_beginning() -> None:
    def build() -> list[str]:
        middle = tf.negative(tensor("x:0"), name="middle")
        return [tf.exp(middle, name="y").name]

    call_structure = structure(build, ("middle:0",))
    assert call_structure.points == ["middle:0", "y:0"]
    assert call_structure.sources("middle:0") == []
