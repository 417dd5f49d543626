"""LossOnlyHead, which only adds a loss, and MultiHead, which combines several heads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.learn.estimators.model_fn import ModelFnOps
from tf2bridge.contrib.learn.heads.head import Head, check_mode, check_train_op_fn, summarize
from tf2bridge.contrib.learn.preprocessing.text import ModeKeys

v1 = tf.compat.v1


class LossOnlyHead(Head):
    """A head without logits that adds a loss to a model with several heads."""

    def __init__(self, loss_fn: Callable[[], Any], head_name: str | None = None) -> None:
        self._loss_fn = loss_fn
        self.head_name = head_name or "loss_only_head"

    @property
    def logits_dimension(self) -> int:
        """Zero."""
        return 0

    def create_model_fn_ops(
        self,
        features: Any,
        mode: str,
        labels: Any = None,
        train_op_fn: Callable[[Any], Any] | None = None,
        logits: Any = None,
        logits_input: Any = None,
        scope: Any = None,
    ) -> ModelFnOps:
        """See Head. Only the mode, the training op and the scope are used."""
        del features, labels, logits, logits_input
        check_mode(mode)
        loss, train_op = None, None
        if mode != ModeKeys.INFER:
            with v1.variable_scope(scope, default_name=self.head_name):
                loss = self._loss_fn()
                loss = tf.add_n(loss) if isinstance(loss, list) else loss
                summarize(loss, self.head_name)
                if mode == ModeKeys.TRAIN:
                    check_train_op_fn(train_op_fn)
                    with v1.name_scope(None, "train_op", (loss,)):
                        train_op = train_op_fn(loss)  # type: ignore[misc]  # it has just been checked
        return ModelFnOps(mode=mode, loss=loss, train_op=train_op, predictions={}, eval_metric_ops={})


class MultiHead(Head):
    """Several heads of one model. `loss_merger` merges their losses. Raises ValueError if a head has no name."""

    def __init__(self, heads: Sequence[Any], loss_merger: Callable[[Sequence[Any]], Any]) -> None:
        for head in heads:
            if not head.head_name:
                raise ValueError("Members of MultiHead must have names.")
        self._heads, self._loss_merger = heads, loss_merger

    @property
    def logits_dimension(self) -> int:
        """The sum of the logits of all heads."""
        return sum(head.logits_dimension for head in self._heads)

    def create_model_fn_ops(
        self,
        features: Any,
        mode: str,
        labels: Any = None,
        train_op_fn: Callable[[Any], Any] | None = None,
        logits: Any = None,
        logits_input: Any = None,
        scope: Any = None,
    ) -> ModelFnOps:
        """See Head. `logits` may be {name of head: logits}."""
        check_mode(mode)
        if logits is None:
            inputs: Any = ((head, {"logits_input": logits_input}) for head in self._heads)
        else:
            inputs = ((head, {"logits": part}) for head, part in self._shared_out(logits))
        parts = [
            head.create_model_fn_ops(features, mode, labels, train_op_fn=no_op_train_fn, scope=scope, **given)
            for head, given in inputs
        ]
        if mode == ModeKeys.TRAIN:
            return self._training(parts, train_op_fn)
        return self._inference(parts) if mode == ModeKeys.INFER else self._evaluation(parts)

    def _shared_out(self, logits: Any) -> Iterator[tuple[Any, Any]]:
        if isinstance(logits, dict):
            for head in self._heads:
                yield head, None if isinstance(head, LossOnlyHead) else logits[head.head_name]
            return
        begin = 0
        for head in self._heads:
            yield head, tf.slice(logits, [0, begin], [-1, head.logits_dimension])
            begin += head.logits_dimension

    def _training(self, parts: list[Any], train_op_fn: Any) -> ModelFnOps:
        if train_op_fn is None:
            raise ValueError("train_op_fn can not be None in TRAIN mode.")
        loss = self._loss_merger([part.loss for part in parts])
        train_op = tf.group(train_op_fn(loss), *(part.train_op for part in parts))
        return ModelFnOps(ModeKeys.TRAIN, loss=loss, train_op=train_op, eval_metric_ops=_metrics(parts))

    def _inference(self, parts: list[Any]) -> ModelFnOps:
        pairs = [(head, part) for head, part in zip(self._heads, parts, strict=True) if part.output_alternatives]
        alternatives = {head.head_name: part.output_alternatives[head.head_name] for head, part in pairs}
        return ModelFnOps(ModeKeys.INFER, self._predictions(parts), output_alternatives=alternatives)

    def _evaluation(self, parts: list[Any]) -> ModelFnOps:
        loss = self._loss_merger([part.loss for part in parts])
        return ModelFnOps(ModeKeys.EVAL, self._predictions(parts), loss, eval_metric_ops=_metrics(parts))

    def _predictions(self, parts: list[Any]) -> dict[Any, Any]:
        pairs = zip(self._heads, parts, strict=True)
        return {(head.head_name, key): value for head, part in pairs for key, value in part.predictions.items()}


def _metrics(parts: list[Any]) -> dict[str, Any]:
    return {key: value for part in parts for key, value in part.eval_metric_ops.items()}


def no_op_train_fn(loss: Any) -> Any:
    """Returns an op that does nothing, in place of a training op."""
    del loss
    return tf.no_op()
