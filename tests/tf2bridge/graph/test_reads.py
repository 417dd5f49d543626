"""A variable that the graph changes is read by each user: after the changes that the user waits for, and no later."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.formats.graphs.nodes import by_name
from tf2bridge.graph.passes.variables import with_resource_variables

v1 = tf.compat.v1


def reads(fetch: str) -> dict[str, list[str]]:
    """Name of a read -> what it waits for, where a padded convolution and a later step of training use a variable."""
    with tf.Graph().as_default() as graph:
        images = v1.placeholder(tf.float32, [1, 4, 4, 1], name="images")
        weights = v1.get_variable("weights", [3, 3, 1, 1], use_resource=False)
        padded = tf.pad(images, [[0, 0], [1, 1], [1, 1], [0, 0]], name="padded")
        convolved = tf.raw_ops.Conv2D(input=padded, filter=weights, strides=[1, 1, 1, 1], padding="VALID", name="y")
        step = tf.reshape(convolved[0, :3, :3, 0], [3, 3, 1, 1])
        changed = v1.assign_sub(weights, step, name="changed")
        with tf.control_dependencies([changed]):
            after = tf.identity(images, name="after")
        tf.raw_ops.Conv2D(input=after, filter=weights, strides=[1, 1, 1, 1], padding="VALID", name="z")
        nodes: dict[str, Any] = by_name(graph.as_graph_def().node)
    resources, _ = with_resource_variables(nodes, [fetch])
    return {name: list(node.input[1:]) for name, node in resources.items() if node.op == "ReadVariableOp"}


def test_a_read_before_a_change_waits_for_no_other_input() -> None:
    """TensorFlow's fusions for oneDNN put `Pad` into `Conv2D`; with a wait for `Pad` between them, that is a circle."""
    assert reads("y:0")["y/read_1"] == ["^weights/read"]


def test_a_read_after_a_change_waits_for_it() -> None:
    assert reads("z:0")["z/read_1"] == ["^weights/read", "^after"]
