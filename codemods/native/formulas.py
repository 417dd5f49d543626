"""Short functions with the formula of TensorFlow 1, which a program gets once: penalties of weights, losses."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from codemods.native import distributions, image_summaries, resized_images
from codemods.native.kinds import v1_name
from codemods.native.layer_calls import DROPOUT
from codemods.native.refusals import NotNativeError
from codemods.native.translations import Translation

_RAGGED = "tf2bridge.old_numpy.array"
"""What the compat target writes for np.array where rows may have different lengths."""
_SCALED = "contrib.layers.variance_scaling_initializer"
FORMULAS: Mapping[str, str] = {
    _RAGGED: '''\
def array(values):
    """Returns an array; rows of different lengths become an array of objects, as in NumPy before 1.24."""
    try:
        return np.array(values)
    except ValueError as error:
        if "inhomogeneous" not in str(error):
            raise
        return np.array(values, dtype=object)
''',
    image_summaries.SCALED: image_summaries.FORMULA,
    **resized_images.FORMULAS,
    **distributions.FORMULAS,
    "div": '''\
def div(x, y):
    """Returns x / y, rounded down if they are integers."""
    x = tf.convert_to_tensor(x)
    y = tf.convert_to_tensor(y, dtype=x.dtype)
    return x // y if x.dtype.is_integer else x / y
''',
    DROPOUT: '''\
def dropout_in_training(inputs, rate=0.5, noise_shape=None, seed=None, training=False):
    """Drops inputs in a step of training, as tf.layers.dropout did; `training` is a Python value or a tensor."""
    def dropped():
        return tf.nn.dropout(inputs, rate=rate, noise_shape=noise_shape, seed=seed)

    if tf.is_tensor(training):
        return tf.cond(training, dropped, lambda: tf.identity(inputs))
    return dropped() if training else inputs
''',
    "SparseTensorValue": """\
SparseTensorValue = collections.namedtuple("SparseTensorValue", ("indices", "values", "dense_shape"))
""",
    "drawn_anew": '''\
def drawn_anew(initializer):
    """Returns an initializer that draws other numbers for each variable. One of Keras always draws the same."""
    return lambda shape, dtype=None: initializer.clone()(shape, dtype)
''',
    _SCALED: '''\
def variance_scaling_initializer(factor=2.0, mode="FAN_IN", uniform=False):
    """Returns an initializer; the deviation of a truncated one is sqrt(1.3 * factor / n) before it is truncated."""
    kind, scale = ("uniform", factor) if uniform else ("truncated_normal", 1.3 * factor * 0.87962566103423978**2)
    return lambda shape, dtype=None: keras.initializers.VarianceScaling(scale, mode.lower(), kind)(shape, dtype)
''',
    "contrib.layers.l2_regularizer": '''\
def l2_regularizer(scale):
    """Returns the function that gives the L2 penalty of weights."""
    return lambda weights: scale * tf.nn.l2_loss(weights)
''',
    "contrib.layers.l1_regularizer": '''\
def l1_regularizer(scale):
    """Returns the function that gives the L1 penalty of weights."""
    return lambda weights: scale * tf.reduce_sum(tf.abs(weights))
''',
    "losses.log_loss": '''\
def log_loss(labels, predictions):
    """Returns the mean logarithmic loss of probabilities."""
    labels, predictions = tf.cast(labels, tf.float32), tf.cast(predictions, tf.float32)
    losses = -(labels * tf.math.log(predictions + 1e-7)) - (1 - labels) * tf.math.log(1 - predictions + 1e-7)
    return tf.reduce_mean(losses)
''',
    "contrib.legacy_seq2seq.sequence_loss_by_example": '''\
def sequence_loss_by_example(logits, targets, weights, average_across_timesteps=True):
    """Returns the cross-entropy of each sequence, over its steps by their weights."""
    losses = tf.add_n([
        weight * tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.reshape(target, [-1]), logits=logit)
        for logit, target, weight in zip(logits, targets, weights)
    ])
    return losses / (tf.add_n(weights) + 1e-12) if average_across_timesteps else losses
''',
    "contrib.seq2seq.sequence_loss": '''\
def sequence_loss(logits, targets, weights):
    """Returns the mean cross-entropy of the steps of all sequences, by their weights."""
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=tf.reshape(targets, [-1]), logits=tf.reshape(logits, [-1, tf.shape(logits)[2]]))
    return tf.math.divide_no_nan(tf.reduce_sum(losses * tf.reshape(weights, [-1])), tf.reduce_sum(weights))
''',
}
"""Name -> the function with the same formula (`regularizers`, `loss`, `losses_impl`, `math_ops`, `initializers`,
`seq2seq` of 1.15.5)."""
_PARAMETERS = {
    "log_loss": ("labels", "predictions"),
    "sequence_loss_by_example": ("logits", "targets", "weights", "average_across_timesteps"),
    "sequence_loss": ("logits", "targets", "weights"),
    "div": ("x", "y"),
    **dict.fromkeys(("resize_images", "resize"), ("images", "size", "method", "align_corners")),
    "variance_scaling_initializer": ("factor", "mode", "uniform"),
}
"""The parameters of a function that has fewer than it had."""


def write_calls(translation: Translation) -> None:
    """Writes the calls of these functions.

    Raises:
        NotNativeError: One has options that the function has not.
    """
    for call in translation.calls():
        qualified = translation.names.qualified(call.func)
        if qualified == _RAGGED and len(call.args) == 1 and not call.keywords:
            if translation.names.alias_of("numpy") == "np":
                _write(translation, call, _RAGGED)
            continue
        name = v1_name(translation.names, call.func) or ""
        if name in FORMULAS and name != _SCALED:
            _write(translation, call, name)


def _write(translation: Translation, call: ast.Call, name: str) -> None:
    short = name.rpartition(".")[2]
    parameters = _PARAMETERS.get(short)
    named = {keyword.arg for keyword in call.keywords}
    if parameters is not None and (len(call.args) > len(parameters) or not named <= {*parameters}):
        raise NotNativeError(call, "NAT001", f"tf.{name} with these options has no counterpart")
    if name == "SparseTensorValue":
        translation.imports.add("collections")
    if name in distributions.FORMULAS:
        distributions.require_known(translation, call)
    if name == "div" and not (translation.names.qualified(call.func) or "").startswith("tensorflow.compat.v1."):
        raise NotNativeError(call, "NAT001", "releases differ in how tf.div rounds integers; use tf.divide")
    translation.source.replace(translation.source.span(call.func), translation.formula(name))


def scaled_initializer(translation: Translation, call: ast.Call) -> None:
    """Writes an initializer of contrib that scales the variance, which is a call inside of others."""
    translation.imports.add("keras")
    _write(translation, call, _SCALED)


def xavier_initializer(translation: Translation, call: ast.Call) -> None:
    """Writes xavier_initializer(uniform=False), which Keras truncates otherwise. Draws of seeds are other numbers."""
    uniform = translation.argument(call, 0, "uniform")
    if len(call.args) + len(call.keywords) != 1 or uniform is None or not isinstance(uniform, ast.Constant):
        translation.write_name(call.func, call)
        return
    translation.imports.add("keras")
    translation.put(call, f'{translation.formula(_SCALED)}(1.0, "FAN_AVG", {uniform.value!r})')


def written(chosen: Mapping[str, str]) -> list[str]:
    """Returns the texts of functions, by their names here."""
    texts = ((FORMULAS[name], name.rpartition(".")[2], new) for name, new in sorted(chosen.items()))
    return [
        text.replace(f"def {short}(", f"def {new}(", 1)
        .replace(f"class {short}:", f"class {new}:", 1)
        .replace(f"{short} = ", f"{new} = ", 1)
        for text, short, new in texts
    ]
