"""StarGAN: one generator between several domains. Choi et al., 2017, https://arxiv.org/abs/1711.09020."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.variables.selection import get_trainable_variables
from tf2bridge.contrib.gan.losses import penalties, tuple_losses, wargs
from tf2bridge.contrib.gan.losses.auxiliary import is_used
from tf2bridge.contrib.gan.namedtuples import GANLoss, StarGANModel
from tf2bridge.contrib.gan.train.models import as_tensors

v1 = tf.compat.v1
_GENERATOR_LOSS = tuple_losses.stargan_generator_loss_wrapper(wargs.wasserstein_generator_loss)
_DISCRIMINATOR_LOSS = tuple_losses.stargan_discriminator_loss_wrapper(wargs.wasserstein_discriminator_loss)
_penalty = tuple_losses.stargan_gradient_penalty_wrapper(penalties.wasserstein_gradient_penalty)


def stargan_model(
    generator_fn: Callable[..., Any],
    discriminator_fn: Callable[..., Any],
    input_data: Any,
    input_data_domain_label: Any,
    generator_scope: Any = "Generator",
    discriminator_scope: Any = "Discriminator",
) -> StarGANModel:
    """Returns the StarGANModel of `generator_fn(data, labels)` and `discriminator_fn(data, number of domains)`.

    Data is [batch, height, width, channels], labels are [batch, domains], or both are lists of such tensors. The
    discriminator returns (source, domain logits).

    Raises:
        ValueError: the labels do not have a static shape of rank 2.
    """
    data, labels = _concatenated(input_data), _concatenated(input_data_domain_label)
    labels.shape.assert_has_rank(2)
    labels.shape.assert_is_fully_defined()
    batch, domains = labels.shape.as_list()
    with v1.variable_scope(generator_scope) as generator:
        places = v1.random_uniform([batch], minval=0, maxval=domains, dtype=tf.int32)
        targets = tf.one_hot(places, domains)
        generated = generator_fn(data, targets)
    with v1.variable_scope(generator, reuse=True):
        reconstructed = generator_fn(generated, labels)
    with v1.variable_scope(discriminator_scope) as discriminator:
        generated_source, generated_domain = discriminator_fn(generated, domains)
    with v1.variable_scope(discriminator, reuse=True):
        input_source, input_domain = discriminator_fn(data, domains)
    return StarGANModel(
        input_data=data,
        input_data_domain_label=labels,
        generated_data=generated,
        generated_data_domain_target=targets,
        reconstructed_data=reconstructed,
        discriminator_input_data_source_predication=input_source,
        discriminator_generated_data_source_predication=generated_source,
        discriminator_input_data_domain_predication=input_domain,
        discriminator_generated_data_domain_predication=generated_domain,
        generator_variables=get_trainable_variables(generator),
        generator_scope=generator,
        generator_fn=generator_fn,
        discriminator_variables=get_trainable_variables(discriminator),
        discriminator_scope=discriminator,
        discriminator_fn=discriminator_fn,
    )


def _concatenated(values: Any) -> Any:
    tensors = as_tensors(values)
    return tf.concat(tensors, 0) if isinstance(tensors, list) else tensors


def stargan_loss(
    model: StarGANModel,
    generator_loss_fn: Callable[..., Any] = _GENERATOR_LOSS,
    discriminator_loss_fn: Callable[..., Any] = _DISCRIMINATOR_LOSS,
    gradient_penalty_weight: Any = 10.0,
    gradient_penalty_epsilon: float = 1e-10,
    gradient_penalty_target: Any = 1.0,
    gradient_penalty_one_sided: bool = False,
    reconstruction_loss_fn: Callable[..., Any] = v1.losses.absolute_difference,
    reconstruction_loss_weight: Any = 10.0,
    classification_loss_fn: Callable[..., Any] = v1.losses.softmax_cross_entropy,
    classification_loss_weight: Any = 1.0,
    classification_one_hot: bool = True,
    add_summaries: bool = True,
) -> GANLoss:
    """Returns the GANLoss: adversarial losses, gradient penalty, reconstruction and classification, weighted.

    Raises:
        ValueError: the labels do not have rank 2, or the number of domains is unknown.
    """

    def classification(labels: Any, logits: Any, name: str) -> Any:
        with v1.name_scope(name, values=(labels, logits)):
            loss = classification_loss_fn(onehot_labels=labels, logits=logits)
            loss = v1.reduce_mean(loss if classification_one_hot else v1.reduce_sum(loss, axis=1))
            if add_summaries:
                v1.summary.scalar(name, loss)
        return loss * classification_loss_weight

    model.input_data_domain_label.shape.assert_has_rank(2)
    model.input_data_domain_label.shape[1:].assert_is_fully_defined()
    generator_loss = generator_loss_fn(model, add_summaries=add_summaries)
    discriminator_loss = discriminator_loss_fn(model, add_summaries=add_summaries)
    if is_used(gradient_penalty_weight):
        penalty = _penalty(
            model,
            epsilon=gradient_penalty_epsilon,
            target=gradient_penalty_target,
            one_sided=gradient_penalty_one_sided,
            add_summaries=add_summaries,
        )
        discriminator_loss += penalty * gradient_penalty_weight
    reconstruction_loss = reconstruction_loss_fn(model.input_data, model.reconstructed_data)
    generator_loss += reconstruction_loss * reconstruction_loss_weight
    if add_summaries:
        v1.summary.scalar("reconstruction_loss", reconstruction_loss)
    generator_loss += classification(
        model.generated_data_domain_target,
        model.discriminator_generated_data_domain_predication,
        "generator_classification_loss",
    )
    discriminator_loss += classification(
        model.input_data_domain_label,
        model.discriminator_input_data_domain_predication,
        "discriminator_classification_loss",
    )
    return GANLoss(generator_loss, discriminator_loss)
