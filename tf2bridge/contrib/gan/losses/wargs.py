"""Adversarial losses of discriminator outputs: Wasserstein, minimax, modified, least squares, and of a classifier.

The sources: Goodfellow et al., https://arxiv.org/abs/1406.2661 (minimax, modified); Arjovsky et al.,
https://arxiv.org/abs/1701.07875 (Wasserstein); Mao et al., https://arxiv.org/abs/1611.04076 (least squares);
Odena et al., https://arxiv.org/abs/1610.09585 (classifier). `reduction` determines the shape of a result.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1
LOSSES = v1.GraphKeys.LOSSES
MEAN = v1.losses.Reduction.SUM_BY_NONZERO_WEIGHTS


def add_loss(loss: Any, loss_collection: str | None) -> None:
    """Records `loss` in the collection, if there is one."""
    if loss_collection:
        v1.losses.add_loss(loss, loss_collection)


def summarize(**scalars: Any) -> None:
    """Adds a scalar summary for each keyword."""
    for name, value in scalars.items():
        v1.summary.scalar(name, value)


def wasserstein_generator_loss(
    discriminator_gen_outputs: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = MEAN,
    add_summaries: bool = False,
) -> Any:
    """Returns the mean of the negated outputs on generated data."""
    with v1.name_scope(scope, "generator_wasserstein_loss", (discriminator_gen_outputs, weights)) as name:
        negated = -v1.to_float(discriminator_gen_outputs)
        loss = v1.losses.compute_weighted_loss(negated, weights, name, loss_collection, reduction)
        if add_summaries:
            summarize(generator_wass_loss=loss)
    return loss


def wasserstein_discriminator_loss(
    discriminator_real_outputs: Any,
    discriminator_gen_outputs: Any,
    real_weights: Any = 1.0,
    generated_weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = MEAN,
    add_summaries: bool = False,
) -> Any:
    """Returns the mean of the outputs on generated data less the mean of those on real data."""
    values = (discriminator_real_outputs, discriminator_gen_outputs, real_weights, generated_weights)
    with v1.name_scope(scope, "discriminator_wasserstein_loss", values) as name:
        real, generated = v1.to_float(discriminator_real_outputs), v1.to_float(discriminator_gen_outputs)
        real.shape.assert_is_compatible_with(generated.shape)
        on_generated = v1.losses.compute_weighted_loss(generated, generated_weights, name, None, reduction)
        on_real = v1.losses.compute_weighted_loss(real, real_weights, name, None, reduction)
        loss = on_generated - on_real
        add_loss(loss, loss_collection)
        if add_summaries:
            summarize(discriminator_gen_wass_loss=on_generated, discriminator_real_wass_loss=on_real)
            summarize(discriminator_wass_loss=loss)
    return loss


def acgan_discriminator_loss(
    discriminator_real_classification_logits: Any,
    discriminator_gen_classification_logits: Any,
    one_hot_labels: Any,
    label_smoothing: float = 0.0,
    real_weights: Any = 1.0,
    generated_weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = MEAN,
    add_summaries: bool = False,
) -> Any:
    """Returns the cross entropy of labels and logits of generated data, plus the same of real data."""
    generated, real = discriminator_gen_classification_logits, discriminator_real_classification_logits
    entropy = v1.losses.softmax_cross_entropy
    with v1.name_scope(scope, "acgan_discriminator_loss", (real, generated, one_hot_labels)) as name:
        on_generated = entropy(one_hot_labels, generated, generated_weights, 0, name, None, reduction)
        on_real = entropy(one_hot_labels, real, real_weights, label_smoothing, name, None, reduction)
        loss = on_generated + on_real
        add_loss(loss, loss_collection)
        if add_summaries:
            summarize(discriminator_gen_ac_loss=on_generated, discriminator_real_ac_loss=on_real)
            summarize(discriminator_ac_loss=loss)
    return loss


def acgan_generator_loss(
    discriminator_gen_classification_logits: Any,
    one_hot_labels: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = MEAN,
    add_summaries: bool = False,
) -> Any:
    """Returns the cross entropy of the labels with the logits of generated data."""
    logits = discriminator_gen_classification_logits
    with v1.name_scope(scope, "acgan_generator_loss", (logits, one_hot_labels)) as name:
        loss = v1.losses.softmax_cross_entropy(one_hot_labels, logits, weights, 0, name, loss_collection, reduction)
        if add_summaries:
            summarize(generator_ac_loss=loss)
    return loss


def minimax_discriminator_loss(
    discriminator_real_outputs: Any,
    discriminator_gen_outputs: Any,
    label_smoothing: float = 0.25,
    real_weights: Any = 1.0,
    generated_weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = MEAN,
    add_summaries: bool = False,
) -> Any:
    """Returns the cross entropy of real data and smoothed ones, plus that of generated data and zeros."""
    real, generated, entropy = discriminator_real_outputs, discriminator_gen_outputs, v1.losses.sigmoid_cross_entropy
    values = (real, generated, real_weights, generated_weights, label_smoothing)
    with v1.name_scope(scope, "discriminator_minimax_loss", values) as name:
        on_real = entropy(v1.ones_like(real), real, real_weights, label_smoothing, name, None, reduction)
        on_generated = entropy(v1.zeros_like(generated), generated, generated_weights, 0, name, None, reduction)
        loss = on_real + on_generated
        add_loss(loss, loss_collection)
        if add_summaries:
            summarize(discriminator_gen_minimax_loss=on_generated, discriminator_real_minimax_loss=on_real)
            summarize(discriminator_minimax_loss=loss)
    return loss


def minimax_generator_loss(
    discriminator_gen_outputs: Any,
    label_smoothing: float = 0.0,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = MEAN,
    add_summaries: bool = False,
) -> Any:
    """Returns the negated loss of a discriminator that gives ones for real data."""
    with v1.name_scope(scope, "generator_minimax_loss") as name:
        ones = v1.ones_like(discriminator_gen_outputs)
        more = (label_smoothing, weights, weights, name, loss_collection, reduction)
        loss = -minimax_discriminator_loss(ones, discriminator_gen_outputs, *more, add_summaries=False)
    if add_summaries:
        summarize(generator_minimax_loss=loss)
    return loss


def modified_discriminator_loss(
    discriminator_real_outputs: Any,
    discriminator_gen_outputs: Any,
    label_smoothing: float = 0.25,
    real_weights: Any = 1.0,
    generated_weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = MEAN,
    add_summaries: bool = False,
) -> Any:
    """Returns the loss of `minimax_discriminator_loss`, in its own scope."""
    return minimax_discriminator_loss(
        discriminator_real_outputs,
        discriminator_gen_outputs,
        label_smoothing,
        real_weights,
        generated_weights,
        scope or "discriminator_modified_loss",
        loss_collection,
        reduction,
        add_summaries,
    )


def modified_generator_loss(
    discriminator_gen_outputs: Any,
    label_smoothing: float = 0.0,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = MEAN,
    add_summaries: bool = False,
) -> Any:
    """Returns the cross entropy of generated data with ones."""
    outputs = discriminator_gen_outputs
    with v1.name_scope(scope, "generator_modified_loss", [outputs]) as name:
        more = (weights, label_smoothing, name, loss_collection, reduction)
        loss = v1.losses.sigmoid_cross_entropy(v1.ones_like(outputs), outputs, *more)
        if add_summaries:
            summarize(generator_modified_loss=loss)
    return loss


def least_squares_generator_loss(
    discriminator_gen_outputs: Any,
    real_label: Any = 1,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = MEAN,
    add_summaries: bool = False,
) -> Any:
    """Returns half the mean squared difference of generated data and `real_label`."""
    with v1.name_scope(scope, "lsq_generator_loss", (discriminator_gen_outputs, real_label)) as name:
        halves = v1.squared_difference(v1.to_float(discriminator_gen_outputs), real_label) / 2.0
        loss = v1.losses.compute_weighted_loss(halves, weights, name, loss_collection, reduction)
    if add_summaries:
        summarize(generator_lsq_loss=loss)
    return loss


def least_squares_discriminator_loss(
    discriminator_real_outputs: Any,
    discriminator_gen_outputs: Any,
    real_label: Any = 1,
    fake_label: Any = 0,
    real_weights: Any = 1.0,
    generated_weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = MEAN,
    add_summaries: bool = False,
) -> Any:
    """Returns half the mean squared differences of real data and `real_label`, generated data and `fake_label`."""
    with v1.name_scope(scope, "lsq_discriminator_loss", (discriminator_gen_outputs, real_label)) as name:
        real, generated = v1.to_float(discriminator_real_outputs), v1.to_float(discriminator_gen_outputs)
        real.shape.assert_is_compatible_with(generated.shape)
        real_halves = v1.squared_difference(real, real_label) / 2.0
        generated_halves = v1.squared_difference(generated, fake_label) / 2.0
        on_real = v1.losses.compute_weighted_loss(real_halves, real_weights, name, None, reduction)
        on_generated = v1.losses.compute_weighted_loss(generated_halves, generated_weights, name, None, reduction)
        loss = on_real + on_generated
        add_loss(loss, loss_collection)
    if add_summaries:
        summarize(discriminator_gen_lsq_loss=on_generated, discriminator_real_lsq_loss=on_real)
        summarize(discriminator_lsq_loss=loss)
    return loss
