"""The mean of losses, 0 if there are none, as `tf.losses` computes it: `tf.math.divide_no_nan`.

Up to 1.12 a division that is safe from 0 is spelt out. The number of losses is a sum of ones.
"""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value, array_of

_SAFE = "Select(Greater(count, 0.0), RealDiv(total, Select(Equal(count, 0.0), 1.0, count)), 0.0)"


def _apply(node: Node, _context: Context) -> Node | None:
    names = match(Value(node, 0), _SAFE) or match(Value(node, 0), "DivNoNan(total, count)")
    counted = match(names["count"], "Sum(Fill(Shape(losses), 1.0), axes)") if names else None
    if names is None or counted is None or not _is_over_all(names["count"].node, counted["losses"]):
        return None
    losses = counted["losses"]
    total = match(names["total"], "Sum(losses, axes)", {"losses": losses})
    if total is None or not _is_over_all(names["total"].node, losses) or node.outputs[0].dtype.name != "float32":
        return None
    template = "tf.math.divide_no_nan(tf.reduce_sum(_0), tf.cast(tf.size(_1), tf.float32))"
    keras = "keras.ops.divide_no_nan(keras.ops.sum(_0), keras.ops.cast(keras.ops.size(_1), 'float32'))"
    return expression_node(node, template, [losses, losses], keras=keras)


def _is_over_all(node: Node, losses: Value) -> bool:
    """Returns True if a sum is over all axes of the losses."""
    axes, shape = array_of(node.inputs[1]), shape_of(losses)
    if axes is None or shape is None or node.attributes["keep_dims"]:
        return False
    return sorted(axes.reshape(-1).tolist()) == list(range(len(shape)))


_LOSSES = "x = tf.square(rows)\ncount = tf.reduce_sum(tf.fill(tf.shape(x), 1.0))\n"
RULE = Rule(
    ops=("Select", "DivNoNan"),
    apply=_apply,
    examples=(
        Example(
            _LOSSES + "y = tf.div_no_nan(tf.reduce_sum(x), count)",
            "tf.math.divide_no_nan(tf.reduce_sum(square), tf.cast(tf.size(square), tf.float32))",
        ),
        Example(
            _LOSSES + "one = tf.where(tf.equal(count, 0.0), 1.0, count)\n"
            "y = tf.where(count > 0.0, tf.reduce_sum(x) / one, 0.0)",
            "tf.math.divide_no_nan(tf.reduce_sum(square), tf.cast(tf.size(square), tf.float32))",
        ),
        Example(_LOSSES + "y = tf.div_no_nan(tf.reduce_sum(x, 0), count)", ""),
    ),
)
