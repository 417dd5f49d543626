"""The losses of `wargs` and `penalties`, of a model instead of its parts."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from tf2bridge.contrib.gan.losses import penalties, wargs
from tf2bridge.contrib.gan.namedtuples import CycleGANModel

LossFunction = Callable[..., Any]


def _of_model(loss_fn: LossFunction) -> LossFunction:
    """Returns `loss_fn` with one parameter `gan_model` in place of all parameters that are fields of a model.

    The returned function raises ValueError if a parameter without a default is neither a field nor given, or is both.
    """
    parameters = inspect.signature(loss_fn).parameters

    def loss_of_model(gan_model: Any, **kwargs: Any) -> Any:
        fields = set(gan_model._fields)
        for name, parameter in parameters.items():
            if parameter.default is parameter.empty and name not in fields and name not in kwargs:
                raise ValueError(f"{loss_fn.__name__} needs `{name}`: the model has none, pass it by keyword")
        if twice := sorted(fields & kwargs.keys()):
            raise ValueError(f"{loss_fn.__name__}: the model has {', '.join(twice)}, do not pass them again")
        given = {name: getattr(gan_model, name) for name in parameters if name in fields}
        kept = {name: value for name, value in given.items() if value is not None or _is_required(parameters[name])}
        return loss_fn(**kept, **kwargs)

    return _named_like(loss_fn, loss_of_model)


def _is_required(parameter: inspect.Parameter) -> bool:
    return parameter.default is parameter.empty


def _named_like(loss_fn: LossFunction, new_loss_fn: LossFunction) -> LossFunction:
    new_loss_fn.__name__ = loss_fn.__name__
    new_loss_fn.__qualname__ = loss_fn.__name__
    new_loss_fn.__module__ = __name__
    new_loss_fn.__doc__ = f"Returns what {loss_fn.__name__} of the arguments does, with a model's fields as arguments."
    return new_loss_fn


wasserstein_generator_loss = _of_model(wargs.wasserstein_generator_loss)
wasserstein_discriminator_loss = _of_model(wargs.wasserstein_discriminator_loss)
wasserstein_gradient_penalty = _of_model(penalties.wasserstein_gradient_penalty)
acgan_discriminator_loss = _of_model(wargs.acgan_discriminator_loss)
acgan_generator_loss = _of_model(wargs.acgan_generator_loss)
minimax_discriminator_loss = _of_model(wargs.minimax_discriminator_loss)
minimax_generator_loss = _of_model(wargs.minimax_generator_loss)
modified_discriminator_loss = _of_model(wargs.modified_discriminator_loss)
modified_generator_loss = _of_model(wargs.modified_generator_loss)
least_squares_generator_loss = _of_model(wargs.least_squares_generator_loss)
least_squares_discriminator_loss = _of_model(wargs.least_squares_discriminator_loss)
mutual_information_penalty = _of_model(penalties.mutual_information_penalty)


def combine_adversarial_loss(
    gan_loss: Any,
    gan_model: Any,
    non_adversarial_loss: Any,
    weight_factor: Any = None,
    gradient_ratio: Any = None,
    gradient_ratio_epsilon: float = 1e-6,
    scalar_summaries: bool = True,
    gradient_summaries: bool = True,
) -> Any:
    """Returns `gan_loss` with its generator loss added to `non_adversarial_loss`, weighted."""
    combined = penalties.combine_adversarial_loss(
        non_adversarial_loss,
        gan_loss.generator_loss,
        weight_factor,
        gradient_ratio,
        gradient_ratio_epsilon,
        gan_model.generator_variables,
        scalar_summaries,
        gradient_summaries,
    )
    return gan_loss._replace(generator_loss=combined)


def cycle_consistency_loss(cyclegan_model: Any, scope: str | None = None, add_summaries: bool = False) -> Any:
    """Returns the cycle consistency loss of a CycleGANModel. Raises ValueError for another model."""
    if not isinstance(cyclegan_model, CycleGANModel):
        raise ValueError(f"cyclegan_model is a {type(cyclegan_model).__name__}; give a CycleGANModel")
    return penalties.cycle_consistency_loss(
        cyclegan_model.model_x2y.generator_inputs,
        cyclegan_model.reconstructed_x,
        cyclegan_model.model_y2x.generator_inputs,
        cyclegan_model.reconstructed_y,
        scope,
        add_summaries,
    )


def stargan_generator_loss_wrapper(loss_fn: LossFunction) -> LossFunction:
    """Returns `loss_fn`, of outputs on generated data, as a function of a StarGANModel."""

    def loss_of_model(stargan_model: Any, **kwargs: Any) -> Any:
        return loss_fn(stargan_model.discriminator_generated_data_source_predication, **kwargs)

    return _named_like(loss_fn, loss_of_model)


def stargan_discriminator_loss_wrapper(loss_fn: LossFunction) -> LossFunction:
    """Returns `loss_fn`, of outputs on real and on generated data, as a function of a StarGANModel."""

    def loss_of_model(stargan_model: Any, **kwargs: Any) -> Any:
        real = stargan_model.discriminator_input_data_source_predication
        return loss_fn(real, stargan_model.discriminator_generated_data_source_predication, **kwargs)

    return _named_like(loss_fn, loss_of_model)


def stargan_gradient_penalty_wrapper(loss_fn: LossFunction) -> LossFunction:
    """Returns the gradient penalty `loss_fn` as a function of a StarGANModel."""

    def loss_of_model(stargan_model: Any, **kwargs: Any) -> Any:
        part = functools.partial(loss_fn, real_data=stargan_model.input_data)
        return part(
            generated_data=stargan_model.generated_data,
            generator_inputs=stargan_model.input_data_domain_label.shape.as_list()[-1],
            discriminator_fn=stargan_model.discriminator_fn,
            discriminator_scope=stargan_model.discriminator_scope,
            **kwargs,
        )

    return _named_like(loss_fn, loss_of_model)
