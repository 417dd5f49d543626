"""The losses of whole models: adversarial loss, auxiliary losses and regularization."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.gan.losses import tuple_losses
from tf2bridge.contrib.gan.losses.auxiliary import checked_weight, is_used
from tf2bridge.contrib.gan.namedtuples import ACGANModel, CycleGANLoss, CycleGANModel, GANLoss, GANModel, InfoGANModel

v1 = tf.compat.v1


def gan_loss(
    model: Any,
    generator_loss_fn: Callable[..., Any] = tuple_losses.wasserstein_generator_loss,
    discriminator_loss_fn: Callable[..., Any] = tuple_losses.wasserstein_discriminator_loss,
    gradient_penalty_weight: Any = None,
    gradient_penalty_epsilon: float = 1e-10,
    gradient_penalty_target: Any = 1.0,
    gradient_penalty_one_sided: bool = False,
    mutual_information_penalty_weight: Any = None,
    aux_cond_generator_weight: Any = None,
    aux_cond_discriminator_weight: Any = None,
    tensor_pool_fn: Callable[..., Any] | None = None,
    add_summaries: bool = True,
) -> GANLoss:
    """Returns the GANLoss of a GANModel, an InfoGANModel or an ACGANModel, with regularization.

    With `tensor_pool_fn`, such as `tfgan.features.tensor_pool`, the discriminator's loss uses pooled data.

    Raises:
        ValueError: a weight is negative, or does not belong to this type of model.
    """
    penalty_weight = checked_weight(gradient_penalty_weight, "gradient_penalty_weight")
    information_weight = checked_weight(mutual_information_penalty_weight, "mutual_information_penalty_weight")
    generator_weight = checked_weight(aux_cond_generator_weight, "aux_cond_generator_weight")
    discriminator_weight = checked_weight(aux_cond_discriminator_weight, "aux_cond_discriminator_weight")
    if is_used(information_weight):
        _check_model(model, InfoGANModel, "mutual_information_penalty_weight")
    if is_used(generator_weight) or is_used(discriminator_weight):
        _check_model(model, ACGANModel, "aux_cond_generator_weight or aux_cond_discriminator_weight")
    pooled = _pooled(model, tensor_pool_fn) if tensor_pool_fn else model
    generator_loss = generator_loss_fn(model, add_summaries=add_summaries)
    discriminator_loss = discriminator_loss_fn(pooled, add_summaries=add_summaries)
    if is_used(penalty_weight):
        penalty = tuple_losses.wasserstein_gradient_penalty(
            pooled,
            epsilon=gradient_penalty_epsilon,
            target=gradient_penalty_target,
            one_sided=gradient_penalty_one_sided,
            add_summaries=add_summaries,
        )
        discriminator_loss += penalty_weight * penalty
    if is_used(information_weight):
        information = tuple_losses.mutual_information_penalty
        of_generator = information(model, add_summaries=add_summaries)
        of_discriminator = of_generator if pooled is model else information(pooled, add_summaries=add_summaries)
        generator_loss += information_weight * of_generator
        discriminator_loss += information_weight * of_discriminator
    if is_used(generator_weight):
        generator_loss += generator_weight * tuple_losses.acgan_generator_loss(model, add_summaries=add_summaries)
    if is_used(discriminator_weight):
        classified = tuple_losses.acgan_discriminator_loss(pooled, add_summaries=add_summaries)
        discriminator_loss += discriminator_weight * classified
    of_generator = _regularization(model.generator_scope)
    of_discriminator = _regularization(model.discriminator_scope)
    return GANLoss(generator_loss + of_generator, discriminator_loss + of_discriminator)


def _check_model(model: Any, kind: type, weight: str) -> None:
    if not isinstance(model, kind):
        raise ValueError(f"{weight} is given, and the model is a {type(model).__name__}: give a {kind.__name__}")


def _regularization(scope: Any) -> Any:
    return v1.losses.get_regularization_loss(scope.name) if scope else 0


def _pooled(model: Any, tensor_pool_fn: Callable[..., Any]) -> Any:
    """Returns `model` with earlier generated data from the pool, and the discriminator's outputs on it.

    Raises:
        ValueError: the model has another type.
    """
    if not isinstance(model, (GANModel, ACGANModel, InfoGANModel)):
        raise ValueError(f"tensor_pool_fn cannot pool a {type(model).__name__}: give a GAN, ACGAN or InfoGAN model")
    values = (model.generator_inputs, model.generated_data)
    changed: dict[str, Any] = {}
    if isinstance(model, InfoGANModel):
        inputs, data, changed["structured_generator_inputs"] = tensor_pool_fn(
            (*values, model.structured_generator_inputs)
        )
    else:
        inputs, data = tensor_pool_fn(values)
    with v1.variable_scope(model.discriminator_scope, reuse=True):
        if isinstance(model, InfoGANModel):
            outputs, changed["predicted_distributions"] = model.discriminator_and_aux_fn(data, inputs)
        elif isinstance(model, ACGANModel):
            outputs, changed["discriminator_gen_classification_logits"] = model.discriminator_fn(data, inputs)
        else:
            outputs = model.discriminator_fn(data, inputs)
    changed.update(generator_inputs=inputs, generated_data=data, discriminator_gen_outputs=outputs)
    return model._replace(**changed)


def cyclegan_loss(
    model: Any,
    generator_loss_fn: Callable[..., Any] = tuple_losses.least_squares_generator_loss,
    discriminator_loss_fn: Callable[..., Any] = tuple_losses.least_squares_discriminator_loss,
    cycle_consistency_loss_fn: Callable[..., Any] = tuple_losses.cycle_consistency_loss,
    cycle_consistency_loss_weight: Any = 10.0,
    **kwargs: Any,
) -> CycleGANLoss:
    """Returns the CycleGANLoss of a CycleGANModel. `kwargs` are arguments of `gan_loss`, for each half.

    Raises:
        ValueError: the model is not a CycleGANModel, or the weight is negative.
    """
    if not isinstance(model, CycleGANModel):
        raise ValueError(f"the model is a {type(model).__name__}; give a CycleGANModel")
    consistency = cycle_consistency_loss_fn(model, add_summaries=kwargs.get("add_summaries", True))
    weight = checked_weight(cycle_consistency_loss_weight, "cycle_consistency_loss_weight")
    consistency = weight * consistency

    def half(part: GANModel) -> GANLoss:
        loss = gan_loss(part, generator_loss_fn, discriminator_loss_fn, **kwargs)
        return loss._replace(generator_loss=loss.generator_loss + consistency)

    with v1.name_scope("cyclegan_loss_x2y"):
        loss_x2y = half(model.model_x2y)
    with v1.name_scope("cyclegan_loss_y2x"):
        loss_y2x = half(model.model_y2x)
    return CycleGANLoss(loss_x2y, loss_y2x)
