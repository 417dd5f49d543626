"""`tf.feature_column`: what TensorFlow 2 computes otherwise."""

from __future__ import annotations

from tf2bridge.v1.listing import names

OWN = names(
    "feature_column",
    "tf2bridge.estimator.identity_column",
    "categorical_column_with_identity sequence_categorical_column_with_identity",
)
