"""The model_fn of an Estimator for a Keras model. It clones the model for each use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import supplier
from tf2bridge.estimator.mode_keys import ModeKeys
from tf2bridge.estimator.model_spec import EstimatorSpec
from tf2bridge.estimator.outputs import PredictOutput

v1 = tf.compat.v1


def backend() -> Any:
    """Returns the module `tf.keras.backend` with its private functions."""
    return supplier("tf_keras.src.backend")


def cloning() -> Any:
    """Returns the module of tf_keras that clones models."""
    return supplier("tf_keras.src.models.cloning")


def model_fn_of(keras_model: Any, custom_objects: Any = None, save_object_ckpt: bool = False) -> Callable[..., Any]:
    """Returns the model_fn(features, labels, mode) of a compiled model. Its checkpoints may be object-based."""
    model, optimizer_config = keras_model, _optimizer_config(keras_model)

    def model_fn(features: Any, labels: Any, mode: str) -> EstimatorSpec:
        copy = clone(model, mode, custom_objects, features, labels, optimizer_config)
        predictions = dict(zip(copy.output_names, copy.outputs, strict=True))
        train_op = _train_op(copy, mode)
        parts: dict[str, Any] = {}
        if mode != ModeKeys.PREDICT:
            parts = {"loss": copy.total_loss, "train_op": train_op, "eval_metric_ops": _metrics(copy)}
        if not copy._is_graph_network and getattr(model, "_original_attributes_cache", None) is not None:
            cloning().in_place_subclassed_model_state_restoration(model)
        return EstimatorSpec(
            mode=mode,
            predictions=predictions,
            export_outputs={"serving_default": PredictOutput(predictions)},
            scaffold=_object_scaffold(copy) if save_object_ckpt else None,
            **parts,
        )

    return model_fn


def clone(
    model: Any,
    mode: str,
    custom_objects: Any = None,
    features: Any = None,
    labels: Any = None,
    optimizer_config: Any = None,
) -> Any:
    """Returns a copy of `model` in the default graph, on the features if given, compiled unless it predicts.

    A subclassed model is not copied. It is reset and built again.

    Raises:
        KeyError: The names of features or labels are not those of the model's inputs or outputs.
    """
    backend().set_learning_phase(mode == ModeKeys.TRAIN)
    inputs, targets, weights = _fed(model, features, labels)
    compiled = mode != ModeKeys.PREDICT
    step = None
    if compiled:
        step = v1.train.get_or_create_global_step()
        backend().track_variable(step)
    copy = cloning().clone_and_build_model(
        model,
        inputs,
        targets,
        custom_objects,
        compile_clone=compiled,
        in_place_reset=not model._is_graph_network,
        optimizer_iterations=step,
        optimizer_config=optimizer_config,
    )
    if weights is not None:
        standardized = supplier("tf_keras.src.engine.training_utils_v1").standardize_sample_weights
        copy._compile_weights_loss_and_weighted_metrics(standardized(weights, copy.output_names))
    return copy


def _object_scaffold(model: Any) -> Any:
    """Returns a scaffold that saves the model by object paths. The global step becomes a part of the model."""
    from tf2bridge.internals.training import checkpoint, graph_view

    model._track_trackable(v1.train.get_global_step(), "estimator_global_step")
    saver = v1.train.Saver(graph_view.ObjectGraphView(model).frozen_saveable_objects(), sharded=True)
    saver._object_restore_saver = checkpoint.frozen_saver(model)
    return v1.train.Scaffold(saver=saver)


def _optimizer_config(model: Any) -> Any:
    """Returns the optimizer's configuration, or None for one of tf.train. Call it in the model's graph."""
    try:
        if isinstance(model.optimizer, (tuple, list)):
            return [optimizer.get_config() for optimizer in model.optimizer]
        return model.optimizer.get_config()
    except (NotImplementedError, AttributeError):
        return None


def _train_op(model: Any, mode: str) -> Any:
    """Builds the training or evaluation of the model. Returns the op of a training step, or None."""
    if mode == ModeKeys.TRAIN:
        model._make_train_function()
        return model.train_function.updates_op
    if mode == ModeKeys.EVAL:
        model._make_test_function()
    return None


def _metrics(model: Any) -> dict[str, Any] | None:
    """Returns the metrics of `compile`, without those that layers added by `add_metric`."""
    if not getattr(model, "_compile_metrics", None):
        return None
    return {metric.name: metric for metric in model._compile_metric_functions}


def _fed(model: Any, features: Any, labels: Any) -> tuple[Any, Any, Any]:
    """Returns (inputs, targets, sample weights) in the order of the model, each None if absent."""
    weights = None
    if isinstance(features, dict) and set(features) == {"features", "sample_weights"}:
        features, weights = features["features"], features["sample_weights"]
    if isinstance(model.inputs, dict):
        inputs: Any = {key: _tensor(features[key]) for key in model.inputs}
    else:
        inputs = _in_order(features, _names(model, features, "input"), "features", "inputs")
    return inputs, _in_order(labels, _names(model, labels, "output"), "labels", "outputs"), weights


def _names(model: Any, given: Any, kind: str) -> list[str]:
    """Returns the keys that a dict must have. A subclassed model has no names, so they are numbered."""
    if not isinstance(given, dict):
        return []
    if model._is_graph_network:
        names: list[str] = getattr(model, f"{kind}_names")
        return names
    return [f"{kind}_{number}" for number in range(1, len(given) + 1)]


def _in_order(given: Any, names: Iterable[str], kind: str, order: str) -> list[Any] | None:
    if given is None:
        return None
    if isinstance(given, dict):
        if different := set(given) ^ set(names):
            raise KeyError(
                f"The dictionary passed into {kind} does not have the expected {order} keys defined in the keras "
                f"model.\n\tExpected keys: {set(names)}\n\t{kind} keys: {set(given)}\n\tDifference: {different}"
            )
        return [_tensor(given[name]) for name in names]
    return [_tensor(value) for value in (given if isinstance(given, (list, tuple)) else [given])]


def _tensor(value: Any) -> Any:
    return value if tf.is_tensor(value) else v1.convert_to_tensor_or_sparse_tensor(value)
