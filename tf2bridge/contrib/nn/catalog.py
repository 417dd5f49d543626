"""`tf.contrib.nn`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_PATH = "contrib.nn"
_HERE = "tf2bridge.contrib.nn"


OWN = {
    **names(
        _PATH,
        f"{_HERE}.cross_entropy",
        "deprecated_flipped_softmax_cross_entropy_with_logits "
        "deprecated_flipped_sparse_softmax_cross_entropy_with_logits "
        "deprecated_flipped_sigmoid_cross_entropy_with_logits",
    ),
    **names(_PATH, f"{_HERE}.sampling_ops", "sampled_sparse_softmax_loss rank_sampled_softmax_loss"),
    **names(_PATH, f"{_HERE}.alpha_dropout", "alpha_dropout"),
    **names(_PATH, f"{_HERE}.scaled_softplus", "scaled_softplus"),
    **names(f"{_PATH}.python.ops.fwd_gradients", f"{_HERE}.fwd_gradients", "fwd_gradients"),
    f"{_PATH}.nth_element": "tensorflow.python.ops.nn_ops:nth_element",
}

ALIASES = {f"{_PATH}.conv1d_transpose": "nn.conv1d_transpose"}
