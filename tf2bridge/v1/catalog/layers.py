"""`tf.contrib.layers`."""

from __future__ import annotations

from tf2bridge.v1.listing import names

_PATH = "contrib.layers"
_HERE = "tf2bridge.contrib.layers"

_INITIALIZERS = "xavier_initializer xavier_initializer_conv2d variance_scaling_initializer"
_REGULARIZERS = "l1_regularizer l2_regularizer l1_l2_regularizer sum_regularizer apply_regularization"

OWN = {
    **names(_PATH, f"{_HERE}.initializers", _INITIALIZERS),
    **names(_PATH, f"{_HERE}.regularizers", _REGULARIZERS),
    **names(_PATH, f"{_HERE}.reshaping", "flatten"),
}

ALIASES = {
    "contrib.layers.python.layers.initializers": "contrib.layers",
    "contrib.layers.python.layers.regularizers": "contrib.layers",
}
