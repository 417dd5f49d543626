"""Networks whose graphs say which tensors are features: for integrated gradients (https://arxiv.org/abs/1703.01365).

As in 1.15, only the columns that its first module of feature columns made (`_numeric_column` and others) are described;
the columns of `tf.feature_column` are read by another layer.
"""

from __future__ import annotations

import contextlib
import functools
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf
from google.protobuf.any_pb2 import Any as AnyMessage

from tf2bridge.estimator.canned.dnn import DNNClassifier, DNNRegressor
from tf2bridge.estimator.estimator import Estimator
from tf2bridge.estimator.heads.first import SUM
from tf2bridge.internals.columns import feature_column as old_columns
from tf2bridge.patching import PatchSet, put

v1 = tf.compat.v1


class LayerAnnotationsCollectionNames:
    """The collections of the graph: for features, their names and the messages that describe their tensors."""

    UNPROCESSED_FEATURES = "layer_annotations/unprocessed_features"
    PROCESSED_FEATURES = "layer_annotatons/processed_features"
    FEATURE_COLUMNS = "layer_annotations/feature_columns"

    @classmethod
    def keys(cls, collection_name: str) -> str:
        """Returns the collection of names."""
        return f"{collection_name}/keys"

    @classmethod
    def values(cls, collection_name: str) -> str:
        """Returns the collection of messages, a TensorInfo in an Any each."""
        return f"{collection_name}/values"


_NAMES = LayerAnnotationsCollectionNames


def DNNClassifierWithLayerAnnotations(  # noqa: N802  # the name that 1.x gave it
    hidden_units: Any,
    feature_columns: Any,
    model_dir: Any = None,
    n_classes: int = 2,
    weight_column: Any = None,
    label_vocabulary: Any = None,
    optimizer: Any = "Adagrad",
    activation_fn: Any = tf.nn.relu,
    dropout: float | None = None,
    input_layer_partitioner: Any = None,
    config: Any = None,
    warm_start_from: Any = None,
    loss_reduction: str = SUM,
) -> Estimator:
    """Returns `tf.estimator.DNNClassifier` with features described in its graph."""
    plain = DNNClassifier(
        hidden_units,
        feature_columns,
        model_dir,
        n_classes,
        weight_column,
        label_vocabulary,
        optimizer,
        activation_fn,
        dropout,
        input_layer_partitioner,
        config,
        warm_start_from,
        loss_reduction,
    )
    return Estimator(_annotated(plain.model_fn), model_dir, config, warm_start_from=warm_start_from)


def DNNRegressorWithLayerAnnotations(  # noqa: N802  # as above
    hidden_units: Any,
    feature_columns: Any,
    model_dir: Any = None,
    label_dimension: int = 1,
    weight_column: Any = None,
    optimizer: Any = "Adagrad",
    activation_fn: Any = tf.nn.relu,
    dropout: float | None = None,
    input_layer_partitioner: Any = None,
    config: Any = None,
    warm_start_from: Any = None,
    loss_reduction: str = SUM,
) -> Estimator:
    """Returns `tf.estimator.DNNRegressor` with features described in its graph."""
    plain = DNNRegressor(
        hidden_units,
        feature_columns,
        model_dir,
        label_dimension,
        weight_column,
        optimizer,
        activation_fn,
        dropout,
        input_layer_partitioner,
        config,
        warm_start_from,
        loss_reduction,
    )
    return Estimator(_annotated(plain.model_fn), model_dir, config, warm_start_from=warm_start_from)


def _annotated(plain: Callable[..., Any]) -> Callable[..., Any]:
    def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
        with _annotating():
            return plain(features, labels, mode, config)

    return model_fn


@contextlib.contextmanager
def _annotating() -> Iterator[None]:
    """Makes the input layer annotate its inputs and outputs."""
    with PatchSet("annotated input layers").for_a_while():
        put(old_columns, "_internal_input_layer", functools.partial(_input_layer, old_columns._internal_input_layer))
        yield


def _input_layer(genuine: Callable[..., Any], features: Any, feature_columns: Any, **options: Any) -> Any:
    tensors: dict[Any, Any] = {}
    layer = genuine(features, feature_columns, **{**options, "cols_to_output_tensors": tensors})
    for key in old_columns.make_parse_example_spec(feature_columns):
        _describe(_NAMES.UNPROCESSED_FEATURES, key, v1.convert_to_tensor_or_indexed_slices(features[key]))
    for column in feature_columns:
        v1.add_to_collection(_NAMES.FEATURE_COLUMNS, _pickled(column))
    for column, tensor in tensors.items():
        _describe(_NAMES.PROCESSED_FEATURES, column.name, tensor)
    return layer


def _describe(collection: str, name: str, tensor: Any) -> None:
    message = AnyMessage()
    message.Pack(v1.saved_model.utils.build_tensor_info(tensor))
    v1.add_to_collection(_NAMES.keys(collection), name)
    v1.add_to_collection(_NAMES.values(collection), message)


def _pickled(column: Any) -> bytes:
    """Returns the column without the function that makes its variable, because this cannot be pickled."""
    if isinstance(column, old_columns._EmbeddingColumn):
        column = column._replace(layer_creator=None)
    return pickle.dumps(column)
