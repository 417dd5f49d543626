"""GANHead: the losses, optimizers and metrics of a GAN as a head of estimators."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.gan.estimator.specs import evaluation_spec, training_spec
from tf2bridge.contrib.gan.namedtuples import GANLoss, GANModel
from tf2bridge.contrib.gan.train.hooks import get_sequential_train_hooks
from tf2bridge.contrib.gan.train.train_ops import gan_train_ops
from tf2bridge.estimator.heads.first import FirstHead
from tf2bridge.estimator.mode_keys import ModeKeys
from tf2bridge.estimator.model_spec import EstimatorSpec
from tf2bridge.estimator.outputs import PredictOutput

v1 = tf.compat.v1
Function = Callable[..., Any]


class GANHead:
    """A head whose logits are a GANModel. Raises TypeError or ValueError if an argument has the wrong type."""

    def __init__(
        self,
        generator_loss_fn: Function,
        discriminator_loss_fn: Function,
        generator_optimizer: Any,
        discriminator_optimizer: Any,
        use_loss_summaries: bool | None = True,
        get_hooks_fn: Function | None = None,
        get_eval_metric_ops_fn: Function | None = None,
        name: str | None = None,
    ) -> None:
        _check(generator_loss_fn, discriminator_loss_fn, use_loss_summaries, get_hooks_fn, name)
        options = {} if use_loss_summaries is None else {"add_summaries": use_loss_summaries}
        self._losses = [functools.partial(loss, **options) for loss in (generator_loss_fn, discriminator_loss_fn)]
        self._optimizers = (generator_optimizer, discriminator_optimizer)
        self._get_hooks_fn = get_hooks_fn or get_sequential_train_hooks()
        self._get_eval_metric_ops_fn = get_eval_metric_ops_fn
        self._name = name

    @property
    def name(self) -> str | None:
        """The name that metrics end with, or None."""
        return self._name

    @property
    def logits_dimension(self) -> None:
        """None: the logits are no tensor."""
        return None

    def create_loss(self, features: Any, mode: str, logits: Any, labels: Any) -> GANLoss:  # noqa: ARG002  # as of heads
        """Returns the GANLoss of `logits`, a GANModel. Raises ValueError for labels, or other logits."""
        _check_model(logits, labels)
        return GANLoss(*(loss(logits) for loss in self._losses))

    def create_estimator_spec(
        self, features: Any, mode: str, logits: Any, labels: Any = None, train_op_fn: Function | None = gan_train_ops
    ) -> Any:
        """Returns the EstimatorSpec of `logits`, a GANModel. Features and labels must be None.

        Raises:
            ValueError: features or labels are given, the mode is unknown, or `train_op_fn` is None in training.
        """
        _check_model(logits, labels)
        if features is not None:
            raise ValueError(f"features are {features}; a GANHead takes none")
        with v1.name_scope("GANHead"):
            if mode == ModeKeys.PREDICT:
                data = logits.generated_data
                outputs = {"predict": PredictOutput(data)}
                return EstimatorSpec(mode=mode, predictions=data, export_outputs=outputs)
            if mode not in (ModeKeys.EVAL, ModeKeys.TRAIN):
                raise ValueError(f"the mode is {mode!r}; it must be one of tf.estimator.ModeKeys")
            if mode == ModeKeys.TRAIN and train_op_fn is None:
                raise ValueError("train_op_fn is None; give a function such as tfgan.gan_train_ops")
            loss = self.create_loss(None, mode, logits, None)
            if mode == ModeKeys.EVAL:
                return evaluation_spec(logits, loss, self._get_eval_metric_ops_fn, self._name)
            return training_spec(logits, loss, self._optimizers, self._get_hooks_fn, train_op_fn or gan_train_ops)


FirstHead.register(GANHead)


def gan_head(
    generator_loss_fn: Function,
    discriminator_loss_fn: Function,
    generator_optimizer: Any,
    discriminator_optimizer: Any,
    use_loss_summaries: bool | None = True,
    get_hooks_fn: Function = get_sequential_train_hooks(),  # noqa: B008  # the default of contrib.gan: it holds no state
    get_eval_metric_ops_fn: Function | None = None,
    name: str | None = None,
) -> GANHead:
    """Returns a GANHead."""
    return GANHead(
        generator_loss_fn,
        discriminator_loss_fn,
        generator_optimizer,
        discriminator_optimizer,
        use_loss_summaries,
        get_hooks_fn,
        get_eval_metric_ops_fn,
        name,
    )


def _check(generator_loss: Any, discriminator_loss: Any, summaries: Any, get_hooks_fn: Any, name: Any) -> None:
    for parameter, loss in {"generator_loss_fn": generator_loss, "discriminator_loss_fn": discriminator_loss}.items():
        if not callable(loss):
            raise TypeError(f"{parameter} is {loss!r}; give a function")
    if summaries not in (True, False, None):
        raise ValueError(f"use_loss_summaries is {summaries!r}; give True, False or None")
    if get_hooks_fn is not None and not callable(get_hooks_fn):
        raise TypeError(f"get_hooks_fn is {get_hooks_fn!r}; give a function of GANTrainOps")
    if name is not None and not isinstance(name, str):
        raise TypeError(f"name is {name!r}; give a string")


def _check_model(logits: Any, labels: Any) -> None:
    if labels is not None:
        raise ValueError(f"labels are {labels}; a GANHead takes none")
    if not isinstance(logits, GANModel):
        raise ValueError(f"logits are a {type(logits).__name__}; give a GANModel")
