"""Normal distributions of `tf.distributions` as a short class, which a program gets once."""

from __future__ import annotations

import ast

from codemods.native.kinds import NORMAL, v1_name
from codemods.native.refusals import NotNativeError
from codemods.native.translations import Translation

_CLASS = '''\
class Normal:
    """A normal distribution, with the formulas of TensorFlow 1."""

    def __init__(self, loc, scale, name="Normal"):
        self.loc, self.scale = tf.convert_to_tensor(loc), tf.convert_to_tensor(scale)

    def sample(self, sample_shape=(), seed=None):
        shape = tf.broadcast_dynamic_shape(tf.shape(self.loc), tf.shape(self.scale))
        shape = tf.concat([tf.cast(tf.reshape(sample_shape, [-1]), tf.int32), shape], 0)
        return tf.random.normal(shape, dtype=self.loc.dtype, seed=seed) * self.scale + self.loc

    def log_prob(self, value):
        z = (value - self.loc) / self.scale
        return -0.5 * tf.square(z) - (0.9189385332046727 + tf.math.log(self.scale))

    def prob(self, value):
        return tf.exp(self.log_prob(value))

    def entropy(self):
        return 1.4189385332046727 + tf.math.log(self.scale * tf.ones_like(self.loc))

    def mean(self):
        return self.loc * tf.ones_like(self.scale)

    def stddev(self):
        return self.scale * tf.ones_like(self.loc)

    def variance(self):
        return tf.square(self.stddev())
'''

_DIVERGENCE = '''\
def kl_divergence(distribution_a, distribution_b):
    """Returns the divergence of two normal distributions."""
    of_a, of_b = tf.square(distribution_a.scale), tf.square(distribution_b.scale)
    ratio = of_a / of_b
    distance = tf.square(distribution_a.loc - distribution_b.loc)
    return distance / (2.0 * of_b) + 0.5 * (ratio - 1.0 - tf.math.log(ratio))
'''
FORMULAS = {name: _CLASS if name.endswith("Normal") else _DIVERGENCE for name in NORMAL}
"""Name -> the class or function for it (`normal.py` of 1.15.5)."""
_METHODS = frozenset(("sample", "log_prob", "prob", "entropy", "mean", "stddev", "variance", "loc", "scale"))
_PARAMETERS = {"Normal": ("loc", "scale"), "kl_divergence": ("distribution_a", "distribution_b")}


def require_known(translation: Translation, call: ast.Call) -> None:
    """Refuses a distribution with other options, or one whose other methods are used.

    Raises:
        NotNativeError: This is one.
    """
    name = v1_name(translation.names, call.func) or ""
    parameters = _PARAMETERS[name.rpartition(".")[2]]
    named = {keyword.arg for keyword in call.keywords} - {"name"}
    if len(call.args) + len(named) != len(parameters) or not named <= {*parameters}:
        raise NotNativeError(call, "NAT001", f"tf.{name} with these options has no counterpart")
    target = translation.names.parents.get(call)
    if isinstance(target, ast.Attribute) and target.attr not in _METHODS:
        raise NotNativeError(target, "NAT001", f"the method {target.attr} of a distribution has no counterpart")
    held = {part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", "") for part in _targets(target)}
    for node in translation.names.nodes.get(ast.Attribute, []):
        assert isinstance(node, ast.Attribute)
        of = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", None)
        if of in held and node.attr not in _METHODS:
            raise NotNativeError(node, "NAT001", f"the method {node.attr} of a distribution has no counterpart")


def _targets(statement: ast.AST | None) -> list[ast.expr]:
    return statement.targets if isinstance(statement, ast.Assign) else []
