"""The three uses that a model_fn is called for."""

from __future__ import annotations


class ModeKeys:
    """The values of `mode` of a model_fn and of an EstimatorSpec."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"
