"""Policies of `tf.keras.mixed_precision.experimental`, as layers and models of 1.15 followed them.

- A layer with the policy "infer_with_float32_vars" keeps float32 variables when it learns the dtype of its input.
- A model whose policy has a loss scale wraps its optimizer for it when it is compiled.

tf_keras has neither (engine/base_layer.py, engine/training_v1.py). Its own policies stay as they are.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import tensorflow as tf

from tf2bridge.patching import put

_ENGINE = "tf_keras.src.engine"


def install() -> None:
    """Changes layers and models, for the whole process."""
    for name in ("base_layer", "base_layer_v1"):
        layer: Any = importlib.import_module(f"{_ENGINE}.{name}").Layer
        put(layer, "_set_dtype_policy", _keeping_variables(layer._set_dtype_policy))
    layer = importlib.import_module(f"{_ENGINE}.base_layer").Layer
    put(layer, "_infer_output_signature", _after_the_dtype(layer._infer_output_signature))
    graph_model: Any = importlib.import_module(f"{_ENGINE}.training_v1").Model
    put(graph_model, "_set_optimizer", _setting(graph_model._set_optimizer))
    model: Any = importlib.import_module(f"{_ENGINE}.training").Model
    put(model, "_get_optimizer", _getting(model._get_optimizer))


def _keeping_variables(set_policy: Any) -> Any:
    @functools.wraps(set_policy)
    def changed(self: Any, dtype: Any) -> None:
        before = vars(self).get("_dtype_policy")
        if _is_to_learn(before) and dtype.variable_dtype == dtype.compute_dtype:
            from tf2bridge.behaviour.old_keras.mixed_precision import policy

            dtype = policy.with_input_dtype(before, dtype.name)
        set_policy(self, dtype)
        cell = vars(self).get("cell")
        learned, own = self._dtype_policy, getattr(cell, "_dtype_policy", None)
        if learned.compute_dtype and own is not None and own.compute_dtype is None:
            cell._set_dtype_policy(learned)  # 1.15 computed a cell within its layer's call

    return changed


def _is_to_learn(policy: Any) -> bool:
    """Returns whether a policy has no dtype yet and keeps float32 variables."""
    return getattr(policy, "name", None) == "infer_with_float32_vars"


def _after_the_dtype(infer: Any) -> Any:
    """Returns the method that first sets the dtype of the policy.

    tf_keras chooses the dtype to which variables are cast before it builds the layer.
    """

    @functools.wraps(infer)
    def changed(self: Any, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        if _is_to_learn(self._dtype_policy):
            first = next((value for value in tf.nest.flatten(inputs) if hasattr(value, "dtype")), None)
            if first is not None:
                policies: Any = importlib.import_module("tf_keras.src.mixed_precision.policy")
                self._set_dtype_policy(policies.Policy(first.dtype.base_dtype.name))
        return infer(self, inputs, *args, **kwargs)

    return changed


def _setting(set_optimizer: Any) -> Any:
    @functools.wraps(set_optimizer)
    def changed(self: Any, optimizer: Any) -> None:
        if hasattr(self._dtype_policy, "loss_scale"):
            self.optimizer = _scaled(self._dtype_policy, optimizer)
        else:
            set_optimizer(self, optimizer)

    return changed


def _getting(get_optimizer: Any) -> Any:
    @functools.wraps(get_optimizer)
    def changed(self: Any, optimizer: Any) -> Any:
        policy = self.dtype_policy
        return _scaled(policy, optimizer) if hasattr(policy, "loss_scale") else get_optimizer(self, optimizer)

    return changed


def _scaled(policy: Any, optimizer: Any) -> Any:
    """Returns the optimizer (or optimizers) for what `compile` was given, wrapped if the policy scales the loss."""
    optimizers: Any = importlib.import_module("tf_keras.src.optimizers")
    given = tf.nest.map_structure(optimizers.get, optimizer)
    if policy.loss_scale is None:
        return given
    from tf2bridge.behaviour.old_keras.mixed_precision.loss_scale_optimizer import LossScaleOptimizer

    if isinstance(given, LossScaleOptimizer):
        return given
    if isinstance(given, (list, tuple)):
        raise ValueError(
            "When a dtype policy with a loss scale is used, you can only pass a single optimizer. "
            f"Using policy {policy} and got optimizers: {given}"
        )
    legacy: Any = importlib.import_module("tf_keras.src.optimizers.legacy.optimizer_v2")
    if not isinstance(given, legacy.OptimizerV2):
        raise ValueError(
            '"optimizer" must be an instance of tf.keras.optimizers.Optimizer when a dype policy with a loss scale '
            f"used, but got: {given}. Using policy: {policy}"
        )
    return LossScaleOptimizer(given, policy.loss_scale)
