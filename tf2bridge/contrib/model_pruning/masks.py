"""Masks of weights, with their thresholds, and the collections that hold them."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1
MASK_COLLECTION = "masks"
THRESHOLD_COLLECTION = "thresholds"
MASKED_WEIGHT_COLLECTION = "masked_weights"
WEIGHT_COLLECTION = "kernel"
MASKED_WEIGHT_NAME = "weights/masked_weight"


def apply_mask(x: Any, scope: Any = "") -> Any:
    """Returns the weights `x` times a new variable `mask` of ones, in the variable scope `scope`."""
    with v1.variable_scope(scope):
        mask = v1.get_variable("mask", x.shape, initializer=v1.ones_initializer(), trainable=False, dtype=x.dtype)
    with v1.variable_scope(scope):
        threshold = v1.get_variable("threshold", [], initializer=v1.zeros_initializer(), trainable=False, dtype=x.dtype)
    return masked(mask, x, threshold)


def masked(mask: Any, weights: Any, threshold: Any) -> Any:
    """Returns `weights` times `mask`, and puts all of them into their collections, once for each mask."""
    product = tf.multiply(mask, weights, MASKED_WEIGHT_NAME)
    if not any(known is mask for known in v1.get_collection(MASK_COLLECTION)):
        v1.add_to_collection(MASK_COLLECTION, mask)
        v1.add_to_collection(MASKED_WEIGHT_COLLECTION, product)
        v1.add_to_collection(THRESHOLD_COLLECTION, threshold)
        v1.add_to_collection(WEIGHT_COLLECTION, weights)
    return product


def get_masked_weights() -> list[Any]:
    """Returns the products of weights and masks."""
    return list(v1.get_collection(MASKED_WEIGHT_COLLECTION))


def get_masks() -> list[Any]:
    """Returns the masks."""
    return list(v1.get_collection(MASK_COLLECTION))


def get_thresholds() -> list[Any]:
    """Returns the thresholds."""
    return list(v1.get_collection(THRESHOLD_COLLECTION))


def get_weights() -> list[Any]:
    """Returns the weights that have masks."""
    return list(v1.get_collection(WEIGHT_COLLECTION))


def get_weight_sparsity() -> list[Any]:
    """Returns the share of zeros of each mask, scalars."""
    return [tf.math.zero_fraction(mask) for mask in get_masks()]
