"""Random numbers, scaled and shifted: `tf.random.uniform`, `tf.random.normal`, `tf.random.truncated_normal`.

Whole numbers are drawn between two limits.

Seeds are left out: TensorFlow 2 makes other numbers of a seed.
"""

from __future__ import annotations

import numpy as np

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import SEED, expression_node, shortest
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule
from tf2bridge.decompile.ir import Node, Value, array_of

_FUNCTIONS = {
    "RandomUniform": "tf.random.uniform",
    "RandomStandardNormal": "tf.random.normal",
    "TruncatedNormal": "tf.random.truncated_normal",
}
_DEFAULTS = 0.0, 1.0
_PATTERNS = ("numbers", "Add(Mul(numbers, scale), start)", "Add(numbers, start)", "Mul(numbers, scale)")


def _apply(node: Node, _context: Context) -> Node | None:
    if node.op == "RandomUniformInt":
        arrays = [array_of(value) for value in node.inputs]
        parts = [f"_{place}" if array is None else literal(array) for place, array in enumerate(arrays)]
        template = f"tf.random.uniform({', '.join(parts)}, {literal(node.outputs[0].dtype)})"
        return expression_node(node, template, [] if "_" not in "".join(parts) else node.inputs)
    matches = (match(Value(node, 0), pattern) for pattern in _PATTERNS)
    names = next((names for names in matches if names and names["numbers"].node.op in _FUNCTIONS), None)
    if names is None or node.outputs[0].dtype.name != "float32":
        return None
    scale, start = (
        number(names[name]) if name in names else default for name, default in (("scale", 1.0), ("start", 0.0))
    )
    if scale is None or start is None:
        return None
    numbers = names["numbers"].node
    end = float(np.float32(start) + np.float32(scale))
    arguments = (start, end) if numbers.op == "RandomUniform" else (start, scale)
    given = "" if arguments == _DEFAULTS else "".join(f", {literal(shortest(argument))}" for argument in arguments)
    sizes = array_of(numbers.inputs[0])
    inputs = numbers.inputs if sizes is None else []
    function, shape = _FUNCTIONS[numbers.op], "_0" if inputs else literal(sizes)
    by_keras = function.replace("tf.", "keras.", 1)
    keras = None if inputs else f"{by_keras}({shape}{given}, seed={SEED})"
    return expression_node(node, f"{function}({shape}{given})", inputs, keras=keras)


RULE = Rule(
    ops=("Add", "AddV2", "Mul", "RandomUniformInt", *_FUNCTIONS),
    apply=_apply,
    examples=(
        Example("y = [rows * 2.0, tf.random_uniform(tf.shape(rows))]", "tf.random.uniform(tf.shape(rows))"),
        Example("y = [rows * 2.0, tf.random_uniform([3], -0.1, 0.1)]", "tf.random.uniform([3], -0.1, 0.1)"),
        Example("y = [rows * 2.0, tf.random_normal([3], stddev=0.5)]", "tf.random.normal([3], 0.0, 0.5)"),
        Example("y = [rows * 2.0, tf.truncated_normal([3])]", "tf.random.truncated_normal([3])"),
        Example("y = [rows * 2.0, tf.random_uniform([3], 2, 7, tf.int64)]", "tf.random.uniform([3], 2, 7, tf.int64)"),
        Example("y = [rows * 2.0, tf.random_normal([3], dtype=tf.float64)]", ""),
    ),
)
