"""GAN, InfoGAN, ACGAN and CycleGAN models: a generator and a discriminator, built in their variable scopes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.variables.selection import get_trainable_variables
from tf2bridge.contrib.gan.losses.penalties import check_distributions
from tf2bridge.contrib.gan.namedtuples import ACGANModel, CycleGANModel, GANModel, InfoGANModel

v1 = tf.compat.v1


def gan_model(
    generator_fn: Callable[..., Any],
    discriminator_fn: Callable[..., Any],
    real_data: Any,
    generator_inputs: Any,
    generator_scope: Any = "Generator",
    discriminator_scope: Any = "Discriminator",
    check_shapes: bool = True,
) -> GANModel:
    """Returns the GANModel of `generator_fn(inputs)` and `discriminator_fn(data, inputs)`.

    The discriminator is built for generated data, then for `real_data` with the same variables.

    Raises:
        ValueError: `check_shapes` is true, and the shapes of generated and real data differ.
    """
    with v1.variable_scope(generator_scope) as generator:
        generator_inputs = as_tensors(generator_inputs)
        generated_data = generator_fn(generator_inputs)
    with v1.variable_scope(discriminator_scope) as discriminator:
        generated_outputs = discriminator_fn(generated_data, generator_inputs)
    with v1.variable_scope(discriminator, reuse=True):
        real_data = tf.convert_to_tensor(real_data)
        real_outputs = discriminator_fn(real_data, generator_inputs)
    if check_shapes:
        _check_shapes(generated_data, real_data)
    return GANModel(
        generator_inputs,
        generated_data,
        get_trainable_variables(generator),
        generator,
        generator_fn,
        real_data,
        real_outputs,
        generated_outputs,
        get_trainable_variables(discriminator),
        discriminator,
        discriminator_fn,
    )


def infogan_model(
    generator_fn: Callable[..., Any],
    discriminator_fn: Callable[..., Any],
    real_data: Any,
    unstructured_generator_inputs: Any,
    structured_generator_inputs: Any,
    generator_scope: Any = "Generator",
    discriminator_scope: Any = "Discriminator",
) -> InfoGANModel:
    """Returns the InfoGANModel of a discriminator that returns (logits, distributions of the structured inputs).

    Raises:
        ValueError: the shapes of generated and real data differ, or the distributions do not fit the inputs.
    """
    with v1.variable_scope(generator_scope) as generator:
        unstructured = as_tensors(unstructured_generator_inputs)
        structured = as_tensors(structured_generator_inputs)
        generator_inputs = unstructured + structured
        generated_data = generator_fn(generator_inputs)
    with v1.variable_scope(discriminator_scope) as discriminator:
        generated_outputs, distributions = discriminator_fn(generated_data, generator_inputs)
    check_distributions(distributions, structured)
    with v1.variable_scope(discriminator, reuse=True):
        real_data = tf.convert_to_tensor(real_data)
        real_outputs, _ = discriminator_fn(real_data, generator_inputs)
    _check_shapes(generated_data, real_data)
    return InfoGANModel(
        generator_inputs,
        generated_data,
        get_trainable_variables(generator),
        generator,
        generator_fn,
        real_data,
        real_outputs,
        generated_outputs,
        get_trainable_variables(discriminator),
        discriminator,
        lambda data, inputs: discriminator_fn(data, inputs)[0],
        structured,
        distributions,
        discriminator_fn,
    )


def acgan_model(
    generator_fn: Callable[..., Any],
    discriminator_fn: Callable[..., Any],
    real_data: Any,
    generator_inputs: Any,
    one_hot_labels: Any,
    generator_scope: Any = "Generator",
    discriminator_scope: Any = "Discriminator",
    check_shapes: bool = True,
) -> ACGANModel:
    """Returns the ACGANModel of a discriminator that returns (logits of being real, logits of the classes).

    Raises:
        TypeError: the discriminator does not return such a pair.
        ValueError: the shapes of generated and real data differ.
    """
    with v1.variable_scope(generator_scope) as generator:
        generator_inputs = as_tensors(generator_inputs)
        generated_data = generator_fn(generator_inputs)
    with v1.variable_scope(discriminator_scope) as discriminator, v1.name_scope(f"{discriminator.name}/generated/"):
        generated_outputs, generated_logits = _pair(discriminator_fn(generated_data, generator_inputs))
    with v1.variable_scope(discriminator, reuse=True), v1.name_scope(f"{discriminator.name}/real/"):
        real_data = tf.convert_to_tensor(real_data)
        real_outputs, real_logits = _pair(discriminator_fn(real_data, generator_inputs))
    if check_shapes:
        _check_shapes(generated_data, real_data)
    return ACGANModel(
        generator_inputs,
        generated_data,
        get_trainable_variables(generator),
        generator,
        generator_fn,
        real_data,
        real_outputs,
        generated_outputs,
        get_trainable_variables(discriminator),
        discriminator,
        discriminator_fn,
        one_hot_labels,
        real_logits,
        generated_logits,
    )


def cyclegan_model(
    generator_fn: Callable[..., Any],
    discriminator_fn: Callable[..., Any],
    data_x: Any,
    data_y: Any,
    generator_scope: Any = "Generator",
    discriminator_scope: Any = "Discriminator",
    model_x2y_scope: Any = "ModelX2Y",
    model_y2x_scope: Any = "ModelY2X",
    check_shapes: bool = True,
) -> CycleGANModel:
    """Returns the CycleGANModel of two GANs, from X to Y and from Y to X. Raises ValueError as `gan_model` does."""

    def half(inputs: Any, outputs: Any) -> GANModel:
        scopes = (generator_scope, discriminator_scope)
        return gan_model(generator_fn, discriminator_fn, outputs, inputs, *scopes, check_shapes=check_shapes)

    with v1.variable_scope(model_x2y_scope):
        x2y = half(data_x, data_y)
    with v1.variable_scope(model_y2x_scope):
        y2x = half(data_y, data_x)
    with v1.variable_scope(y2x.generator_scope, reuse=True):
        reconstructed_x = y2x.generator_fn(x2y.generated_data)
    with v1.variable_scope(x2y.generator_scope, reuse=True):
        reconstructed_y = x2y.generator_fn(y2x.generated_data)
    return CycleGANModel(x2y, y2x, reconstructed_x, reconstructed_y)


def as_tensors(values: Any) -> Any:
    """Returns a tensor, or the list or dictionary of tensors, of `values`."""
    if isinstance(values, (list, tuple)):
        return [tf.convert_to_tensor(value) for value in values]
    if isinstance(values, dict):
        return {key: tf.convert_to_tensor(value) for key, value in values.items()}
    return tf.convert_to_tensor(values)


def _check_shapes(generated: Any, real: Any) -> None:
    if not generated.shape.is_compatible_with(real.shape):
        raise ValueError(
            f"the generator gives shape {generated.shape} and the real data has {real.shape}: they must be the same"
        )


def _pair(outputs: Any) -> tuple[Any, Any]:
    try:
        first, second = outputs
    except (TypeError, ValueError) as wrong:
        raise TypeError(
            "the discriminator of an ACGAN gives a pair: logits of being real, and logits of the classes"
        ) from wrong
    return first, second
