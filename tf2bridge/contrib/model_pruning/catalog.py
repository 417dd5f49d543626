"""`tf.contrib.model_pruning`, with the private modules that programs name."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.model_pruning"
_HERE = "tf2bridge.contrib.model_pruning"
_PRIVATE = f"{_PATH}.python"

_MASKS = "apply_mask get_masked_weights get_masks get_thresholds get_weight_sparsity get_weights"
_PRUNING = "Pruning get_pruning_hparams"
_LAYERS = "masked_conv2d masked_convolution masked_fully_connected"
_CELLS = "MaskedBasicLSTMCell MaskedLSTMCell"
_STRIPPING = "graph_def_from_checkpoint strip_pruning_vars_fn"
_COLLECTIONS = "MASK_COLLECTION MASKED_WEIGHT_COLLECTION MASKED_WEIGHT_NAME THRESHOLD_COLLECTION WEIGHT_COLLECTION"

OWN = {
    **names(_PATH, f"{_HERE}.masks", _MASKS),
    **names(_PATH, f"{_HERE}.pruning", _PRUNING),
    **names(_PATH, f"{_HERE}.layers.layers", _LAYERS),
    **names(_PATH, f"{_HERE}.layers.rnn_cells", _CELLS),
    **names(_PATH, f"{_HERE}.learning", f"train {_STRIPPING}"),
    **names(f"{_PRIVATE}.layers.core_layers", f"{_HERE}.layers.core_layers", "MaskedConv2D MaskedFullyConnected"),
    **names(f"{_PRIVATE}.layers.core_layers", f"{_HERE}.masks", _COLLECTIONS),
    **names(f"{_PRIVATE}.pruning_utils", f"{_HERE}.pruning_utils", "expand_tensor factorized_pool kronecker_product"),
}

ALIASES = {
    **same(f"{_PRIVATE}.pruning", _PATH, f"{_MASKS} {_PRUNING}"),
    **same(f"{_PRIVATE}.layers.layers", _PATH, _LAYERS),
    **same(f"{_PRIVATE}.layers.rnn_cells", _PATH, _CELLS),
    **same(f"{_PRIVATE}.learning", _PATH, "train"),
    **same(f"{_PRIVATE}.strip_pruning_vars_lib", _PATH, _STRIPPING),
}
