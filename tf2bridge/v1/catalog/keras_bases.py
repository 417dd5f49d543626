"""Names of private modules of `tensorflow.python.keras` that lie in other modules of tf_keras.

TensorFlow 2.21 still brings a Keras of 2.5 along under the old path. What is found there does not fit the layers and
models of tf_keras: a subclass of its `_Merge` is no layer for them, and none of their convolutions is its `Conv`.
"""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_PATH = "python.keras"
_KERAS = "tf_keras.src"
_LAYERS = f"{_KERAS}.layers"
_LEGACY = f"{_KERAS}.saving.legacy"
_POOLING = f"{_PATH}.layers.pooling"
_RECURRENT = f"{_PATH}.layers.recurrent"
_UTILS = f"{_LAYERS}.rnn.rnn_utils"
_MIXIN = f"{_LAYERS}.rnn.dropout_rnn_cell_mixin"
_ATTENTION = f"{_LAYERS}.attention.base_dense_attention"
_CLONES = (
    "clone_and_build_model in_place_subclassed_model_state_restoration _clone_functional_model "
    "_clone_sequential_model _in_place_subclassed_model_reset _insert_ancillary_layers _make_new_nodes "
    "_remove_ancillary_layers _reset_build_compile_trackers"
)
_CONFUSIONS = f"{_KERAS}.metrics.confusion_metrics"
_WRAPPERS = "DeviceWrapper DropoutWrapper ResidualWrapper"

_WEIGHTS = "save_weights_to_hdf5_group load_weights_from_hdf5_group load_weights_from_hdf5_group_by_name"
_GROUPS = "tf2bridge.keras.hdf5_groups"

OWN = {
    **names(f"{_PATH}.engine.saving", _GROUPS, _WEIGHTS),
    **names(f"{_PATH}.saving.hdf5_format", _GROUPS, _WEIGHTS),
    **names(f"{_PATH}.saving", _GROUPS, _WEIGHTS),
    **names(f"{_PATH}.layers.convolutional", f"{_LAYERS}.convolutional.base_conv", "Conv"),
    **names(f"{_PATH}.layers.convolutional", f"{_LAYERS}.convolutional.base_separable_conv", "SeparableConv"),
    **names(f"{_PATH}.layers.dense_attention", _ATTENTION, "BaseDenseAttention _lower_triangular_mask _merge_masks"),
    **names(f"{_PATH}.layers.merge", f"{_LAYERS}.merging.base_merge", "_Merge"),
    **{
        f"{_POOLING}.{kind}Pooling{rank}D": f"{_LAYERS}.pooling.base_{prefix}pooling{rank}d:{kind}Pooling{rank}D"
        for kind, prefix in (("", ""), ("Global", "global_"))
        for rank in (1, 2, 3)
    },
    **names(_RECURRENT, _MIXIN, "DropoutRNNCellMixin"),
    f"{_PATH}.metrics._ConfusionMatrixConditionCount": f"{_CONFUSIONS}:_ConfusionMatrixConditionCount",
    f"{_RECURRENT}._standardize_args": f"{_UTILS}:standardize_args",
    f"{_PATH}.layers.wrappers._standardize_args": f"{_UTILS}:standardize_args",
    f"{_RECURRENT}._is_multiple_state": f"{_UTILS}:is_multiple_state",
    f"{_RECURRENT}._generate_zero_filled_state": f"{_UTILS}:generate_zero_filled_state",
    f"{_RECURRENT}._generate_zero_filled_state_for_cell": f"{_UTILS}:generate_zero_filled_state_for_cell",
    **names(f"{_PATH}.layers.rnn_cell_wrapper_v2", f"{_LAYERS}.rnn.cell_wrappers", _WRAPPERS),
    **names(f"{_PATH}.layers", f"{_LAYERS}.rnn.cell_wrappers", _WRAPPERS),
    f"{_PATH}.layers.rnn_cell_wrapper_v2._RNNCellWrapperV2": f"{_LAYERS}.rnn.cell_wrappers:_RNNCellWrapper",
    **names(f"{_PATH}.models", f"{_KERAS}.models.cloning", _CLONES),
}

HELD = {
    f"{_PATH}.engine.saving": f"{_LEGACY}.hdf5_format {_LEGACY}.model_config {_LEGACY}.save",
    f"{_PATH}.saving.hdf5_format": f"{_LEGACY}.hdf5_format",
    f"{_PATH}.saving.model_config": f"{_LEGACY}.model_config",
    f"{_PATH}.saving.save": f"{_LEGACY}.save",
    f"{_PATH}.saving.saving_utils": f"{_LEGACY}.saving_utils",
    f"{_PATH}.saving.saved_model.load": f"{_LEGACY}.saved_model.load",
    f"{_PATH}.saving.saved_model.save": f"{_LEGACY}.saved_model.save",
    f"{_PATH}.saving.saved_model.serialized_attributes": f"{_LEGACY}.saved_model.serialized_attributes",
    f"{_PATH}.saving.saved_model.utils": f"{_LEGACY}.saved_model.utils",
    f"{_PATH}.optimizer_v2.optimizer_v2": f"{_KERAS}.optimizers.legacy.optimizer_v2",
    f"{_PATH}.utils.generic_utils": f"{_KERAS}.utils.generic_utils {_LEGACY}.serialization",
}
