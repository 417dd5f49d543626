"""Terms added to adversarial losses: gradient penalty, mutual information, cycle consistency, a main loss."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.variables.selection import get_trainable_variables
from tf2bridge.contrib.gan.losses.wargs import LOSSES, MEAN, summarize

v1 = tf.compat.v1


def wasserstein_gradient_penalty(
    real_data: Any,
    generated_data: Any,
    generator_inputs: Any,
    discriminator_fn: Callable[..., Any],
    discriminator_scope: Any,
    epsilon: float = 1e-10,
    target: Any = 1.0,
    one_sided: bool = False,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = MEAN,
    add_summaries: bool = False,
) -> Any:
    """Returns the mean squared difference of the norm of the discriminator's gradient and `target`.

    The gradient is taken at random points between real and generated data, both [batch, ...]. Gulrajani et al.,
    https://arxiv.org/abs/1704.00028. With `one_sided` only larger norms count, https://arxiv.org/abs/1709.08894.

    Raises:
        ValueError: the rank of the data is unknown.
    """
    with v1.name_scope(scope, "wasserstein_gradient_penalty", (real_data, generated_data)) as name:
        points = _between(_of_known_rank(real_data, "real_data"), _of_known_rank(generated_data, "generated_data"))
        outputs = _at_points(discriminator_fn, discriminator_scope, points, generator_inputs)
        squares = _gradient_squares(outputs, points)
        penalties = tf.sqrt(squares + epsilon) / target - 1.0
        if one_sided:
            penalties = tf.maximum(0.0, penalties)
        penalty = v1.losses.compute_weighted_loss(tf.square(penalties), weights, name, loss_collection, reduction)
        if add_summaries:
            summarize(gradient_penalty_loss=penalty)
    return penalty


def _of_known_rank(data: Any, name: str) -> Any:
    tensor = tf.convert_to_tensor(data)
    if tensor.shape.rank is None:
        raise ValueError(f"the rank of `{name}` is not known; set it with set_shape")
    return tensor


def _between(real: Any, generated: Any) -> Any:
    differences = generated - real
    batch = differences.shape.as_list()[0] or tf.shape(differences)[0]
    share = v1.random_uniform(shape=[batch] + [1] * (differences.shape.rank - 1))
    return real + (share * differences)


def _at_points(discriminator_fn: Callable[..., Any], scope: Any, points: Any, generator_inputs: Any) -> Any:
    """Returns the discriminator's outputs, which an ACGAN gives first of two."""
    # Outside every name scope, so that update ops lie in the discriminator's.
    with v1.name_scope(None), v1.variable_scope(scope, "gpenalty_dscope", reuse=v1.AUTO_REUSE):
        outputs = discriminator_fn(points, generator_inputs)
    return outputs[0] if isinstance(outputs, tuple) else outputs


def _gradient_squares(outputs: Any, points: Any) -> Any:
    gradients = v1.gradients(outputs, points)[0]
    squares = v1.reduce_sum(tf.square(gradients), axis=list(range(1, gradients.shape.rank)))
    batch = points.shape.as_list()[0]
    if batch is not None:
        squares.set_shape([batch, *squares.shape.as_list()[1:]])
    return squares


def mutual_information_penalty(
    structured_generator_inputs: Sequence[Any],
    predicted_distributions: Sequence[Any],
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = MEAN,
    add_summaries: bool = False,
) -> Any:
    """Returns the negated mean log-likelihood of the structured noise under the predicted distributions.

    Raises:
        ValueError: the numbers of distributions and inputs differ.
    """
    check_distributions(predicted_distributions, structured_generator_inputs)
    pairs = zip(predicted_distributions, structured_generator_inputs, strict=True)
    with v1.name_scope(scope, "mutual_information_loss") as name:
        likelihoods = [v1.reduce_mean(distribution.log_prob(noise)) for distribution, noise in pairs]
        loss = -1 * v1.losses.compute_weighted_loss(likelihoods, weights, name, loss_collection, reduction)
        if add_summaries:
            summarize(mutual_information_penalty=loss)
    return loss


def check_distributions(distributions: Any, inputs: Sequence[Any]) -> None:
    """Raises ValueError unless `distributions` is a list of as many distributions as there are `inputs`."""
    if not isinstance(distributions, (list, tuple)):
        raise ValueError(f"predicted_distributions is of type {type(distributions).__name__}: give a list")
    for distribution in distributions:
        if not isinstance(distribution, v1.distributions.Distribution):
            kind = type(distribution).__name__
            raise ValueError(f"predicted_distributions holds a {kind}; every element must be a tf.distributions one")
    if len(distributions) != len(inputs):
        raise ValueError(
            f"there are {len(distributions)} predicted distributions for {len(inputs)} structured inputs: give as many"
        )


def combine_adversarial_loss(
    main_loss: Any,
    adversarial_loss: Any,
    weight_factor: Any = None,
    gradient_ratio: Any = None,
    gradient_ratio_epsilon: float = 1e-6,
    variables: Sequence[Any] | None = None,
    scalar_summaries: bool = True,
    gradient_summaries: bool = True,
    scope: str | None = None,
) -> Any:
    """Returns `main_loss` plus `adversarial_loss` times a factor, a scalar.

    The factor is `weight_factor`, or it makes the gradients of `main_loss` `gradient_ratio` times as large as those of
    `adversarial_loss`.

    Raises:
        ValueError: not exactly one of `weight_factor` and `gradient_ratio` is given.
    """
    for loss in (main_loss, adversarial_loss):
        loss.shape.assert_is_compatible_with([])
    if (weight_factor is None) == (gradient_ratio is None):
        raise ValueError("give either weight_factor or gradient_ratio, not both and not neither")
    if variables is None:
        variables = get_trainable_variables()
    norms: list[Any] = []
    with v1.name_scope(scope, "adversarial_loss", values=[main_loss, adversarial_loss]):
        if gradient_summaries or gradient_ratio is not None:
            norms = [_global_norm(v1.gradients(loss, variables)) for loss in (main_loss, adversarial_loss)]
        if scalar_summaries:
            summarize(main_loss=main_loss, adversarial_loss=adversarial_loss)
        if gradient_summaries:
            summarize(main_loss_gradients=norms[0], adversarial_loss_gradients=norms[1])
        if _is_always_zero(gradient_ratio if weight_factor is None else weight_factor):
            return main_loss
        if weight_factor is None:
            weight_factor = norms[0] / (norms[1] + gradient_ratio_epsilon) / gradient_ratio
            summarize(adversarial_coefficient=weight_factor)
        return main_loss + tf.stop_gradient(weight_factor) * adversarial_loss


def _is_always_zero(weight: Any) -> bool:
    constant = tf.get_static_value(tf.convert_to_tensor(weight))
    return constant is not None and bool(constant == 0)


def _global_norm(gradients: Sequence[Any]) -> Any:
    """Returns the norm of all gradients, which are divided by the largest number first: no square overflows."""
    present = [gradient for gradient in gradients if gradient is not None]
    if not present:
        return 0.0
    largest = v1.reduce_max([v1.reduce_max(tf.abs(gradient)) for gradient in present])
    return largest * tf.linalg.global_norm([gradient / largest for gradient in present])


def cycle_consistency_loss(
    data_x: Any,
    reconstructed_data_x: Any,
    data_y: Any,
    reconstructed_data_y: Any,
    scope: str | None = None,
    add_summaries: bool = False,
) -> Any:
    """Returns half the sum of the mean absolute differences between both data sets and their reconstructions.

    Zhu et al., "Unpaired Image-to-Image Translation", 2017, https://arxiv.org/abs/1703.10593.
    """
    values = [data_x, reconstructed_data_x, data_y, reconstructed_data_y]
    with v1.name_scope(scope, "cycle_consistency_loss", values=values):
        of_x = v1.losses.absolute_difference(data_x, reconstructed_data_x)
        of_y = v1.losses.absolute_difference(data_y, reconstructed_data_y)
        loss = (of_x + of_y) / 2.0
        if add_summaries:
            summarize(cycle_consistency_loss_x2x=of_x, cycle_consistency_loss_y2y=of_y, cycle_consistency_loss=loss)
    return loss
