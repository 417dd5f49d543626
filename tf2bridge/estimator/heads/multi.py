"""Several heads on one model."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.estimator.heads import keys as signatures
from tf2bridge.estimator.heads.head import Head, add_summaries, keras, train_op, update_regularization
from tf2bridge.estimator.heads.keys import MetricKeys as M
from tf2bridge.estimator.mode_keys import ModeKeys
from tf2bridge.estimator.model_spec import EstimatorSpec
from tf2bridge.internals.saving import PredictOutput

v1 = tf.compat.v1


class MultiHead(Head):
    """Adds the losses of named heads, weighted by `head_weights`; labels are a dict by head.

    Logits are a dict by head as well, or one tensor that the heads share out in order. Raises ValueError.
    """

    def __init__(self, heads: Any, head_weights: Any = None) -> None:
        if not heads:
            raise ValueError(f"Must specify heads. Given: {heads}")
        if head_weights and len(head_weights) != len(heads):
            raise ValueError(
                "heads and head_weights must have the same size. "
                f"Given len(heads): {len(heads)}. Given len(head_weights): {len(head_weights)}."
            )
        for head in heads:
            if head.name is None:
                raise ValueError(f"All given heads must have name specified. Given: {head}")
        self._heads, self._weights = tuple(heads), tuple(head_weights or ())

    @property
    def name(self) -> str:
        """The names of the heads."""
        return "_".join(head.name for head in self._heads)

    @property
    def logits_dimension(self) -> int:
        """The sum of the dimensions of the heads' logits."""
        return sum(head.logits_dimension for head in self._heads)

    @property
    def loss_reduction(self) -> str:
        """The loss reduction of all heads. Raises ValueError if they differ."""
        reductions = {head.loss_reduction for head in self._heads}
        if len(reductions) > 1:
            raise ValueError(f"The loss_reduction must be the same for different heads. Given: {sorted(reductions)}")
        return str(reductions.pop())

    def _by_head(self, logits: Any, labels: Any = None) -> dict[str, Any]:
        names = [head.name for head in self._heads]
        for kind, values in (("logits", logits), ("labels", labels)):
            if isinstance(values, dict) and (missing := [name for name in names if name not in values]):
                raise ValueError(f"{kind} has missing values for head(s): {missing}")
        if labels is not None and not isinstance(labels, dict):
            raise ValueError(f"labels must be a dict. Given: {labels}")
        return logits if isinstance(logits, dict) else split_logits(self._heads, logits)

    def loss(
        self, labels: Any, logits: Any, features: Any = None, mode: Any = None, regularization_losses: Any = None
    ) -> Any:
        """Returns the weighted sum of the heads' losses, with the regularization losses added."""
        parts = self._by_head(logits, labels)
        losses = [
            head.loss(labels=labels[head.name], logits=parts[head.name], features=features, mode=mode)
            for head in self._heads
        ]
        with v1.name_scope("merge_losses", values=losses):
            if self._weights:
                losses = [tf.multiply(loss, weight) for loss, weight in zip(losses, self._weights, strict=True)]
            total = tf.add_n(losses)
            return total if regularization_losses is None else total + tf.add_n(regularization_losses)

    def predictions(self, logits: Any, keys: Any = None) -> dict[Any, Any]:
        """Returns the predictions under (head, name)."""
        del keys
        parts = self._by_head(logits)
        with v1.name_scope("merge_pred"):
            by_head = {head.name: head.predictions(parts[head.name]) for head in self._heads}
        return {(name, key): value for name, predictions in by_head.items() for key, value in predictions.items()}

    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        """Returns the mean loss of each head; `update_metrics` adds the heads' own metrics."""
        mean, metrics = keras().metrics.Mean, {}
        if regularization_losses is not None:
            metrics[self._summary_key(M.LOSS_REGULARIZATION)] = mean(M.LOSS_REGULARIZATION)
        with v1.name_scope("merge_eval"):
            metrics.update({f"{M.LOSS}/{head.name}": mean(f"{M.LOSS}/{head.name}") for head in self._heads})
        return metrics

    def update_metrics(
        self,
        eval_metrics: Any,
        features: Any,
        logits: Any,
        labels: Any,
        mode: Any = None,
        regularization_losses: Any = None,
    ) -> Any:
        """Updates these metrics with a batch and returns them with those of the heads."""
        del mode
        parts = self._by_head(logits, labels)
        update_regularization(eval_metrics, self._summary_key(M.LOSS_REGULARIZATION), regularization_losses)
        for head in self._heads:
            part, label = parts[head.name], labels[head.name]
            eval_metrics[f"{M.LOSS}/{head.name}"].update_state(head.loss(label, part, features))
            eval_metrics.update(head.update_metrics(head.metrics(), features, part, label) or {})
        return eval_metrics

    def create_estimator_spec(
        self,
        features: Any,
        mode: str,
        logits: Any,
        labels: Any = None,
        optimizer: Any = None,
        trainable_variables: Any = None,
        train_op_fn: Any = None,
        update_ops: Any = None,
        regularization_losses: Any = None,
    ) -> EstimatorSpec:
        """Returns the EstimatorSpec of a mode, as that of a single head. Raises ValueError."""
        with v1.name_scope(self.name, "multi_head"):
            parts = self._by_head(logits, labels)
            predictions = self.predictions(logits)
            if mode == ModeKeys.PREDICT:
                return EstimatorSpec(mode, predictions, export_outputs=self._outputs_of(features, mode, parts))
            loss = self.loss(labels, logits, features, mode, regularization_losses)
            if mode == ModeKeys.EVAL:
                metrics = self.update_metrics(
                    self.metrics(regularization_losses),
                    features,
                    logits,
                    labels,
                    regularization_losses=regularization_losses,
                )
                return EstimatorSpec(mode, predictions, loss, eval_metric_ops=metrics)
            if mode != ModeKeys.TRAIN:
                raise ValueError(f"mode={mode} unrecognized")
            for head in self._heads:  # for the summaries of their losses
                name = head.name
                head.create_estimator_spec(features, mode, parts[name], labels[name], train_op_fn=lambda _: tf.no_op())
            step = train_op(loss, optimizer, trainable_variables, train_op_fn, update_ops)
            add_summaries(loss, regularization_losses)
            return EstimatorSpec(mode, predictions, loss, step)

    def _outputs_of(self, features: Any, mode: str, parts: dict[str, Any]) -> dict[str, Any]:
        specs = {head.name: head.create_estimator_spec(features, mode, parts[head.name]) for head in self._heads}
        return merged_outputs({name: spec.export_outputs for name, spec in specs.items()})


def split_logits(heads: Any, logits: Any) -> dict[str, Any]:
    """Returns the logits of each head, which share out the last axis in order.

    Raises ValueError if it is not their sum.
    """
    with v1.name_scope("split_logits", values=[logits]):
        logits = tf.convert_to_tensor(logits)
        sizes = [head.logits_dimension for head in heads]
        last = tf.compat.dimension_value(logits.shape[-1])
        if last not in (None, sum(sizes)):
            raise ValueError(
                f"Could not split logits of shape {logits.shape.as_list()} among the heads with individual logits "
                f"dimensions: {sizes}. The last dimension of the logits tensor should equal {sum(sizes)} but is {last}."
            )
        parts = tf.split(logits, sizes, axis=-1)
    return {head.name: part for head, part in zip(heads, parts, strict=True)}


def merged_outputs(outputs: dict[str, Any]) -> dict[str, Any]:
    """Returns the signatures of each head under its name, the first one's as default, and one of all predictions."""
    merged: dict[str, Any] = {}
    every = {}
    for name, own in outputs.items():
        merged.setdefault(signatures.DEFAULT_SERVING, own[signatures.DEFAULT_SERVING])
        for key, output in own.items():
            merged[name if key == signatures.DEFAULT_SERVING else f"{name}/{key}"] = output
        for key, value in own[signatures.PREDICT].outputs.items():
            every[f"{name}/{key}"] = value
    merged[signatures.PREDICT] = PredictOutput(every)
    return merged
