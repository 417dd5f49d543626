"""The three uses that a model_fn is called for."""

from __future__ import annotations


class ModeKeys:
    """What `mode` of a model_fn and of an EstimatorSpec may be."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"
