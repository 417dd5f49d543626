"""`tf.contrib.nn`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_PATH = "contrib.nn"
_HERE = "tf2bridge.contrib.nn"

_LOSSES = (
    "deprecated_flipped_softmax_cross_entropy_with_logits deprecated_flipped_sparse_softmax_cross_entropy_with_logits "
    "deprecated_flipped_sigmoid_cross_entropy_with_logits sampled_sparse_softmax_loss rank_sampled_softmax_loss"
)

OWN = {
    **names(_PATH, f"{_HERE}.losses", _LOSSES),
    **names(_PATH, f"{_HERE}.activations", "alpha_dropout scaled_softplus"),
    **names(f"{_PATH}.python.ops.fwd_gradients", f"{_HERE}.forward_gradients", "fwd_gradients"),
    f"{_PATH}.nth_element": "tensorflow.python.ops.nn_ops:nth_element",
}

ALIASES = {f"{_PATH}.conv1d_transpose": "nn.conv1d_transpose"}
