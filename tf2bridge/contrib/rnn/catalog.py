"""`tf.contrib.rnn`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.rnn"
_HERE = "tf2bridge.contrib.rnn"
_CELLS = (
    "BasicLSTMCell BasicRNNCell DeviceWrapper DropoutWrapper GRUCell LSTMCell LSTMStateTuple MultiRNNCell RNNCell "
    "ResidualWrapper"
)
_PROJECTIONS = "InputProjectionWrapper OutputProjectionWrapper"
_PRIVATE = "contrib.rnn.python.ops.rnn_cell"
_LINEAR = {
    f"{path}._{name}": f"{_HERE}.core_rnn_cell:{name}"
    for path in ("nn.rnn_cell", _PATH, f"{_PATH}.python.ops.core_rnn_cell", f"{_PATH}.python.ops.core_rnn_cell_impl")
    for name in ("linear", "Linear")
}

_CONVERTING = "contrib.rnn.python.tools.checkpoint_convert"

OWN = {
    **names(_PATH, f"{_HERE}.cell", "LayerRNNCell"),
    **names(_PATH, f"{_HERE}.rnn_cell.normalized", "LayerNormBasicLSTMCell"),
    **names(_PATH, f"{_HERE}.rnn_cell.nas", "NASCell"),
    **names(_PATH, f"{_HERE}.lstm_ops", "LSTMBlockCell LSTMBlockWrapper LSTMBlockFusedCell"),
    **names(_PATH, f"{_HERE}.gru_ops", "GRUBlockCell GRUBlockCellV2"),
    **names(_PATH, f"{_HERE}.core_rnn_cell", "EmbeddingWrapper InputProjectionWrapper OutputProjectionWrapper"),
    **names(_PATH, f"{_HERE}.rnn_cell.wrappers", "HighwayWrapper CompiledWrapper"),
    **names(_PATH, f"{_HERE}.rnn_cell.attention", "AttentionCellWrapper"),
    **names(_PATH, f"{_HERE}.rnn_cell.gated", "UGRNNCell IntersectionRNNCell"),
    **names(_PATH, f"{_HERE}.rnn_cell.coupled", "CoupledInputForgetGateLSTMCell"),
    **names(_PATH, f"{_HERE}.rnn_cell.frequency", "TimeFreqLSTMCell"),
    **names(_PATH, f"{_HERE}.rnn_cell.grid", "GridLSTMCell BidirectionalGridLSTMCell"),
    **names(_PATH, f"{_HERE}.rnn_cell.phased", "PhasedLSTMCell"),
    **names(_PATH, f"{_HERE}.rnn_cell.convolutional", "ConvLSTMCell Conv1DLSTMCell Conv2DLSTMCell Conv3DLSTMCell"),
    **names(_PATH, f"{_HERE}.rnn_cell.grouped", "GLSTMCell"),
    **names(_PATH, f"{_HERE}.rnn_cell.independent", "IndRNNCell IndyGRUCell IndyLSTMCell"),
    **names(_PATH, f"{_HERE}.rnn_cell.simple", "SRUCell"),
    **names(_PATH, f"{_HERE}.fused_rnn_cell", "FusedRNNCell FusedRNNCellAdaptor TimeReversedFusedRNN"),
    **names(_PATH, f"{_HERE}.rnn", "stack_bidirectional_rnn stack_bidirectional_dynamic_rnn"),
    "contrib.rnn.transpose_batch_time": "tensorflow.python.ops.rnn:_transpose_batch_time",
    "contrib.rnn.best_effort_input_batch_size": "tensorflow.python.ops.rnn:_best_effort_input_batch_size",
    # contrib.rnn itself did not show these.
    **names(_PRIVATE, f"{_HERE}.rnn_cell.normalized", "LayerNormLSTMCell WeightNormLSTMCell"),
    **names(_PRIVATE, f"{_HERE}.rnn_cell.simple", "MinimalRNNCell CFNCell"),
    **names(_PRIVATE, f"{_HERE}.rnn_cell.turing", "NTMCell NTMControllerState"),
    **_LINEAR,
    **names(_CONVERTING, f"{_HERE}.checkpoint_convert", "RNN_NAME_REPLACEMENTS convert_names"),
    "contrib.rnn.python.ops.lstm_ops._block_lstm": f"{_HERE}.kernels:block_lstm",
    f"{_CONVERTING}._RNN_SHARDED_NAME_REPLACEMENTS": f"{_HERE}.checkpoint_convert:SHARDED_NAME_REPLACEMENTS",
    "python.ops.rnn_cell_impl._like_rnncell": f"{_HERE}.cell:like_rnncell",
    "python.ops.rnn_cell_impl.ASSERT_LIKE_RNNCELL_ERROR_REGEXP": f"{_HERE}.cell:NOT_A_CELL",
}

ALIASES = {
    **same(_PATH, "nn.rnn_cell", _CELLS),
    **same(_PATH, "nn", "static_rnn static_bidirectional_rnn"),
    "contrib.rnn.static_state_saving_rnn": "nn.static_state_saving_rnn",
    # 1.0 showed these modules.
    **same("contrib.rnn.core_rnn", "nn", "static_rnn static_bidirectional_rnn static_state_saving_rnn"),
    **same("contrib.rnn.core_rnn_cell", _PATH, f"{_CELLS} EmbeddingWrapper {_PROJECTIONS}"),
    "nn.rnn_cell.LayerRNNCell": "contrib.rnn.LayerRNNCell",
}
