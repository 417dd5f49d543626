"""Predictions of classes, and the signatures that give them."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.estimator.heads import keys
from tf2bridge.estimator.heads.keys import PredictionKeys
from tf2bridge.internals.saving import ClassificationOutput, PredictOutput, RegressionOutput

v1 = tf.compat.v1


def all_class_ids(logits: Any, n_classes: int) -> Any:
    """[batch, n_classes]: every class number, for every example."""
    return _for_each(logits, tf.range(n_classes))


def all_classes(logits: Any, n_classes: int, vocabulary: Any) -> Any:
    """[batch, n_classes]: every label, for every example."""
    return _for_each(logits, vocabulary or tf.strings.as_string(tf.range(n_classes)))


def _for_each(logits: Any, row: Any) -> Any:
    return tf.tile(tf.expand_dims(row, 0), [tf.shape(logits)[0], 1])


def chosen_classes(ids: Any, vocabulary: Any) -> Any:
    """Returns the labels of these class numbers, or the numbers as text."""
    if not vocabulary:
        return tf.strings.as_string(ids, name="str_classes")
    table = index_to_string(vocabulary)
    return table.lookup(ids)


def index_to_string(vocabulary: Any) -> Any:
    """Returns a table from class numbers to labels."""
    from tf2bridge.internals.ops import index_to_string_table_from_tensor

    return index_to_string_table_from_tensor(vocabulary_list=list(vocabulary), name="class_string_lookup")


def string_to_index(vocabulary: Any) -> Any:
    """Returns a table from labels to class numbers, -1 for any other."""
    from tf2bridge.internals.ops import index_table_from_tensor

    return index_table_from_tensor(vocabulary_list=tuple(vocabulary), name="class_id_lookup")


def two_class_logits(logits: Any) -> Any:
    """[batch, 2]: the logit of the first class is 0."""
    return tf.concat((tf.zeros_like(logits), logits), axis=-1, name="two_class_logits")


def class_ids(logits: Any) -> Any:
    """[D0, ... DN, 1]: the class of the greatest logit."""
    return tf.expand_dims(v1.argmax(logits, axis=-1, name=PredictionKeys.CLASS_IDS), axis=-1)


def classifier_outputs(
    predictions: dict[str, Any], n_classes: int, vocabulary: Any, logistic: Any = None
) -> dict[str, Any]:
    """Returns the signatures of a classifier; with `logistic`, also a regression to it."""
    scores = predictions[PredictionKeys.PROBABILITIES]
    output = ClassificationOutput(scores=scores, classes=all_classes(scores, n_classes, vocabulary))
    outputs = {keys.DEFAULT_SERVING: output, keys.CLASSIFICATION: output}
    if logistic is not None:
        outputs[keys.REGRESSION] = RegressionOutput(value=logistic)
    outputs[keys.PREDICT] = PredictOutput(predictions)
    return outputs


def regression_outputs(predictions: dict[str, Any]) -> dict[str, Any]:
    """Returns the signatures of a regression."""
    output = RegressionOutput(value=predictions[PredictionKeys.PREDICTIONS])
    return {keys.DEFAULT_SERVING: output, keys.REGRESSION: output, keys.PREDICT: PredictOutput(predictions)}
