"""Types and shapes of tensors, to check other tensors: `tf.contrib.learn.estimators.tensor_signature`."""

from __future__ import annotations

import collections
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1
SINGLE = "feature"
"""The name of a feature that is not in a dictionary."""


class TensorSignature(collections.namedtuple("TensorSignature", ["dtype", "shape", "is_sparse"])):
    """The type and shape of a tensor; the shape of a SparseTensor is None."""

    __slots__ = ()

    def __new__(cls, tensor: Any) -> TensorSignature:
        if isinstance(tensor, tf.SparseTensor):
            return super().__new__(cls, dtype=tensor.values.dtype, shape=None, is_sparse=True)
        return super().__new__(cls, dtype=tensor.dtype, shape=tensor.shape, is_sparse=False)

    def is_compatible_with(self, other: TensorSignature) -> bool:
        """Returns True if the types are equal and the shapes are compatible. The first dimension is ignored."""
        is_same_type = bool(self.dtype.is_compatible_with(other.dtype))
        if other.is_sparse or self.is_sparse:
            return is_same_type and bool(other.is_sparse and self.is_sparse)
        own_shape, other_shape = tf.TensorShape(self.shape), tf.TensorShape(other.shape)
        if own_shape.rank is None or other_shape.rank is None:
            return is_same_type
        return (
            is_same_type
            and own_shape.rank == other_shape.rank
            and bool(own_shape[1:].is_compatible_with(other_shape[1:]))
        )

    def get_placeholder(self) -> Any:
        """Returns a placeholder for any number of examples."""
        if self.is_sparse:
            return v1.sparse_placeholder(dtype=self.dtype)
        return v1.placeholder(dtype=self.dtype, shape=[None, *self.shape[1:]])

    def get_feature_spec(self) -> Any:
        """Returns the parsing config for `tf.parse_example`: integers as int64, floats as float32."""
        dtype = {tf.int32: tf.int64, tf.float64: tf.float32}.get(self.dtype, self.dtype)
        if self.is_sparse:
            return v1.VarLenFeature(dtype=dtype)
        return v1.FixedLenFeature(shape=self.shape[1:], dtype=dtype)


def tensors_compatible(tensors: Any, signatures: Any) -> bool:
    """Returns True if a tensor, or each tensor of a dictionary, is compatible with its signature."""
    if tensors is None or signatures is None:
        return tensors is signatures
    if isinstance(tensors, dict) != isinstance(signatures, dict):
        return False
    if isinstance(tensors, dict):
        return all(
            key in tensors and TensorSignature(tensors[key]).is_compatible_with(signature)
            for key, signature in signatures.items()
        )
    return TensorSignature(tensors).is_compatible_with(signatures)


def create_signatures(tensors: Any) -> Any:
    """Returns the signature of a tensor, or a dictionary of them."""
    if isinstance(tensors, dict):
        return {key: TensorSignature(tensor) for key, tensor in tensors.items()}
    return None if tensors is None else TensorSignature(tensors)


def create_placeholders_from_signatures(signatures: Any) -> Any:
    """Returns a placeholder for each signature."""
    if isinstance(signatures, dict):
        return {key: signature.get_placeholder() for key, signature in signatures.items()}
    return None if signatures is None else signatures.get_placeholder()


def create_example_parser_from_signatures(
    signatures: Any, examples_batch: Any, single_feature_name: str = SINGLE
) -> Any:
    """Returns the features of serialized Examples, with the types of the signatures."""
    named = signatures if isinstance(signatures, dict) else {single_feature_name: signatures}
    spec = {key: signature.get_feature_spec() for key, signature in named.items()}
    features = v1.parse_example(examples_batch, spec)
    for key, signature in named.items():
        if not signature.dtype.is_compatible_with(features[key].dtype):
            features[key] = tf.cast(features[key], signature.dtype)
    return features if isinstance(signatures, dict) else features[single_feature_name]
