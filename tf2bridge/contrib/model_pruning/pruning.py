"""Pruning: sparsity that grows with the global step, and the ops that update masks to it.

Zhu and Gupta, "To prune, or not to prune", 2017, https://arxiv.org/abs/1710.01878.
"""

from __future__ import annotations

import re
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.model_pruning.masks import get_masks, get_thresholds, get_weights
from tf2bridge.contrib.model_pruning.pruning_utils import assigned, expand_tensor, factorized_pool
from tf2bridge.contrib.training.hparam.hparams import HParams

v1 = tf.compat.v1


def get_pruning_hparams() -> HParams:
    """Returns the hyperparameters of pruning, with their defaults."""
    return HParams(
        name="model_pruning",
        begin_pruning_step=0,
        end_pruning_step=-1,
        weight_sparsity_map=[""],
        block_dims_map=[""],
        threshold_decay=0.0,
        pruning_frequency=10,
        nbins=256,
        block_height=1,
        block_width=1,
        block_pooling_function="AVG",
        initial_sparsity=0.0,
        target_sparsity=0.5,
        sparsity_function_begin_step=0,
        sparsity_function_end_step=100,
        sparsity_function_exponent=3.0,
        use_tpu=False,
    )


class Pruning:
    """The pruning graph of the hyperparameters `spec`. A tensor `sparsity` replaces the sparsity of the step.

    Raises ValueError for hyperparameters out of range.
    """

    def __init__(self, spec: Any = None, global_step: Any = None, sparsity: Any = None) -> None:
        self._spec = spec or get_pruning_hparams()
        _check(self._spec)
        step = v1.train.get_global_step() if global_step is None else global_step
        self._global_step = tf.cast(step, tf.int32)
        self._sparsity = self._setup_sparsity() if sparsity is None else sparsity
        self._assign_ops: list[Any] = []
        self._last_update_step = self._setup_last_update_step()
        self._blocks = [(re.compile(name), _block(name, text)) for name, text in _pairs(self._spec.block_dims_map)]
        pairs = _pairs(self._spec.weight_sparsity_map)
        self._targets = [(re.compile(name), _target(name, text)) for name, text in pairs]

    def _setup_sparsity(self) -> Any:
        spec = self._spec
        begin, end = spec.sparsity_function_begin_step, spec.sparsity_function_end_step
        with v1.name_scope(spec.name):
            share = v1.div(tf.cast(self._global_step - begin, tf.float32), end - begin)
            share = tf.minimum(1.0, tf.maximum(0.0, share))
            missing = tf.pow(1 - share, spec.sparsity_function_exponent)
            lacking = tf.multiply(spec.initial_sparsity - spec.target_sparsity, missing)
            return tf.add(lacking, spec.target_sparsity, name="sparsity")

    def _setup_last_update_step(self) -> Any:
        options: dict[str, Any] = {"initializer": v1.zeros_initializer(), "trainable": False, "dtype": tf.int32}
        with v1.variable_scope(self._spec.name, use_resource=self._spec.use_tpu, reuse=v1.AUTO_REUSE):
            return v1.get_variable("last_mask_update_step", [], **options)

    def mask_update_op(self) -> Any:
        """Returns the op that updates all masks."""
        with v1.name_scope(self._spec.name):
            if not self._assign_ops:
                self._assign_ops = self._make_assign_ops()
            noted = v1.assign(self._last_update_step, self._global_step, name="last_mask_update_step_assign")
            with tf.control_dependencies([noted]), tf.control_dependencies(self._assign_ops):
                v1.logging.info("Updating masks.")
                return tf.no_op("mask_update")

    def conditional_mask_update_op(self) -> Any:
        """Returns the op that updates all masks if the global step requires it."""
        spec, step = self._spec, self._global_step
        with v1.name_scope(spec.name):
            begun = tf.greater_equal(step, spec.begin_pruning_step)
            goes_on = tf.logical_or(tf.less_equal(step, spec.end_pruning_step), tf.less(spec.end_pruning_step, 0))
            within = tf.logical_and(begun, goes_on)
            is_due = tf.less_equal(tf.add(self._last_update_step, spec.pruning_frequency), step)
            must_update = tf.logical_and(within, is_due)
        return v1.cond(must_update, self.mask_update_op, tf.no_op)

    def add_pruning_summaries(self) -> None:
        """Adds scalar summaries of the sparsity, the last step, and each mask's zeros and threshold."""
        with v1.name_scope(f"{self._spec.name}_summaries"):
            v1.summary.scalar("sparsity", self._sparsity)
            v1.summary.scalar("last_mask_update_step", self._last_update_step)
            for mask, threshold in zip(get_masks(), get_thresholds(), strict=True):
                v1.summary.scalar(f"{mask.op.name}/sparsity", tf.math.zero_fraction(mask))
                v1.summary.scalar(f"{threshold.op.name}/threshold", threshold)

    def print_hparams(self) -> None:
        """Logs the hyperparameters."""
        v1.logging.info(self._spec.to_json())

    def _make_assign_ops(self) -> list[Any]:
        ops: list[Any] = []
        masks, weights, thresholds = get_masks(), get_weights(), get_thresholds()
        if len(masks) != len(thresholds):
            raise ValueError(f"there are {len(masks)} masks and {len(thresholds)} thresholds; there must be as many")
        for mask, weight, threshold in zip(masks, weights, thresholds, strict=False):
            tensor = weight.as_tensor() if hasattr(weight, "as_tensor") else weight
            new_threshold, new_mask = self._updated(tensor, threshold)
            ops += [assigned(threshold, new_threshold), assigned(mask, new_mask)]
        return ops

    def _updated(self, weights: Any, threshold: Any) -> tuple[Any, Any]:
        """Returns the new threshold and mask. If `weights` are a matrix and blocks are set, both are for blocks."""
        name = weights.op.name
        sizes = self._match(self._blocks, name, "block_dims_map")
        block = list(sizes or [self._spec.block_height, self._spec.block_width])
        matrix = tf.squeeze(weights)
        if matrix.shape.rank != 2 or block == [1, 1]:
            return self._thresholded(weights, threshold)
        rows, columns = matrix.shape.as_list()
        block = [size if wanted == -1 else wanted for size, wanted in zip((rows, columns), block, strict=True)]
        kind = self._spec.block_pooling_function
        if kind not in ("AVG", "MAX"):
            raise ValueError(f"block_pooling_function is {kind!r}; it must be AVG or MAX")
        with v1.name_scope(f"{name}_pruning_ops"):
            magnitudes = tf.abs(matrix)
            options = {"window_shape": block, "pooling_type": kind, "strides": block, "padding": "SAME"}
            options["name"] = f"{name}_pooled"
            if self._spec.use_tpu:
                pooled = factorized_pool(magnitudes, **options)
            else:
                images = tf.reshape(magnitudes, [1, rows, columns, 1])
                pooled = v1.squeeze(v1.nn.pool(images, **options), axis=[0, 3])
            new_threshold, new_mask = self._thresholded(pooled, threshold)
            expanded_mask = tf.slice(expand_tensor(new_mask, block), [0, 0], [rows, columns])
        return new_threshold, tf.reshape(expanded_mask, tf.shape(weights))

    def _thresholded(self, weights: Any, threshold: Any) -> tuple[Any, Any]:
        sparsity = self._sparsity_of(weights.op.name)
        decay = self._spec.threshold_decay
        with v1.name_scope(f"{weights.op.name}_pruning_ops"):
            magnitudes = tf.abs(weights)
            count = tf.cast(tf.size(magnitudes), tf.float32)
            kept = tf.cast(tf.round(count * (1 - sparsity)), tf.int32)
            values, _ = tf.math.top_k(tf.reshape(magnitudes, [-1]), k=tf.size(magnitudes))
            least = tf.gather(values, kept - 1)
            smoothed = tf.add_n([tf.multiply(least, 1 - decay), tf.multiply(threshold, decay)])
            return smoothed, tf.cast(tf.greater_equal(magnitudes, smoothed), tf.float32)

    def _sparsity_of(self, name: str) -> Any:
        target = self._match(self._targets, name, "weight_sparsity_map")
        if target is None:
            return self._sparsity
        return tf.multiply(self._sparsity, v1.div(target, self._spec.target_sparsity))

    def _match(self, patterns: list[tuple[re.Pattern[str], Any]], name: str, parameter: str) -> Any:
        """Returns the map's value for a weight, or None. Raises ValueError if two patterns match."""
        values = [value for pattern, value in patterns if pattern.search(name)]
        if len(values) > 1:
            raise ValueError(
                f"{len(values)} patterns of {parameter} match the weight {name}; make them exclude each other"
            )
        return values[0] if values else None


def _pairs(texts: list[str]) -> list[tuple[str, str]]:
    """Returns the parts of "name:value" texts. Raises ValueError for others."""
    pairs = []
    for text in filter(None, texts):
        name, value = text.split(":")
        pairs.append((name, value))
    return pairs


def _block(name: str, text: str) -> list[int]:
    sizes = [int(size) for size in text.split("x")]
    if len(sizes) != 2:
        raise ValueError(f"block_dims_map has {text!r} for {name}; give it as in 4x8")
    return sizes


def _target(name: str, text: str) -> float:
    if float(text) >= 1.0:
        raise ValueError(f"weight_sparsity_map has {text} for {name}; it must be below 1")
    return float(text)


def _check(spec: Any) -> None:
    for name in ("begin_pruning_step", "sparsity_function_begin_step"):
        if getattr(spec, name) < 0:
            raise ValueError(f"{name} is {getattr(spec, name)}; it must not be negative")
    if spec.begin_pruning_step >= spec.end_pruning_step != -1:
        begin, end = spec.begin_pruning_step, spec.end_pruning_step
        raise ValueError(f"pruning ends at step {end} and begins at {begin}; give -1 for no end")
    if spec.sparsity_function_begin_step >= spec.sparsity_function_end_step:
        begin, end = spec.sparsity_function_begin_step, spec.sparsity_function_end_step
        raise ValueError(f"the sparsity changes from step {begin} to {end}; the first must be less")
    for name in ("threshold_decay", "initial_sparsity", "target_sparsity"):
        if not 0.0 <= getattr(spec, name) < 1.0:
            raise ValueError(f"{name} is {getattr(spec, name)}; it must be in [0, 1)")
