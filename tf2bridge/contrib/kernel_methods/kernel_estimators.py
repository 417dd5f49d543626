"""A linear classifier of contrib.learn over mapped features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.kernel_methods.dense_kernel_mapper import DenseKernelMapper
from tf2bridge.contrib.layers.feature_column.numeric import _RealValuedColumn, real_valued_column
from tf2bridge.contrib.learn.canned.linear import linear_model_fn
from tf2bridge.contrib.learn.estimators.estimator import Estimator
from tf2bridge.contrib.learn.estimators.model_fn import PredictionKey
from tf2bridge.contrib.learn.heads.functions import multi_class_head

v1 = tf.compat.v1
Mappers = Mapping[Any, Sequence[DenseKernelMapper]]


def _mapped(features: dict[str, Any], columns: Any, mappers: Mappers | None) -> tuple[dict[str, Any], Any]:
    """Returns the features and columns, with one column more for each that has mappers."""
    if mappers is None:
        return features, columns
    features, columns = dict(features), set(columns)
    for column, of_column in mappers.items():
        if not isinstance(column, _RealValuedColumn):
            v1.logging.warning("%s is no real valued column: it is not mapped.", column.name)
            continue
        name = f"{column.name}_MAPPED"
        columns.add(real_valued_column(name, sum(mapper.output_dim for mapper in of_column)))
        features[name] = tf.concat([mapper.map(features[column.name]) for mapper in of_column], 1)
    return features, columns


def _model_fn(features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None) -> Any:
    features, columns = _mapped(features, params["feature_columns"], params["kernel_mappers"])
    return linear_model_fn(features, labels, mode, {**params, "feature_columns": columns}, config)


class KernelLinearClassifier(Estimator):
    """A linear classifier of `feature_columns`, and of the columns that `kernel_mappers` maps.

    Raises:
        ValueError: there are neither columns nor mappers, or a mapper is not valid.
    """

    def __init__(
        self,
        feature_columns: Any = None,
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column_name: str | None = None,
        optimizer: Any = None,
        kernel_mappers: Mappers | None = None,
        config: Any = None,
    ) -> None:
        if not feature_columns and not kernel_mappers:
            raise ValueError("there are neither feature_columns nor kernel_mappers; give either")
        for mapper in (mapper for of_column in (kernel_mappers or {}).values() for mapper in of_column):
            if not isinstance(mapper, DenseKernelMapper):
                raise ValueError(f"kernel_mappers holds {mapper!r}; every mapper must be a DenseKernelMapper")
        params = {
            "head": multi_class_head(n_classes=n_classes, weight_column_name=weight_column_name),
            "feature_columns": feature_columns or [],
            "optimizer": optimizer,
            "kernel_mappers": kernel_mappers,
        }
        super().__init__(_model_fn, model_dir, config, params)

    def predict_classes(self, input_fn: Any = None) -> Any:
        """Yields the class of each example."""
        key = PredictionKey.CLASSES
        return (row[key] for row in self.predict(input_fn=input_fn, outputs=[key]))

    def predict_proba(self, input_fn: Any = None) -> Any:
        """Yields the probabilities of all classes for each example."""
        key = PredictionKey.PROBABILITIES
        return (row[key] for row in self.predict(input_fn=input_fn, outputs=[key]))
