"""An Estimator that also predicts its features, and an optimizer that clips its gradients."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.estimator.estimator import Estimator
from tf2bridge.estimator.outputs import PredictOutput

v1 = tf.compat.v1

_Optimizer: Any = v1.train.Optimizer


def clip_gradients_by_norm(optimizer: Any, clip_norm: float) -> Any:
    """Returns an optimizer that scales gradients so that their global norm is at most `clip_norm`."""
    return _ClippingOptimizer(optimizer, clip_norm)


class _ClippingOptimizer(_Optimizer):  # type: ignore[misc]  # TensorFlow has no types
    def __init__(self, optimizer: Any, clip_norm: float) -> None:
        super().__init__(use_locking=False, name=f"ClipByNorm{optimizer.get_name()}")
        self._optimizer, self._clip_norm = optimizer, clip_norm

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        gradients, variables = zip(*grads_and_vars, strict=True)
        clipped, _ = tf.clip_by_global_norm(gradients, self._clip_norm)
        return self._optimizer.apply_gradients(list(zip(clipped, variables, strict=True)), global_step, name)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        return self._optimizer.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        return self._optimizer.get_slot_names(*args, **kwargs)


def forward_features(estimator: Any, keys: Any = None, sparse_default_values: Any = None) -> Estimator:
    """Returns an Estimator whose predictions also hold these features, or all of them.

    A SparseTensor is made dense with its entry in `sparse_default_values`. The model_fn raises ValueError if a feature
    is missing, sparse, or already a prediction.

    Raises:
        TypeError: a key is not a string.
    """
    wanted = _checked_keys(keys)

    def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
        spec = estimator.model_fn(features, labels, mode, config)
        if not isinstance(spec.predictions, dict):
            raise ValueError(
                f"Predictions should be a dict to be able to forward features. Given: {type(spec.predictions)}"
            )
        names = list(features) if wanted is None else wanted
        added = {name: _dense(name, features, spec.predictions, sparse_default_values or {}) for name in names}
        spec = spec._replace(predictions={**spec.predictions, **added})
        for key in ("predict", "serving_default"):
            output = (spec.export_outputs or {}).get(key)
            if isinstance(output, PredictOutput):
                output.outputs.update(added)
        return spec

    return Estimator(model_fn, estimator.model_dir, estimator.config)


def _checked_keys(keys: Any) -> list[str] | None:
    if keys is None:
        return None
    if isinstance(keys, str):
        return [keys]
    if not isinstance(keys, (list, tuple)):
        raise TypeError(f"keys should be either a string or a list of strings. Given: {type(keys)}")
    for key in keys:
        if not isinstance(key, str):
            raise TypeError(
                f"All items in the given keys list should be a string. There exist an item with type: {type(key)}"
            )
    return list(keys)


def _dense(name: str, features: Any, predictions: Any, defaults: Any) -> Any:
    if name not in features:
        raise ValueError(
            f'keys should be exist in features. Key "{name}" is not in features dict. features dict has following '
            f"keys: {features.keys()}. Please check arguments of forward_features."
        )
    if name in predictions:
        raise ValueError(
            f"Cannot forward feature key ({name}). Since it does exist in predictions. Existing prediction keys: "
            f"{predictions.keys()}. Please check arguments of forward_features."
        )
    feature = v1.convert_to_tensor_or_sparse_tensor(features[name])
    if name in defaults:
        if not isinstance(feature, tf.SparseTensor):
            raise ValueError(f"Feature ({name}) is expected to be a `SparseTensor`.")
        return tf.sparse.to_dense(feature, default_value=defaults[name])
    if not isinstance(feature, tf.Tensor):
        raise ValueError(
            f"Feature ({name}) should be a Tensor. Please use `keys` argument of forward_features to filter unwanted "
            "features, or add key to argument `sparse_default_values`."
        )
    return feature
