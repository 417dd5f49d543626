"""`tf.contrib.losses`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_PATH = "contrib.losses"
_HERE = "tf2bridge.contrib.losses"
_METRIC = "contrib.losses.metric_learning"
_PRIVATE_METRIC = "contrib.losses.python.metric_learning.metric_loss_ops"

_BASIC = "absolute_difference mean_squared_error log_loss hinge_loss cosine_distance mean_pairwise_squared_error"
_CROSS_ENTROPY = "sigmoid_cross_entropy softmax_cross_entropy sparse_softmax_cross_entropy"
_LEARNED = "contrastive_loss triplet_semihard_loss npairs_loss npairs_loss_multilabel lifted_struct_loss"

OWN = {
    **names(_PATH, f"{_HERE}.loss_ops", "add_loss get_losses get_regularization_losses get_total_loss"),
    **names(_PATH, f"{_HERE}.loss_ops", "compute_weighted_loss"),
    **names(_PATH, f"{_HERE}.loss_ops", _BASIC),
    **names(_PATH, f"{_HERE}.loss_ops", _CROSS_ENTROPY),
    **names(_METRIC, f"{_HERE}.metric_loss_ops", _LEARNED),
    **names(_PRIVATE_METRIC, f"{_HERE}.metric_loss_ops", "pairwise_distance masked_maximum masked_minimum"),
}
