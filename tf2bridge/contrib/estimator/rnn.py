"""Estimators of recurrent networks over feature columns of sequences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_cells, core_layers
from tf2bridge.contrib.estimator.extenders import clip_gradients_by_norm
from tf2bridge.contrib.feature_column.sequence_feature_column import concatenate_context_input, sequence_input_layer
from tf2bridge.estimator.canned.optimizers import LARGE_SLICE, check_features, optimizer_of, partitioner
from tf2bridge.estimator.estimator import Estimator
from tf2bridge.estimator.heads.first_classifiers import binary_or_multi_class
from tf2bridge.estimator.heads.sequential import SequentialHead

v1 = tf.compat.v1

LEARNING_RATE = 0.05
CLIP_NORM = 5.0
CELLS = {"basic_rnn": "BasicRNNCell", "lstm": "BasicLSTMCell", "gru": "GRUCell"}
USE_DEFAULT = object()
"""No cell type was given: a "basic_rnn", unless the caller makes the cell."""


class RNNClassifier(Estimator):
    """A recurrent classifier of full sequences, for two or more classes.

    Raises:
        ValueError: `rnn_cell_fn` is given together with `num_units` or `cell_type`.
    """

    def __init__(
        self,
        sequence_feature_columns: Any,
        context_feature_columns: Any = None,
        num_units: Any = None,
        cell_type: Any = USE_DEFAULT,
        rnn_cell_fn: Any = None,
        model_dir: Any = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: Any = None,
        optimizer: Any = "Adagrad",
        loss_reduction: str = v1.losses.Reduction.SUM_OVER_BATCH_SIZE,
        input_layer_partitioner: Any = None,
        config: Any = None,
    ) -> None:
        cell_fn = _cell_fn(rnn_cell_fn, num_units, cell_type)
        head = binary_or_multi_class(n_classes, weight_column, label_vocabulary, loss_reduction)
        sequences, context = tuple(sequence_feature_columns or ()), tuple(context_feature_columns or ())

        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
            chosen = (head, cell_fn, sequences, context, False, optimizer, input_layer_partitioner, config)
            return rnn_model_fn(features, labels, mode, *chosen)

        super().__init__(model_fn, model_dir, config)


class RNNEstimator(Estimator):
    """A recurrent network with a given head, for full sequences, or with `return_sequences` for each step.

    Raises:
        ValueError: `return_sequences` is true and the head is not a SequentialHead, or `rnn_cell_fn` is given together
            with `num_units` or `cell_type`.
    """

    def __init__(
        self,
        head: Any,
        sequence_feature_columns: Any,
        context_feature_columns: Any = None,
        num_units: Any = None,
        cell_type: Any = USE_DEFAULT,
        rnn_cell_fn: Any = None,
        return_sequences: bool = False,
        model_dir: Any = None,
        optimizer: Any = "Adagrad",
        input_layer_partitioner: Any = None,
        config: Any = None,
    ) -> None:
        cell_fn = _cell_fn(rnn_cell_fn, num_units, cell_type)
        if return_sequences and not isinstance(head, SequentialHead):
            raise ValueError("Provided head must be a `_SequentialHead` object when `return_sequences` is set to True.")
        sequences, context = tuple(sequence_feature_columns or ()), tuple(context_feature_columns or ())

        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
            chosen = (head, cell_fn, sequences, context, return_sequences, optimizer, input_layer_partitioner, config)
            return rnn_model_fn(features, labels, mode, *chosen)

        super().__init__(model_fn, model_dir, config)


def _cell_fn(rnn_cell_fn: Any, num_units: Any, cell_type: Any) -> Callable[[str], Any]:
    """Returns the function mode -> cell. Raises ValueError if both the function and the cell's arguments are given."""
    if rnn_cell_fn and (num_units or cell_type is not USE_DEFAULT):
        raise ValueError("num_units and cell_type must not be specified when using rnn_cell_fn")
    return rnn_cell_fn or make_rnn_cell_fn(num_units, "basic_rnn" if cell_type is USE_DEFAULT else cell_type)


def make_rnn_cell_fn(num_units: Sequence[int], cell_type: Any = "basic_rnn") -> Callable[[str], Any]:
    """Returns a function mode -> a cell of a layer for each of `num_units`."""

    def rnn_cell_fn(mode: str) -> Any:
        del mode
        cells = [_cell(units, cell_type) for units in num_units]
        return cells[0] if len(cells) == 1 else core_cells().MultiRNNCell(cells)

    return rnn_cell_fn


def _cell(units: int, kind: Any) -> Any:
    cells = core_cells()
    made = getattr(cells, CELLS[kind]) if kind in CELLS else kind
    if not made or not issubclass(made, cells.RNNCell):
        raise ValueError(f"Supported cell types are {list(CELLS)}; got {made}")
    return made(num_units=units)


def rnn_model_fn(
    features: Any,
    labels: Any,
    mode: str,
    head: Any,
    rnn_cell_fn: Callable[[str], Any],
    sequence_feature_columns: Any,
    context_feature_columns: Any,
    return_sequences: bool = False,
    optimizer: Any = "Adagrad",
    input_layer_partitioner: Any = None,
    config: Any = None,
) -> Any:
    """Returns the EstimatorSpec; the variables lie in the scope "rnn". Raises ValueError if `features` is no dict."""
    check_features(features)
    if not isinstance(optimizer, v1.train.Optimizer):
        optimizer = clip_gradients_by_norm(optimizer_of(optimizer, LEARNING_RATE), CLIP_NORM)
    with v1.variable_scope("rnn", values=tuple(features.values()), partitioner=partitioner(config)):
        logit_fn = rnn_logit_fn_builder(
            head.logits_dimension,
            rnn_cell_fn,
            sequence_feature_columns,
            context_feature_columns,
            input_layer_partitioner or partitioner(config, LARGE_SLICE),
            return_sequences,
        )
        logits, mask = logit_fn(features=features, mode=mode)
        if return_sequences and head.input_sequence_mask_key not in features:
            features[head.input_sequence_mask_key] = mask

        def train_op_fn(loss: Any) -> Any:
            return optimizer.minimize(loss, global_step=v1.train.get_global_step())

        return head.create_estimator_spec(
            features=features, mode=mode, labels=labels, train_op_fn=train_op_fn, logits=logits
        )


def rnn_logit_fn_builder(
    output_units: int,
    rnn_cell_fn: Callable[[str], Any],
    sequence_feature_columns: Any,
    context_feature_columns: Any,
    input_layer_partitioner: Any,
    return_sequences: bool = False,
) -> Callable[..., Any]:
    """Returns a function (features, mode) -> (logits, mask of the steps, [batch, length]).

    The logits are [batch, units], or [batch, length, units] with `return_sequences`.

    Raises:
        ValueError: `output_units` is not an integer.
    """
    if not isinstance(output_units, int):
        raise ValueError(f"output_units must be an int.  Given type: {type(output_units)}")

    def rnn_logit_fn(features: Any, mode: str) -> Any:
        values = tuple(features.values())
        with v1.variable_scope("sequence_input_layer", values=values, partitioner=input_layer_partitioner):
            inputs, lengths = sequence_input_layer(features, sequence_feature_columns)
            v1.summary.histogram("sequence_length", lengths)
            if context_feature_columns:
                context = v1.feature_column.input_layer(features, context_feature_columns)
                inputs = concatenate_context_input(context, inputs)
        outputs, _ = v1.nn.dynamic_rnn(
            cell=rnn_cell_fn(mode), inputs=inputs, sequence_length=lengths, dtype=tf.float32, time_major=False
        )
        if not return_sequences:
            outputs = select_last_activations(outputs, lengths)
        with v1.variable_scope("logits", values=(outputs,)):
            glorot = v1.glorot_uniform_initializer()
            logits = core_layers().dense(outputs, units=output_units, activation=None, kernel_initializer=glorot)
        return logits, v1.sequence_mask(lengths)

    return rnn_logit_fn


def select_last_activations(activations: Any, sequence_lengths: Any) -> Any:
    """Returns the last output of each sequence, [batch, units], of [batch, length, units]."""
    with v1.name_scope("select_last_activations", values=[activations, sequence_lengths]):
        shape = v1.shape(activations)
        batch, length, units = shape[0], shape[1], shape[2]
        ends = length if sequence_lengths is None else sequence_lengths
        last = v1.cast(v1.range(batch) * length, tf.int64) + v1.cast(ends, tf.int64) - 1
        chosen = v1.gather(v1.reshape(activations, [batch * length, units]), last)
        chosen.set_shape([activations.shape[0], activations.shape[2]])
        return chosen
