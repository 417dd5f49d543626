"""Dropout, as each release of TensorFlow 1.x builds it: `tf.nn.dropout` (Srivastava et al., 2014).

Up to 1.12 it multiplies with the floor of `keep_prob` plus random numbers, later with a mask where they are at least
`rate`; TensorFlow 2 chooses by such a mask.
The graph drops out whenever it runs, so there is no layer that asks for `training`. Seeds are left out: TensorFlow 2
makes other numbers of a seed.
"""

from __future__ import annotations

import math

import numpy as np

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import SEED, expression_node, shortest
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, known_shape, shape_of
from tf2bridge.decompile.ir import Node, Value, array_of

_RANDOM = ("Add(RandomUniform(shape), 0.0)", "RandomUniform(shape)")
_PATTERNS = (
    "Mul(RealDiv(x, keep), Floor(Add(keep_too, random)))",
    "Mul(Mul(x, scale), Cast(GreaterEqual(random, rate)))",
    "SelectV2(GreaterEqual(random, rate), Mul(x, scale), 0.0)",
    "SelectV2(GreaterEqual(random, rate), RealDiv(x, Sub(1.0, rate)), 0.0)",
)


def _apply(node: Node, _context: Context) -> Node | None:
    names = next(filter(None, (match(Value(node, 0), pattern) for pattern in _PATTERNS)), None)
    random = next(filter(None, (match(names["random"], pattern) for pattern in _RANDOM)), None) if names else None
    if names is None or random is None:
        return None
    rate, inputs = _rate_of_keep_prob(names) if "keep" in names else _rate(names)
    if not rate or any(shape_of(scalar) not in ((), None) for scalar in inputs):
        return None
    x, shape = names["x"], random["shape"]
    noise, sizes = "", array_of(shape)
    if not _is_shape(shape, x):
        noise = f", noise_shape={f'_{1 + len(inputs)}' if sizes is None else literal(sizes)}"
        inputs = [*inputs, shape] if sizes is None else inputs
    keras = None if inputs or noise else f"keras.random.dropout(_0, {rate}, seed={SEED})"
    return expression_node(node, f"tf.nn.dropout(_0, {rate}{noise})", [x, *inputs], is_elementwise=True, keras=keras)


def _rate_of_keep_prob(names: dict[str, Value]) -> tuple[str, list[Value]]:
    """Returns the text of the rate, and the values that it takes; an empty text if the parts do not fit."""
    keep = number(names["keep"])
    if keep is not None:
        rate = round(1 - shortest(keep), 7)
        fits = number(names["keep_too"]) == keep and 0 <= rate < 1 and np.float32(1 - rate) == np.float32(keep)
        return (literal(rate), []) if fits else ("", [])
    return ("1.0 - _1", [names["keep"]]) if names["keep_too"] == names["keep"] else ("", [])


def _rate(names: dict[str, Value]) -> tuple[str, list[Value]]:
    """Returns as `_rate_of_keep_prob` where the graph has a rate."""
    if "scale" not in names:
        return "_1", [names["rate"]]
    rate, scale = number(names["rate"]), number(names["scale"])
    if rate is not None:
        fits = scale is not None and 0 <= rate < 1 and math.isclose(scale, 1 / (1 - rate), rel_tol=1e-6)
        return (literal(shortest(rate)), []) if fits else ("", [])
    fits = match(names["scale"], "RealDiv(1.0, Sub(1.0, rate))", {"rate": names["rate"]}) is not None
    return ("_1", [names["rate"]]) if fits else ("", [])


def _is_shape(shape: Value, x: Value) -> bool:
    """Returns True if a value is the shape of `x`."""
    array, sizes = array_of(shape), known_shape(x)
    if array is not None and sizes is not None:
        return tuple(array.tolist()) == sizes
    return match(shape, "Shape(x)", {"x": x}) is not None


_BEGIN = "x = {}\nrandom = tf.add(tf.random_uniform({}), 0.0)\n"
_BY_KEEP_PROB = _BEGIN + "y = [rows * 2.0, x / {} * tf.floor({} + random)]"
_BY_RATE = _BEGIN + "y = [rows * 2.0, x * {} * tf.cast(random >= {}, tf.float32)]"
RULE = Rule(
    ops=("Mul", "SelectV2"),
    apply=_apply,
    examples=(
        Example(_BY_KEEP_PROB.format("rows", "tf.shape(rows)", 0.8, 0.8), "tf.nn.dropout(rows, 0.2)"),
        Example(_BY_KEEP_PROB.format("rows", "tf.shape(rows)", 0.8, 0.7), ""),
        Example(
            _BY_KEEP_PROB.format("images", "[1, 8, 8, 3]", 0.5, 0.5),
            "tf.nn.dropout(images, 0.5, noise_shape=[1, 8, 8, 3])",
        ),
        Example(_BY_RATE.format("rows", "tf.shape(rows)", 1 / 0.7, 0.3), "tf.nn.dropout(rows, 0.3)"),
        Example(_BY_RATE.format("rows", "tf.shape(rows)", 1 / 0.6, 0.3), ""),
        Example("y = [rows * 2.0, tf.nn.dropout(rows, rate=0.3)]", "tf.nn.dropout(rows, 0.3)"),
        Example(
            "one = tf.exp(0.0 * tf.reduce_sum(rows))\ny = tf.nn.dropout(rows, keep_prob=one)",
            "tf.nn.dropout(rows, 1.0 - tf.exp(0.0 * tf.reduce_sum(rows)))",
        ),
        Example(
            "y = [rows * 2.0, tf.nn.dropout(images, 0.5, [tf.shape(images)[0], 1, 1, 3])]",
            "tf.nn.dropout(images, 0.5, noise_shape=tf.stack([tf.shape(images)[0], 1, 1, 3]))",
        ),
        Example(
            "one = tf.exp(0.0 * tf.reduce_sum(rows))\nrandom = tf.random_uniform(tf.shape(rows))\n"
            "y = rows / one * tf.floor(one + random)",
            "tf.nn.dropout(rows, 1.0 - ",
        ),
    ),
    is_first=True,
)
