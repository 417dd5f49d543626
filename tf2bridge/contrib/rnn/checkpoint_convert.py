"""Checkpoints of recurrent cells before 1.2, whose variables were called weights and biases, under today's names."""

from __future__ import annotations

import logging
from collections import OrderedDict
from typing import Any

import tensorflow as tf

from tf2bridge.formats.checkpoints.names import KERNEL_AND_BIAS

v1 = tf.compat.v1
_log = logging.getLogger(__name__)

_NAS = {"nas_rnn/weights": "nas_rnn/kernel", "nas_rnn/recurrent_weights": "nas_rnn/recurrent_kernel"}
_BEFORE_NAS = KERNEL_AND_BIAS.index("ugrnn_cell") + 1
_DECODER = "attention_decoder"


def _renamed(scopes: tuple[str, ...]) -> dict[str, str]:
    new_names = {}
    for scope in scopes:
        new_names[f"{scope}/weights"] = f"{scope}/kernel"
        new_names[f"{scope}/biases"] = f"{scope}/bias"
    return new_names


def _of_linear(scope: str) -> dict[str, str]:
    """Returns the linear maps of 0.12, in alphabetical order."""
    return {f"{scope}/Linear/Bias": f"{scope}/bias", f"{scope}/Linear/Matrix": f"{scope}/kernel"}


RNN_NAME_REPLACEMENTS = OrderedDict(
    [
        *_renamed(KERNEL_AND_BIAS[:_BEFORE_NAS]).items(),
        *_NAS.items(),
        *_renamed(KERNEL_AND_BIAS[_BEFORE_NAS:]).items(),
        *_of_linear(f"{_DECODER}/Attention_0").items(),
        *_of_linear(f"{_DECODER}/AttnOutputProjection").items(),
        (f"{_DECODER}/LSTMCell/B", f"{_DECODER}/lstm_cell/bias"),
        (f"{_DECODER}/LSTMCell/W_0", f"{_DECODER}/lstm_cell/kernel"),
        *_of_linear(_DECODER).items(),
    ]
)
"""Part of a name -> what it is called today; the first that a name has is replaced."""

SHARDED_NAME_REPLACEMENTS = OrderedDict(
    [
        ("LSTMCell/W_", "lstm_cell/weights/part_"),
        ("BasicLSTMCell/Linear/Matrix_", "basic_lstm_cell/weights/part_"),
        ("GRUCell/W_", "gru_cell/weights/part_"),
        ("MultiRNNCell/Cell", "multi_rnn_cell/cell_"),
    ]
)
"""The same for weights in parts, for programs that read it; `convert_names` leaves these, as in 1.15."""


def convert_names(
    checkpoint_from_path: str, checkpoint_to_path: str, write_v1_checkpoint: bool = False
) -> tuple[dict[str, Any], dict[str, str]]:
    """Writes the checkpoint again with new names; returns the variables by new name, and new names by old ones.

    `write_v1_checkpoint` writes the format of 0.x.
    """
    with tf.Graph().as_default():
        reader = v1.train.NewCheckpointReader(checkpoint_from_path)
        variables, changed = {}, {}
        for old in reader.get_variable_to_shape_map():
            new = _today(old)
            variables[new] = v1.Variable(reader.get_tensor(old), name=old)
            if new != old:
                changed[old] = new
        version = v1.train.SaverDef.V1 if write_v1_checkpoint else v1.train.SaverDef.V2
        saver = v1.train.Saver(variables, write_version=version)
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            saver.save(session, checkpoint_to_path)
    _log.info("%s: %d of %d variables have new names", checkpoint_to_path, len(changed), len(variables))
    return variables, changed


def _today(name: str) -> str:
    for old, new in RNN_NAME_REPLACEMENTS.items():
        if old in name:
            return name.replace(old, new)
    return name
