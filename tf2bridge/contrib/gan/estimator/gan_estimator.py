"""GANEstimator and StarGANEstimator: a model function made of a generator, a discriminator and their losses."""

from __future__ import annotations

import enum
import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.variables.selection import get_trainable_variables
from tf2bridge.contrib.gan.estimator.specs import estimator_spec
from tf2bridge.contrib.gan.eval import summaries
from tf2bridge.contrib.gan.namedtuples import GANLoss, GANModel, StarGANModel
from tf2bridge.contrib.gan.train.models import as_tensors, gan_model
from tf2bridge.contrib.gan.train.stargan import stargan_model
from tf2bridge.estimator.estimator import Estimator
from tf2bridge.estimator.mode_keys import ModeKeys

v1 = tf.compat.v1


class SummaryType(enum.IntEnum):
    """Which summaries an estimator adds."""

    NONE = 0
    VARIABLES = 1
    IMAGES = 2
    IMAGE_COMPARISON = 3


_OF_GAN: Mapping[SummaryType, Callable[[Any], None]] = {
    SummaryType.VARIABLES: summaries.add_gan_model_summaries,
    SummaryType.IMAGES: summaries.add_gan_model_image_summaries,
    SummaryType.IMAGE_COMPARISON: summaries.add_image_comparison_summaries,
}
_OF_STARGAN: Mapping[SummaryType, Callable[[Any], None]] = {
    SummaryType.VARIABLES: summaries.add_gan_model_summaries,
    SummaryType.IMAGES: summaries.add_stargan_image_summaries,
}


class GANEstimator(Estimator):
    """An estimator whose features are the generator's inputs and whose labels are real data.

    Raises:
        ValueError: a loss is not a function, or `use_loss_summaries` is not a bool or None.
        TypeError: another argument has a wrong type.
    """

    def __init__(
        self,
        model_dir: str | None = None,
        generator_fn: Callable[..., Any] | None = None,
        discriminator_fn: Callable[..., Any] | None = None,
        generator_loss_fn: Callable[..., Any] | None = None,
        discriminator_loss_fn: Callable[..., Any] | None = None,
        generator_optimizer: Any = None,
        discriminator_optimizer: Any = None,
        get_hooks_fn: Callable[..., Any] | None = None,
        get_eval_metric_ops_fn: Callable[..., Any] | None = None,
        add_summaries: Any = None,
        use_loss_summaries: bool | None = True,
        config: Any = None,
    ) -> None:
        _check_callable(generator_loss_fn=generator_loss_fn, discriminator_loss_fn=discriminator_loss_fn)
        _check_options(use_loss_summaries, get_hooks_fn)

        def loss_of(model: GANModel) -> GANLoss:
            return GANLoss(
                generator_loss_fn(model, add_summaries=use_loss_summaries),  # type: ignore[misc]  # it is callable
                discriminator_loss_fn(model, add_summaries=use_loss_summaries),  # type: ignore[misc]
            )

        def model_fn(features: Any, labels: Any, mode: str) -> Any:
            generator = _with_mode(generator_fn, mode)
            if mode == ModeKeys.PREDICT:
                if labels is not None:
                    raise ValueError(f"labels are {labels}; give none to predict")
                return estimator_spec(mode, _generator_only(features, generator), loss_of)
            discriminator = _with_mode(discriminator_fn, mode)
            model = gan_model(generator, discriminator, labels, features, check_shapes=False)
            _summarize(model, add_summaries, _OF_GAN)
            optimizers = (generator_optimizer, discriminator_optimizer)
            return estimator_spec(mode, model, loss_of, get_eval_metric_ops_fn, optimizers, get_hooks_fn)

        super().__init__(model_fn=model_fn, model_dir=model_dir, config=config)


class StarGANEstimator(Estimator):
    """An estimator whose features are images and whose labels are their domains. To predict, features hold both.

    Raises:
        ValueError: `loss_fn` is not a function, or `use_loss_summaries` is not a bool or None.
        TypeError: another argument has a wrong type.
    """

    def __init__(
        self,
        model_dir: str | None = None,
        generator_fn: Callable[..., Any] | None = None,
        discriminator_fn: Callable[..., Any] | None = None,
        loss_fn: Callable[..., Any] | None = None,
        generator_optimizer: Any = None,
        discriminator_optimizer: Any = None,
        get_hooks_fn: Callable[..., Any] | None = None,
        get_eval_metric_ops_fn: Callable[..., Any] | None = None,
        add_summaries: Any = None,
        use_loss_summaries: bool | None = True,
        config: Any = None,
    ) -> None:
        _check_callable(loss_fn=loss_fn)
        _check_options(use_loss_summaries, get_hooks_fn)

        def model_fn(features: Any, labels: Any, mode: str) -> Any:
            generator = _with_mode(generator_fn, mode)
            if mode == ModeKeys.PREDICT:
                return estimator_spec(mode, _stargan_generator_only(features, generator), loss_fn)
            model = stargan_model(generator, _with_mode(discriminator_fn, mode), features, labels)
            _summarize(model, add_summaries, _OF_STARGAN)
            optimizers = (generator_optimizer, discriminator_optimizer)
            return estimator_spec(mode, model, loss_fn, get_eval_metric_ops_fn, optimizers, get_hooks_fn)

        super().__init__(model_fn=model_fn, model_dir=model_dir, config=config)


def _check_callable(**functions: Any) -> None:
    for name, function in functions.items():
        if not callable(function):
            raise ValueError(f"{name} is {function!r}; give a function")


def _check_options(use_loss_summaries: Any, get_hooks_fn: Any) -> None:
    if use_loss_summaries not in (True, False, None):
        raise ValueError(f"use_loss_summaries is {use_loss_summaries!r}; give True, False or None")
    if get_hooks_fn is not None and not callable(get_hooks_fn):
        raise TypeError(f"get_hooks_fn is {get_hooks_fn!r}; give a function of GANTrainOps")


def _with_mode(function: Any, mode: str) -> Callable[..., Any]:
    """Returns `function`, which is passed the mode if it has such a parameter."""
    takes_mode = "mode" in inspect.signature(function).parameters
    return functools.partial(function, mode=mode) if takes_mode else function


def _summarize(model: Any, wanted: Any, kinds: Mapping[SummaryType, Callable[[Any], None]]) -> None:
    if not wanted:
        return
    with v1.name_scope(None):
        for kind in wanted if isinstance(wanted, (tuple, list)) else [wanted]:
            kinds[kind](model)


def _generator_only(features: Any, generator_fn: Callable[..., Any]) -> GANModel:
    with v1.variable_scope("Generator") as scope:
        inputs = as_tensors(features)
        generated = generator_fn(inputs)
    missing = (None,) * 6
    return GANModel(inputs, generated, get_trainable_variables(scope), scope, generator_fn, *missing)


def _stargan_generator_only(features: Any, generator_fn: Callable[..., Any]) -> StarGANModel:
    with v1.variable_scope("Generator") as scope:
        data, labels = as_tensors(features[0]), as_tensors(features[1])
        generated = generator_fn(data, labels)
    known = {
        "input_data": data,
        "generated_data": generated,
        "generated_data_domain_target": labels,
        "generator_variables": get_trainable_variables(scope),
        "generator_scope": "Generator",
        "generator_fn": generator_fn,
    }
    return StarGANModel(**{name: known.get(name) for name in StarGANModel._fields})
