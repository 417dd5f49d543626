"""Batch normalization: which calls it is, and the short class that stands for it, with the formulas of TensorFlow 1.

Keras corrects the moving variance otherwise, and updates it in each call that trains. In TensorFlow 1 a step runs the
updates, if it depends on the collection UPDATE_OPS ([update_ops.py](update_ops.py)).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.native.places import named_arguments
from codemods.native.refusals import NotNativeError

CLASS = '''\
class BatchNormalization:
    """Batch normalization of TensorFlow 1. `updates` gets what moves the averages; without it, they move at once."""

    def __init__(self, name, axis=-1, momentum=0.99, epsilon=0.001, center=True, scale=True, fused=(4,)):
        self.name, self.axis, self.momentum, self.epsilon, self.fused = name, axis, momentum, epsilon, fused
        self.center, self.scale, self.variables = center, scale, []

    def build(self, depth):
        with tf.init_scope(), tf.name_scope(""):
            parts = [("gamma", 1.0, self.scale), ("beta", 0.0, self.center)]
            parts += [("moving_mean", 0.0, True), ("moving_variance", 1.0, True)]
            for name, value, wanted in parts:
                first, trained = tf.fill([depth], value), not name.startswith("moving")
                part = tf.Variable(first, trainable=trained, name=self.name + "/" + name) if wanted else first
                setattr(self, name, part)
                self.variables += [part] if wanted else []

    def __call__(self, x, training=False, updates=None):
        if not self.variables:
            self.build(x.shape[self.axis])
        fused = len(x.shape) in self.fused and self.axis in (-1, len(x.shape) - 1)
        normalize = self.normalize_fused if fused else self.normalize
        part = 1.0 - tf.constant(self.momentum) if fused else tf.constant(1.0 - self.momentum)
        if tf.is_tensor(training):
            y, mean, variance = tf.cond(training, lambda: normalize(x, True), lambda: normalize(x, False))
            part = tf.where(training, part, 0.0)
        else:
            y, mean, variance = normalize(x, bool(training))

        def update():
            for average, value in ((self.moving_mean, mean), (self.moving_variance, variance)):
                average.assign_sub((average - value) * part)

        if updates is not None and (tf.is_tensor(training) or training):
            updates.append(update)
        elif updates is None and (tf.is_tensor(training) or training):
            update()
        return y

    def normalize_fused(self, x, training):
        shape = [-1, 1, 1, x.shape[-1]] if len(x.shape) == 2 else tf.shape(x)
        none = tf.constant([], tf.float32)
        mean, variance = (none, none) if training else (self.moving_mean, self.moving_variance)
        y, *batch = tf.raw_ops.FusedBatchNormV3(
            x=tf.reshape(x, shape), scale=self.gamma, offset=self.beta, mean=mean, variance=variance,
            epsilon=max(self.epsilon, 1.001e-5), is_training=training)
        mean, variance = batch[:2] if training else (tf.identity(mean), tf.identity(variance))
        return tf.reshape(y, tf.shape(x)), mean, variance

    def normalize(self, x, training):
        axes = [axis for axis in range(len(x.shape)) if axis != self.axis % len(x.shape)]
        mean, variance = tf.nn.moments(x, axes) if training else (self.moving_mean, self.moving_variance)
        wide = [1 if axis in axes else -1 for axis in range(len(x.shape))]
        parts = [tf.reshape(part, wide) for part in (mean, variance, self.beta, self.gamma)]
        return tf.nn.batch_normalization(x, *parts, self.epsilon), tf.identity(mean), tf.identity(variance)
'''
"""The class that a program with batch normalization gets once (`normalization.py`, `layers.py` of 1.15.5)."""

_OF_LAYERS = "inputs axis momentum epsilon center scale"
_OF_CONTRIB = "inputs decay center scale epsilon activation_fn"
_ROWS: Mapping[str, tuple[str, frozenset[str]]] = {
    "layers.batch_normalization": (_OF_LAYERS, frozenset(("training", "trainable", "name", "reuse", "fused"))),
    **dict.fromkeys(
        ("contrib.layers.batch_norm", "contrib.slim.batch_norm"),
        (_OF_CONTRIB, frozenset(("updates_collections", "is_training", "reuse", "trainable", "fused", "scope"))),
    ),
}
"""Function -> its first parameters, and the others that have a counterpart."""
NAMES = frozenset(_ROWS)
LAYER = "BatchNormalization"
_UPDATES = ("GraphKeys.UPDATE_OPS", "update_ops")


@dataclass(frozen=True)
class Normalization:
    """A call that normalizes.

    Attributes:
        inputs: What it normalizes.
        given: Parameter of the class -> argument.
        name: The argument that names its variables.
        reuse: The argument that says whether they are those of another call.
        training: The argument that says whether this is a step of training; None if the call gives none.
        trains: Whether it is one where the call does not say it.
        activation: The function that follows.
        collected: Whether the updates go to the collection; otherwise the call runs them.
    """

    inputs: ast.expr
    given: Mapping[str, ast.expr]
    name: ast.expr | None
    reuse: ast.expr | None
    training: ast.expr | None
    trains: bool
    activation: ast.expr | None
    collected: bool


def normalization(call: ast.Call, names: Names) -> Normalization | None:
    """Returns a call that normalizes by batches; None for other calls.

    Raises:
        NotNativeError: It has an option without a counterpart.
    """
    name = v1_name(names, call.func) or ""
    if name not in _ROWS:
        return None
    first, others = _ROWS[name]
    parameters = first.split()
    of_contrib = first == _OF_CONTRIB
    if len(call.args) > len(parameters) or any(isinstance(part, ast.Starred) for part in call.args):
        raise NotNativeError(call, "NAT001", "this normalization has options by position; name them")
    given = named_arguments(call, parameters)
    unknown = sorted(given.keys() - {*parameters} - others)
    if unknown or "inputs" not in given or _constant(given.get("trainable"), True) is not True:
        option = (unknown or ["trainable"])[0]
        raise NotNativeError(call, "NAT001", f"the option {option} of this normalization has no counterpart")
    chosen = {key: value for key, value in given.items() if key in ("axis", "momentum", "epsilon", "center", "scale")}
    if "decay" in given:
        chosen["momentum"] = given["decay"]
    fused = _constant(given.get("fused"), None)
    ranks = () if fused is False else (2, 4) if of_contrib else (4,)
    chosen |= _options(of_contrib, ranks, chosen)
    activation = given.get("activation_fn")
    return Normalization(
        given["inputs"],
        chosen,
        given.get("scope" if of_contrib else "name"),
        given.get("reuse"),
        given.get("is_training" if of_contrib else "training"),
        of_contrib,
        None if _constant(activation, None) is None else activation,
        not of_contrib or _collects(given, names),
    )


def _options(of_contrib: bool, ranks: tuple[int, ...], chosen: Mapping[str, ast.expr]) -> dict[str, ast.expr]:
    """Returns the options in which a call differs from the class where it does not give them.

    tf.contrib.layers fuses inputs of rank 2, as those of rank 4 (`layers.py`).
    """
    options: dict[str, ast.expr] = {}
    if of_contrib:
        options |= {"momentum": ast.Constant(0.999)} if "momentum" not in chosen else {}
        options |= {"scale": ast.Constant(False)} if "scale" not in chosen else {}
    if ranks != (4,):
        options["fused"] = ast.Tuple([ast.Constant(rank) for rank in ranks], ast.Load())
    return options


def _collects(given: Mapping[str, ast.expr], names: Names) -> bool:
    """Returns whether the updates of a call of tf.contrib.layers go to the collection.

    Raises:
        NotNativeError: They go to another collection.
    """
    where = given.get("updates_collections")
    if where is None or (isinstance(where, ast.Attribute) and v1_name(names, where) in _UPDATES):
        return True
    if isinstance(where, ast.Constant) and where.value in (None, "update_ops"):
        return where.value is not None
    raise NotNativeError(where, "NAT001", "the source does not say in which collection these updates are")


def _constant(value: ast.expr | None, default: object) -> object:
    """Returns the value that the source states; an expression itself, where it states none."""
    return default if value is None else value.value if isinstance(value, ast.Constant) else value


def is_update_ops(call: ast.Call, names: Names) -> bool:
    """Returns whether a call gives the collection of updates, `tf.get_collection(tf.GraphKeys.UPDATE_OPS)`.

    Raises:
        NotNativeError: It gives those of a scope.
    """
    first = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "key"), None)
    if v1_name(names, call.func) != "get_collection" or first is None:
        return False
    shown = first.value if isinstance(first, ast.Constant) else v1_name(names, first)
    if shown not in _UPDATES:
        return False
    if len(call.args) + len(call.keywords) != 1:
        raise NotNativeError(call, "NAT001", "the updates of a scope have no counterpart; take all updates")
    return True
