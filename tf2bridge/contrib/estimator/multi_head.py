"""Several heads of contrib on one model."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.estimator.heads.first import Loss, head_train_op
from tf2bridge.estimator.heads.keys import MetricKeys
from tf2bridge.estimator.heads.multi import merged_outputs, split_logits
from tf2bridge.estimator.mode_keys import ModeKeys
from tf2bridge.estimator.model_spec import EstimatorSpec

v1 = tf.compat.v1


class MultiHead:
    """Adds the losses of named heads, weighted by `head_weights`. Raises ValueError."""

    def __init__(self, heads: Any, head_weights: Any = None) -> None:
        if head_weights and len(head_weights) != len(heads):
            raise ValueError(
                "heads and head_weights must have the same size. "
                f"Given len(heads): {len(heads)}. Given len(head_weights): {len(head_weights)}."
            )
        if not heads:
            raise ValueError(f"Must specify heads. Given: {heads}")
        for head in heads:
            if not head.name:
                raise ValueError(f"All given heads must have name specified. Given: {head}")
        self._heads, self._weights = tuple(heads), tuple(head_weights or ())

    @property
    def name(self) -> str:
        """The names of the heads."""
        return "_".join(head.name for head in self._heads)

    @property
    def logits_dimension(self) -> int:
        """The sum of the logits dimensions of the heads."""
        return sum(head.logits_dimension for head in self._heads)

    def create_loss(self, features: Any, mode: str, logits: Any, labels: Any) -> Loss:
        """Returns the merged loss. Unreduced losses, weights and labels are {head: value}."""
        parts = self._parts(logits)
        losses = {
            head.name: head.create_loss(features, mode, parts[head.name], labels[head.name]) for head in self._heads
        }
        scale = dict(zip(losses, self._weights, strict=True)) if self._weights else dict.fromkeys(losses, 1.0)
        return Loss(
            self._merged([head_loss.training_loss for head_loss in losses.values()]),
            {name: tf.multiply(head_loss.unreduced_loss, scale[name]) for name, head_loss in losses.items()},
            {name: tf.multiply(head_loss.weights, scale[name]) for name, head_loss in losses.items()},
            {name: head_loss.processed_labels for name, head_loss in losses.items()},
        )

    def create_estimator_spec(
        self,
        features: Any,
        mode: str,
        logits: Any,
        labels: Any = None,
        optimizer: Any = None,
        train_op_fn: Any = None,
    ) -> EstimatorSpec:
        """Returns the EstimatorSpec of a mode, merged from those of the heads. Raises ValueError."""
        parts = self._parts(logits)
        if labels and not isinstance(labels, dict):
            raise ValueError(f"labels must be a dict. Given: {labels}")
        specs = {
            head.name: head.create_estimator_spec(
                features=features,
                mode=mode,
                logits=parts[head.name],
                labels=labels[head.name] if labels else None,
                train_op_fn=lambda _: tf.no_op(),
            )
            for head in self._heads
        }
        predictions = {(name, key): value for name, spec in specs.items() for key, value in spec.predictions.items()}
        if mode == ModeKeys.PREDICT:
            outputs = merged_outputs({name: spec.export_outputs for name, spec in specs.items()})
            return EstimatorSpec(mode, predictions, export_outputs=outputs)
        if mode == ModeKeys.EVAL:
            return self._evaluated(specs, predictions)
        if mode != ModeKeys.TRAIN:
            raise ValueError(f"mode={mode} unrecognized")
        loss = self._merged([spec.loss for spec in specs.values()])
        step = head_train_op(loss, optimizer, train_op_fn, with_updates=False)
        with v1.name_scope(""):
            v1.summary.scalar(MetricKeys.LOSS, loss)
        return EstimatorSpec(mode, predictions, loss, step)

    def _evaluated(self, specs: dict[str, Any], predictions: Any) -> EstimatorSpec:
        metrics: dict[str, Any] = {}
        with v1.name_scope("merge_eval"):
            for name, spec in specs.items():
                key = f"{MetricKeys.LOSS}/{name}"
                metrics[key] = v1.metrics.mean(spec.loss, name=key)
                metrics.update(spec.eval_metric_ops)
            loss = self._merged([spec.loss for spec in specs.values()])
        return EstimatorSpec(ModeKeys.EVAL, predictions, loss, eval_metric_ops=metrics)

    def _parts(self, logits: Any) -> Any:
        return logits if isinstance(logits, dict) else split_logits(self._heads, logits)

    def _merged(self, losses: list[Any]) -> Any:
        with v1.name_scope("merge_losses", values=losses):
            if self._weights:
                losses = [tf.multiply(loss, weight) for loss, weight in zip(losses, self._weights, strict=True)]
            return tf.add_n(losses)
