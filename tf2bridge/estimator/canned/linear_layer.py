"""`_LinearModelLayer` and `LinearModel` of 1.15: linear models over feature columns that Keras can save."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import KERAS, supplier
from tf2bridge.estimator.canned.linear_model import checked_columns, weighted
from tf2bridge.estimator.canned.state import names_below
from tf2bridge.internals.columns import feature_column_v2 as columns
from tf2bridge.internals.columns import serialization

v1 = tf.compat.v1


class LinearModelLayer(supplier(f"{KERAS}.layers").Layer):  # type: ignore[misc]  # tf_keras has no types
    """Features, a dictionary of tensors -> [batch, units].

    Raises ValueError for columns that are no dense or categorical ones.
    """

    def __init__(
        self,
        feature_columns: Any,
        units: int = 1,
        sparse_combiner: str = "sum",
        trainable: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, trainable=trainable, **kwargs)
        self._feature_columns = checked_columns(feature_columns)
        self._units, self._sparse_combiner = units, sparse_combiner
        self._state_manager = columns._StateManagerImpl(self, self.trainable)
        self.bias: Any = None

    def build(self, _: Any) -> None:
        """Makes the weights of each column, [size, units], and the bias, [units], all zero."""
        zeros = v1.zeros_initializer()
        with names_below(self.name):
            for column in self._feature_columns:
                with names_below(column.name):
                    column.create_state(self._state_manager)
                    categorical = isinstance(column, columns.CategoricalColumn)
                    size = column.num_buckets if categorical else column.variable_shape.num_elements()
                    self._state_manager.create_variable(
                        column,
                        name="weights",
                        dtype=tf.float32,
                        shape=(size, self._units),
                        initializer=zeros,
                        trainable=self.trainable,
                    )
            self.bias = self.add_weight(
                name="bias_weights",
                dtype=tf.float32,
                shape=[self._units],
                initializer=zeros,
                trainable=self.trainable,
                use_resource=True,
                getter=v1.get_variable,
            )
        super().build(None)

    def call(self, features: Any) -> Any:
        """Returns the sum of the terms of all columns and of the bias."""
        with v1.name_scope(self.name):
            return weighted(features, self._state_manager, self._feature_columns, self._sparse_combiner, self.bias)

    def get_config(self) -> dict[str, Any]:
        """Returns the configuration for `from_config`."""
        return {
            **super().get_config(),
            "feature_columns": serialization.serialize_feature_columns(self._feature_columns),
            "units": self._units,
            "sparse_combiner": self._sparse_combiner,
        }

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """Returns the layer that `config` describes."""
        own = dict(config)
        described = own.pop("feature_columns")
        return cls(serialization.deserialize_feature_columns(described, custom_objects=custom_objects), **own)


class LinearModel(supplier(f"{KERAS}.models").Model):  # type: ignore[misc]  # as above
    """The layer as a model of Keras."""

    def __init__(
        self,
        feature_columns: Any,
        units: int = 1,
        sparse_combiner: str = "sum",
        trainable: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, **kwargs)
        self.layer = LinearModelLayer(feature_columns, units, sparse_combiner, trainable, name=self.name, **kwargs)

    def call(self, features: Any) -> Any:
        """Returns the result of the layer."""
        return self.layer(features)

    @property
    def bias(self) -> Any:
        """The bias of the layer; None before it is built."""
        return self.layer.bias
