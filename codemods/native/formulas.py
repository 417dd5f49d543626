"""Short functions with the formula of TensorFlow 1, which a program gets once: penalties of weights, losses."""

from __future__ import annotations

from collections.abc import Mapping

from codemods.native import checks
from codemods.native.kinds import v1_name
from codemods.native.refusals import NotNativeError
from codemods.native.translations import Translation

FORMULAS: Mapping[str, str] = {
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
    "contrib.seq2seq.sequence_loss": '''\
def sequence_loss(logits, targets, weights):
    """Returns the mean cross-entropy of the steps of all sequences, by their weights."""
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=tf.reshape(targets, [-1]), logits=tf.reshape(logits, [-1, tf.shape(logits)[2]]))
    return tf.math.divide_no_nan(tf.reduce_sum(losses * tf.reshape(weights, [-1])), tf.reduce_sum(weights))
''',
}
"""Name -> the function with the same formula (`regularizers.py`, `loss.py` of 1.15.5)."""
_PARAMETERS = {"sequence_loss": ("logits", "targets", "weights")}
"""The parameters of a function that has fewer than it had."""


def write_calls(translation: Translation) -> None:
    """Writes the calls of these functions.

    Raises:
        NotNativeError: One has options that the function has not.
    """
    for call in translation.calls():
        name = v1_name(translation.names, call.func) or ""
        if name not in FORMULAS:
            continue
        short = name.rpartition(".")[2]
        parameters = _PARAMETERS.get(short)
        named = {keyword.arg for keyword in call.keywords}
        if parameters is not None and (len(call.args) > len(parameters) or not named <= {*parameters}):
            raise NotNativeError(call, "NAT001", f"tf.{name} with these options has no counterpart")
        new = translation.formulas.setdefault(name, _free(short, translation))
        translation.source.replace(translation.source.span(call.func), new)


def _free(name: str, translation: Translation) -> str:
    """Returns a name for a function that the program has not: `sequence_loss = sequence_loss(...)` has no value."""
    has = checks.own_names(translation.source.tree)
    return next(new for new in (name, f"{name}_of", f"compute_{name}", f"{name}_of_tensors") if new not in has)


def written(chosen: Mapping[str, str]) -> list[str]:
    """Returns the texts of functions, by their names here."""
    texts = ((FORMULAS[name], name.rpartition(".")[2], new) for name, new in sorted(chosen.items()))
    return [text.replace(f"def {short}(", f"def {new}(", 1) for text, short, new in texts]
