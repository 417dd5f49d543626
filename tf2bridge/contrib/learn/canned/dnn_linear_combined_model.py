"""The model_fn of a network combined with a linear model ("wide and deep")."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.layers.optimizers.optimize_loss import optimize_loss
from tf2bridge.contrib.learn.canned import linear
from tf2bridge.contrib.learn.canned.dnn import LEARNING_RATE
from tf2bridge.contrib.learn.canned.network import (
    SLICE,
    by_name,
    embedding_multipliers,
    linear_logits,
    network_logits,
    optimizer_of,
    partitioner_of,
)
from tf2bridge.contrib.learn.preprocessing.text import ModeKeys

v1 = tf.compat.v1
NO_COLUMNS = "Either linear_feature_columns or dnn_feature_columns must be defined."


def combined_model_fn(features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None) -> Any:
    """Returns the ModelFnOps of the sum of both logits; `params` are the arguments of DNNLinearCombinedEstimator.

    Raises ValueError without columns, for a network without layers, and for SyncReplicasOptimizer.
    """
    if not params.get("linear_feature_columns") and not params.get("dnn_feature_columns"):
        raise ValueError(NO_COLUMNS)
    head, features = params["head"], by_name(features)
    optimizers = {
        "linear": _optimizer(params.get("linear_optimizer") or "Ftrl"),
        "dnn": _optimizer(params.get("dnn_optimizer") or "Adagrad"),
    }
    network, input_scope = _network(features, mode, params, config, head.logits_dimension)
    sums = _sums(features, params, config, head.logits_dimension)
    parts = [part for part in (network, sums) if part is not None]

    def train_op_fn(loss: Any) -> Any:
        return _train_op(loss, params, optimizers, input_scope, network is not None, sums is not None)

    logits = parts[0] if len(parts) == 1 else network + sums
    return head.create_model_fn_ops(features, mode, labels, train_op_fn, logits)


def _network(features: dict[str, Any], mode: str, params: dict[str, Any], config: Any, size: int) -> tuple[Any, str]:
    """Returns the logits of the network, or None, and the scope of its input."""
    if not params.get("dnn_feature_columns"):
        return None, ""
    if not params.get("dnn_hidden_units"):
        raise ValueError("dnn_hidden_units must be defined when dnn_feature_columns is specified.")
    with v1.variable_scope("dnn", values=tuple(features.values()), partitioner=partitioner_of(config)):
        return network_logits(
            features,
            params["dnn_feature_columns"],
            params["dnn_hidden_units"],
            size,
            params.get("dnn_activation_fn") or tf.nn.relu,
            params.get("dnn_dropout") if mode == ModeKeys.TRAIN else None,
            params.get("input_layer_partitioner") or partitioner_of(config, SLICE),
            _summarize,
        )


def _sums(features: dict[str, Any], params: dict[str, Any], config: Any, size: int) -> Any:
    """Returns the logits of the linear model, or None."""
    columns = params.get("linear_feature_columns")
    if not columns:
        return None
    values = tuple(features.values())
    with v1.variable_scope("linear", values=values, partitioner=partitioner_of(config, SLICE)) as scope:
        logits = linear_logits(features, columns, size, params.get("joint_linear_weights") or False, scope)
        _summarize(logits, scope.name)
    return logits


def _train_op(
    loss: Any, params: dict[str, Any], optimizers: dict[str, Any], input_scope: str, has_network: bool, has_sums: bool
) -> Any:
    step = v1.train.get_global_step()
    counts_once = params.get("fix_global_step_increment_bug", True)
    shared: dict[str, Any] = {
        "loss": loss,
        "global_step": step,
        "clip_gradients": params.get("gradient_clip_norm"),
        "summaries": [],
        "increment_global_step": not counts_once,
    }
    parts: list[tuple[str, float, Any]] = []
    if has_network:
        multipliers = params.get("embedding_lr_multipliers", {})
        parts.append(("dnn", LEARNING_RATE, embedding_multipliers(multipliers, "dnn", input_scope)))
    if has_sums:
        parts.append(("linear", linear.learning_rate(len(params["linear_feature_columns"])), None))
    train_op = tf.group(
        *(
            optimize_loss(
                **shared,
                learning_rate=rate,
                optimizer=optimizers[name],
                gradient_multipliers=multipliers,
                variables=v1.get_collection(name),
                name=name,
            )
            for name, rate, multipliers in parts
        )
    )
    if not counts_once:
        return train_op
    with tf.control_dependencies([train_op]), v1.colocate_with(step):
        return v1.assign_add(step, 1).op


def _optimizer(optimizer: Any) -> Any:
    optimizer = optimizer_of(optimizer)
    if isinstance(optimizer, v1.train.SyncReplicasOptimizer):
        raise ValueError(
            "SyncReplicasOptimizer is not supported in DNNLinearCombined model. If you want to use this optimizer, "
            "please use either DNN or Linear model."
        )
    return optimizer


def _summarize(value: Any, tag: str) -> None:
    v1.summary.scalar(f"{tag}/fraction_of_zero_values", v1.nn.zero_fraction(value))
    v1.summary.histogram(f"{tag}/activation", value)
