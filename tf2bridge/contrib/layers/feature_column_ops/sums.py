"""Linear models: weighted sums over all columns."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.variables.making import model_variable
from tf2bridge.contrib.layers.embedding_ops import safe_embedding_lookup_sparse
from tf2bridge.contrib.layers.feature_column.base import in_order, transformed
from tf2bridge.contrib.layers.feature_column.flattening import reshaped_input
from tf2bridge.contrib.layers.feature_column.lookups import restore, variables_of
from tf2bridge.contrib.layers.feature_column_ops.inputs import with_globals
from tf2bridge.contrib.layers.feature_column_ops.parsing import check_feature_columns

v1 = tf.compat.v1


def weighted_sum_from_feature_columns(
    columns_to_tensors: Any,
    feature_columns: Any,
    num_outputs: int,
    weight_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> tuple[Any, dict[Any, Any], Any]:
    """Returns the predictions, [batch, num_outputs], {column: its variables}, and the variable `bias_weight`.

    Raises:
        ValueError: a column is given twice, or linear models do not support it.
    """
    tensors = dict(columns_to_tensors)
    check_feature_columns(feature_columns)
    settings = (num_outputs, trainable, weight_collections)
    with v1.variable_scope(scope, default_name="weighted_sum_from_feature_columns", values=tensors.values()):
        sums, variables = [], {}
        for column in in_order(feature_columns):
            tensor = transformed(tensors, column)
            variable, sums_of_column = _weighted(column, tensor, tensors, settings)
            sums.append(tf.reshape(sums_of_column, shape=(-1, num_outputs)))
            variables[column] = variable
            restore(column._checkpoint_path(), variable)
        predictions, bias = _with_bias(tf.add_n(sums), settings)
        return predictions, variables, bias


def joint_weighted_sum_from_feature_columns(
    columns_to_tensors: Any,
    feature_columns: Any,
    num_outputs: int,
    weight_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> tuple[Any, list[Any], Any]:
    """Returns the same as `weighted_sum_from_feature_columns`, with the weights of all columns in one variable.

    Raises:
        NotImplementedError: a column holds numbers.
        ValueError: a column is given twice.
    """
    tensors = dict(columns_to_tensors)
    check_feature_columns(feature_columns)
    settings = (num_outputs, trainable, weight_collections)
    with v1.variable_scope(scope, default_name="joint_weighted_sum_from_feature_columns", values=tensors.values()):
        lookups = []
        for column in in_order(feature_columns):
            tensor = transformed(tensors, column)
            try:
                lookups.append(column._wide_embedding_lookup_arguments(tensor))
            except NotImplementedError:
                raise NotImplementedError(
                    f"the column {column.name} holds numbers: bucketize it, or use weighted_sum_from_feature_columns"
                ) from None
        ids, size = _joined(lookups)
        with v1.variable_scope(None, default_name="linear_weights", values=tensors.values()):
            variable = _weights("weights", size, v1.zeros_initializer(), settings)
            sums = safe_embedding_lookup_sparse(variable, ids, combiner="sum", name="_weights")
        predictions, bias = _with_bias(sums, settings)
        return predictions, variable, bias


def _weighted(column: Any, tensor: Any, tensors: Any, settings: Any) -> tuple[list[Any], Any]:
    try:
        lookup = column._wide_embedding_lookup_arguments(tensor)
    except NotImplementedError:
        return _multiplied(column, tensor, tensors, settings)
    except ValueError as error:
        raise ValueError(f"Error creating weighted sum for column: {column.name}.\n{error}") from error
    with v1.variable_scope(None, default_name=column.name, values=tensors.values()):
        variable = _weights("weights", lookup.vocab_size, lookup.initializer, settings)
        sums = safe_embedding_lookup_sparse(
            variable,
            lookup.input_tensor,
            sparse_weights=lookup.weight_tensor,
            combiner=lookup.combiner,
            name=f"{column.name}_weights",
        )
        return variable, sums


def _multiplied(column: Any, tensor: Any, tensors: Any, settings: Any) -> tuple[list[Any], Any]:
    """Returns the variables and the weighted sum of a column of numbers."""
    with v1.variable_scope(None, default_name=column.name, values=tensors.values()):
        try:
            dense = column._to_dense_tensor(tensor)
        except ValueError as error:
            raise ValueError(f"Error creating weighted sum for column: {column.name}.\n{error}") from error
        dense = reshaped_input(dense, column.name, output_rank=2)
        num_outputs, trainable, collections = settings
        weight = model_variable(
            name="weight",
            shape=[dense.shape[1], num_outputs],
            initializer=v1.zeros_initializer(),
            trainable=trainable,
            collections=collections,
        )
        return [weight], tf.matmul(dense, weight, name="matmul")


def _weights(name: str, size: int, initializer: Any, settings: Any) -> list[Any]:
    num_outputs, trainable, collections = settings
    variable = model_variable(
        name=name,
        shape=[size, num_outputs],
        dtype=tf.float32,
        initializer=initializer,
        trainable=trainable,
        collections=collections,
    )
    return variables_of(variable)


def _with_bias(sums: Any, settings: Any) -> tuple[Any, Any]:
    num_outputs, trainable, collections = settings
    bias = model_variable(
        "bias_weight",
        shape=[num_outputs],
        initializer=v1.zeros_initializer(),
        trainable=trainable,
        collections=with_globals(collections),
    )
    return v1.nn.bias_add(sums, bias), bias


def _joined(lookups: list[Any]) -> tuple[Any, int]:
    """Returns the ids of all columns in one SparseTensor, and the number of ids. Each column's ids are shifted."""
    assert lookups, "at least one column must be in the model"
    size, shifted = 0, []
    for lookup in lookups:
        assert lookup.weight_tensor is None, "weighted columns have no joint sum: use weighted_sum_from_feature_columns"
        assert lookup.combiner == "sum", "a joint sum has no other combiner: use weighted_sum_from_feature_columns"
        ids = lookup.input_tensor
        shifted.append(tf.SparseTensor(ids.indices, ids.values + size, ids.dense_shape))
        size += lookup.vocab_size
    return tf.sparse.concat(1, shifted), size
